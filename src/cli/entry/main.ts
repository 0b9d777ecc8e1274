// The bundle with every command.
import { runLine } from "../run.ts";
import { verbs } from "../verbs.ts";

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(verbs, argv.length === 0 ? ["home"] : argv, how.name);
}
