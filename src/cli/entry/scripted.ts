// The bundle of the scripted agent, started anew for every turn of a demo, a dry run or a test: its verb, with those that
// it says in its own process.
import { scriptedAgent } from "../commands/agent/scripted-agent.ts";
import { runLine } from "../verb/run.ts";

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine([scriptedAgent], argv, how);
}
