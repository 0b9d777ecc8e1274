// What a gate's run means: passed, failed, out of time, or not able to run. A tool that is missing is never a pass, and
// a run in which no test ran is none either.
import type { Gate, GateResult } from "../../model/gate.ts";
import { clip } from "../../model/value/sizes.ts";
import { installHint } from "../detect/install-hints.ts";
import { detectEmptyRun } from "./empty-run.ts";
import { findMissingInnerTool, findMissingTool, splitCommandWords } from "./missing-tool.ts";
import { judgePatterns } from "./patterns.ts";
import { describeSignal, findEndingSignal, isKilled } from "./signals.ts";

/** How a command ended. */
export interface CommandEnd {
  readonly status: "exited" | "timeout" | "not-found" | "aborted";
  readonly exitCode: number | null;
  /** The signal that ended it, where one did. */
  readonly signal?: string;
}

export type GateJudgement = Pick<
  GateResult,
  "status" | "hint" | "coverage" | "threshold" | "missing" | "signal" | "wrote" | "patch" | "sandbox"
>;

/** The outcome of a run by its end and its output; coverage is judged apart, once it passed. */
export function judgeGateRun(gate: Gate, ending: CommandEnd, output: string): GateJudgement {
  const { status, exitCode } = ending;
  if (status === "timeout") return { status, hint: `it did not end within ${gate.timeout_seconds} seconds` };
  if (status === "aborted") return { status: "error", hint: "it was ended before its time" };
  const unmade = findSandboxComplaint(exitCode, output);
  if (unmade !== undefined) return { status: "error", hint: `its sandbox could not be made: ${unmade}` };
  const empty = gate.allow_empty ? undefined : detectEmptyRun(output, exitCode);
  if (status === "exited" && exitCode === 0) {
    const judged = judgePatterns(gate, output);
    return empty !== undefined && judged.status === "passed" ? { status: "error", hint: empty } : judged;
  }
  return judgeMissingTool(gate, ending, output) ?? judgeSignal(ending, output) ?? judgeFailed(empty);
}

/** What the sandbox itself says instead of running anything; it is the first thing that is printed then. */
function findSandboxComplaint(exitCode: number | null, output: string): string | undefined {
  if (exitCode !== 1 && exitCode !== 125) return undefined;
  return /^(?:bwrap|mount|unshare): .{1,300}/.exec(output.trimStart())?.[0];
}

const judgeFailed = (empty: string | undefined): GateJudgement =>
  empty === undefined ? { status: "failed" } : { status: "error", hint: empty };

/** A tool of the gate's own command, or of a script it runs: neither is the producer's to fix. */
function judgeMissingTool(
  gate: Gate,
  { status, exitCode }: CommandEnd,
  output: string,
): GateJudgement | undefined {
  const own = findMissingTool(gate.command, output);
  if (own !== undefined || status === "not-found") {
    const tool = own ?? splitCommandWords(gate.command)[0] ?? gate.command;
    const hint = `${tool} is not installed. ${installHint(gate, tool)}`;
    return { status: "error", hint, missing: clip(tool, 200) };
  }
  const inner = findMissingInnerTool(exitCode, output);
  if (inner === undefined) return undefined;
  const how = gate.install ?? `Check with: command -v ${inner}`;
  const hint = `${inner} is not installed; a script of the project that ${gate.name} runs needs it. ${how}`;
  return { status: "error", hint: `${hint}, or let \`setup\` do it`, missing: clip(inner, 200) };
}

/** Killed from outside it has judged nothing; a crash of its own is a failure with a name. */
function judgeSignal({ exitCode, signal }: CommandEnd, output: string): GateJudgement | undefined {
  const name = findEndingSignal(exitCode, signal, output);
  if (name === undefined) return undefined;
  return { status: isKilled(name) ? "error" : "failed", hint: describeSignal(name), signal: name };
}
