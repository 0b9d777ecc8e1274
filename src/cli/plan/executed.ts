// A plan whose run is done: what it made waits on a branch, and nobody has to execute it again.
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";

/** `others`: what else may be done with it. */
export const refuseExecuted = (
  slug: string,
  { bubbleId, config }: State,
  others: readonly string[],
): Refusal =>
  refuse(
    "plan.executed",
    `the plan ${slug} was executed: ${bubbleId} is done, its commit is on ${config.bubble_branch}`,
    `git merge ${config.bubble_branch}`,
    others,
  );
