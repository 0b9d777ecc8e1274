// What a gate's run means: passed, failed, out of time, or not able to run. A tool that is missing is never a pass, and
// a run in which no test ran is none either.
import type { Gate, GateResult } from "../model/gate.ts";
import { clip } from "../model/sizes.ts";
import { emptyRun } from "./empty-run.ts";
import { installHint } from "./install-hints.ts";
import { innerTool, missingTool, wordsOf } from "./missing-tool.ts";
import { judgePatterns } from "./patterns.ts";
import { endedBy, isKilled, signalSentence } from "./signals.ts";

/** How a command ended. */
export interface Ending {
  readonly status: "exited" | "timeout" | "not-found" | "aborted";
  readonly exitCode: number | null;
  /** The signal that ended it, where one did. */
  readonly signal?: string;
}

export type Outcome = Pick<
  GateResult,
  "status" | "hint" | "coverage" | "threshold" | "missing" | "signal" | "wrote" | "patch" | "sandbox"
>;

/** The outcome of a run by its end and its output; coverage is judged apart, once it passed. */
export function outcomeOf(gate: Gate, ending: Ending, output: string): Outcome {
  const { status, exitCode } = ending;
  if (status === "timeout") return { status, hint: `it did not end within ${gate.timeout_seconds} seconds` };
  if (status === "aborted") return { status: "error", hint: "it was ended before its time" };
  const unmade = sandboxComplaint(exitCode, output);
  if (unmade !== undefined) return { status: "error", hint: `its sandbox could not be made: ${unmade}` };
  const empty = gate.allow_empty ? undefined : emptyRun(output, exitCode);
  if (status === "exited" && exitCode === 0) {
    const judged = judgePatterns(gate, output);
    return empty !== undefined && judged.status === "passed" ? { status: "error", hint: empty } : judged;
  }
  return missing(gate, ending, output) ?? signalled(ending, output) ?? failed(empty);
}

/** What the sandbox itself says instead of running anything; it is the first thing that is printed then. */
function sandboxComplaint(exitCode: number | null, output: string): string | undefined {
  if (exitCode !== 1 && exitCode !== 125) return undefined;
  return /^(?:bwrap|mount|unshare): .{1,300}/.exec(output.trimStart())?.[0];
}

const failed = (empty: string | undefined): Outcome =>
  empty === undefined ? { status: "failed" } : { status: "error", hint: empty };

/** A tool of the gate's own command, or of a script it runs: neither is the producer's to fix. */
function missing(gate: Gate, { status, exitCode }: Ending, output: string): Outcome | undefined {
  const own = missingTool(gate.command, output);
  if (own !== undefined || status === "not-found") {
    const tool = own ?? wordsOf(gate.command)[0] ?? gate.command;
    const hint = `${tool} is not installed. ${installHint(gate, tool)}`;
    return { status: "error", hint, missing: clip(tool, 200) };
  }
  const inner = innerTool(exitCode, output);
  if (inner === undefined) return undefined;
  const how = gate.install ?? `Check with: command -v ${inner}`;
  const hint = `${inner} is not installed; a script of the project that ${gate.name} runs needs it. ${how}`;
  return { status: "error", hint: `${hint}, or let \`setup\` do it`, missing: clip(inner, 200) };
}

/** Killed from outside it has judged nothing; a crash of its own is a failure with a name. */
function signalled({ exitCode, signal }: Ending, output: string): Outcome | undefined {
  const name = endedBy(exitCode, signal, output);
  if (name === undefined) return undefined;
  return { status: isKilled(name) ? "error" : "failed", hint: signalSentence(name), signal: name };
}
