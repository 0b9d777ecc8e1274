// Putting the scripted agent together: its script, its surroundings, and the verbs it speaks.
import { runScript } from "../../adapters/agent/scripted/runner.ts";
import { createNodeProcesses } from "../../adapters/process/node.ts";
import type { ExecResult } from "../../ports/system/process.ts";
import { getSelfCommand } from "../host/package-root.ts";

export interface ScriptedTurn {
  readonly script: string;
  readonly session?: string;
  readonly notice?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  say(line: string): void;
  /** Runs one of the agent verbs in this process; undefined where the words are no agent verb. */
  speak(words: readonly string[]): Promise<ExecResult> | undefined;
}

/** Runs one turn of a script in this process and returns its exit code. */
export function runScriptedAgent(turn: ScriptedTurn): Promise<number> {
  const { script, session = "", notice, cwd, say } = turn;
  const env = Object.fromEntries(
    Object.entries(turn.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const processes = createNodeProcesses();
  return runScript({
    script,
    session,
    ...(notice ? { notice } : {}),
    processes,
    cwd,
    env,
    say,
    callVerb: (words, options) =>
      turn.speak(words) ?? processes.exec([...getSelfCommand(), ...words], options),
  });
}
