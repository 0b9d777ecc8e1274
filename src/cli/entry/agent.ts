// The bundle every agent turn loads: the three agent verbs, the hooks of its session, and nothing else.
import { askHuman } from "../commands/ask-human.ts";
import { converged } from "../commands/converged.ts";
import { hook } from "../commands/hook.ts";
import { pass } from "../commands/pass.ts";
import { runLine } from "../run.ts";

export const agentVerbs = [pass, askHuman, converged];

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(how.name === "orchestra" ? agentVerbs : [...agentVerbs, hook], argv, how.name);
}
