// The bundle every agent turn loads: the three agent verbs, the hooks of its session, and nothing else.
import { askHuman } from "../commands/agent/ask-human.ts";
import { converged } from "../commands/agent/converged.ts";
import { hook } from "../commands/agent/hook.ts";
import { pass } from "../commands/agent/pass.ts";
import { runLine } from "../verb/run.ts";

export const agentVerbs = [pass, askHuman, converged];

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(how.name === "orchestra" ? agentVerbs : [...agentVerbs, hook], argv, how.name);
}
