// pairflow review log: what each review decided, in order, and the final decision.
import { locate } from "../../app/locate.ts";
import { recordWorld } from "../../app/record-world.ts";
import { reviewLog as logOf } from "../../core/views/review-log.ts";
import { readReviewTrail } from "../../engine/review-views.ts";
import { renderReviewLog } from "../render/review-log.ts";
import { lookOf } from "../render/style.ts";
import { bubbleFlags } from "../spoken-flags.ts";
import { verb } from "../verb.ts";

export const reviewLog = verb({
  words: "review log",
  about:
    "Show every review of a bubble, refused ones too, and the final decision; --json: those that counted",
  access: "read",
  example: "pairflow review log --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const { repo, bubble } = locate(flags, shell.cwd, shell.env);
    const world = recordWorld(repo);
    const trail = await readReviewTrail(world, bubble);
    return {
      text: renderReviewLog(bubble, trail, lookOf(shell, world.clock.now())),
      json: logOf(bubble, trail),
    };
  },
});
