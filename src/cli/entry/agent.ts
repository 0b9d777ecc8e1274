// The bundle every agent turn loads: the three agent verbs, the hooks of its session, and nothing else.
import { hook } from "../commands/agent/hook.ts";
import { agentVerbs } from "../commands/agent/verbs.ts";
import { runLine } from "../verb/run.ts";

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(how.name === "orchestra" ? agentVerbs : [...agentVerbs, hook], argv, how);
}
