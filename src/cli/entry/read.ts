// The bundle of the two commands people and status bars call all the time: nothing that parses YAML or TOML, and
// nothing that starts a program.
import { bubbleList } from "../commands/bubble-list.ts";
import { bubbleStatus } from "../commands/bubble-status.ts";
import { runLine } from "../run.ts";

const readVerbs = [bubbleStatus, bubbleList];

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(readVerbs, argv, how.name);
}
