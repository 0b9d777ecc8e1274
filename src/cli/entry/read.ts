// The bundle of what people and status bars ask all the time: nothing that parses YAML or TOML, and nothing that
// starts a program.
import { bubbleInbox } from "../commands/bubble-inbox.ts";
import { bubbleList } from "../commands/bubble-list.ts";
import { bubbleStatus } from "../commands/bubble-status.ts";
import { explain } from "../commands/explain.ts";
import { inbox } from "../commands/inbox.ts";
import { log } from "../commands/log.ts";
import { pipelineStatusVerb } from "../commands/pipeline-status.ts";
import { reviewLog } from "../commands/review-log.ts";
import { verify } from "../commands/verify.ts";
import { runLine } from "../run.ts";

/** The declarations of all verbs, those of the other bundles too; put in by the build. */
declare const __PAIRFLOW_VERBS__: string;

const readVerbs = [
  bubbleStatus,
  bubbleList,
  bubbleInbox,
  inbox,
  log,
  explain,
  reviewLog,
  pipelineStatusVerb,
  verify,
];

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(readVerbs, argv, how.name, () => JSON.parse(__PAIRFLOW_VERBS__));
}
