// pairflow review log: what each review decided, in order, and the final decision.
import { locateBubble } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { suggestWord } from "../../../core/text/nearest.ts";
import {
  buildTaskReviewLog,
  buildReviewLog as logOf,
  selectTaskTrail,
} from "../../../core/views/review/log.ts";
import type { Trail } from "../../../core/views/review/trail.ts";
import { loadGood } from "../../../engine/front/command.ts";
import { readReviewTrail } from "../../../engine/front/views.ts";
import { sayTrouble } from "../../render/bubble/trouble.ts";
import { renderReviewLog } from "../../render/review/log.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const reviewLog = defineVerb({
  words: "review log",
  about:
    "Show every review of a bubble, refused ones too, and the final decision; --json: those that counted",
  access: "read",
  example: "pairflow review log --id fix-cart",
  flags: {
    ...bubbleFlags,
    task: { kind: "text", value: "<task>", about: "only the reviews of this task of the workflow" },
  },
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const trail = await readReviewTrail(world, bubble);
    sayTrouble(shell, bubble, (await loadGood(world, bubble)).trouble);
    const look = buildLook(shell, world.clock.now());
    const { task } = flags;
    if (task === undefined) return { text: renderReviewLog(bubble, trail, look), json: logOf(bubble, trail) };
    checkTask(task, trail);
    return {
      text: renderReviewLog(task, selectTaskTrail(task, trail), look),
      json: buildTaskReviewLog(task, trail),
    };
  },
});

function checkTask(task: string, { state }: Trail): void {
  const keys = (state?.program.tasks ?? []).map(({ key }) => key);
  if (keys.includes(task)) return;
  throw buildUsageError(
    "usage.unknown-task",
    keys.length > 0
      ? `the workflow has no task ${JSON.stringify(task)}${suggestWord(task, keys)}`
      : `the workflow of this bubble has no tasks, so none is called ${JSON.stringify(task)}`,
    "pairflow review log, without --task",
  );
}
