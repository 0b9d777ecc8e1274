// Putting the scripted agent together: its script, its surroundings, and our own command for the verbs.
import { runScript } from "../../adapters/agent/scripted/runner.ts";
import { createNodeProcesses } from "../../adapters/process/node.ts";
import { getSelfCommand } from "../host/package-root.ts";

/** Runs one turn of a script in this process and returns its exit code. */
export function runScriptedAgent(flags: {
  script: string;
  session?: string;
  notice?: string;
}): Promise<number> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return runScript({
    script: flags.script,
    session: flags.session ?? "",
    ...(flags.notice ? { notice: flags.notice } : {}),
    command: getSelfCommand(),
    processes: createNodeProcesses(),
    cwd: process.cwd(),
    env,
    say: (line) => void process.stdout.write(`${line}\n`),
  });
}
