// pairflow review log: what each review decided, in order, and the final decision.
import { locate } from "../../../app/host/locate.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { nearest } from "../../../core/text/nearest.ts";
import { reviewLog as logOf, taskReviewLog, trailOfTask } from "../../../core/views/review-log.ts";
import type { Trail } from "../../../core/views/review-trail.ts";
import { loadGood } from "../../../engine/handle/handle.ts";
import { readReviewTrail } from "../../../engine/views/review-views.ts";
import { renderReviewLog } from "../../render/review-log.ts";
import { sayTrouble } from "../../render/trouble.ts";
import { lookOf } from "../../terminal/style.ts";
import { usage } from "../../verb/outcome.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const reviewLog = verb({
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
    const { repo, bubble } = locate(flags, shell.cwd, shell.env);
    const world = recordWorld(repo);
    const trail = await readReviewTrail(world, bubble);
    sayTrouble(shell, bubble, (await loadGood(world, bubble)).trouble);
    const look = lookOf(shell, world.clock.now());
    const { task } = flags;
    if (task === undefined) return { text: renderReviewLog(bubble, trail, look), json: logOf(bubble, trail) };
    checkTask(task, trail);
    return { text: renderReviewLog(task, trailOfTask(task, trail), look), json: taskReviewLog(task, trail) };
  },
});

function checkTask(task: string, { state }: Trail): void {
  const keys = (state?.program.tasks ?? []).map(({ key }) => key);
  if (keys.includes(task)) return;
  throw usage(
    "usage.unknown-task",
    keys.length > 0
      ? `the workflow has no task ${JSON.stringify(task)}${nearest(task, keys)}`
      : `the workflow of this bubble has no tasks, so none is called ${JSON.stringify(task)}`,
    "pairflow review log, without --task",
  );
}
