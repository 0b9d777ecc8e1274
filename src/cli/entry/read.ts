// The bundle of what people and status bars ask all the time: nothing that parses YAML or TOML, and nothing that
// starts a program.
import { bubbleInbox } from "../commands/bubble/bubble-inbox.ts";
import { bubbleList } from "../commands/bubble/bubble-list.ts";
import { bubbleStatus } from "../commands/bubble/bubble-status.ts";
import { explain } from "../commands/look/explain.ts";
import { inbox } from "../commands/look/inbox.ts";
import { log } from "../commands/look/log.ts";
import { verify } from "../commands/look/verify.ts";
import { pipelineStatusVerb } from "../commands/pipeline/pipeline-status.ts";
import { reviewLog } from "../commands/review/review-log.ts";
import { runLine } from "../verb/run.ts";

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
