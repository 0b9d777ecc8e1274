// What a gate's run means: passed, failed, out of time, or not able to run. A tool that is missing is never a pass.
import type { Gate, GateResult } from "../model/gate.ts";
import { missingTool, wordsOf } from "./missing-tool.ts";
import { judgePatterns } from "./patterns.ts";

/** How a command ended. */
export interface Ending {
  readonly status: "exited" | "timeout" | "not-found" | "aborted";
  readonly exitCode: number | null;
}

export type Outcome = Pick<GateResult, "status" | "hint" | "coverage" | "threshold">;

/** The outcome of a run by its end and its output; coverage is judged apart, once it passed. */
export function outcomeOf(gate: Gate, { status, exitCode }: Ending, output: string): Outcome {
  if (status === "timeout") return { status, hint: `it did not end within ${gate.timeout_seconds} seconds` };
  if (status === "aborted") return { status: "error", hint: "it was ended before its time" };
  if (status === "exited" && exitCode === 0) return judgePatterns(gate, output);
  const missing = exitCode === 0 ? undefined : missingTool(gate.command, output);
  if (missing !== undefined || status === "not-found")
    return { status: "error", hint: notInstalled(gate, missing ?? wordsOf(gate.command)[0] ?? gate.command) };
  return { status: "failed" };
}

function notInstalled({ install }: Gate, tool: string): string {
  return `${tool} is not installed. ${install ?? `Check with: command -v ${tool}`}`;
}
