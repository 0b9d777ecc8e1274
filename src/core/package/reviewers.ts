// Who has passed the tree that is signed, and whether anybody was to judge a task at all.
import type { State } from "../model/state.ts";
import { findTask } from "../state/workflow-position.ts";

/** The agents whose clean review is about exactly the current tree. */
export function listCurrentPassers({ reviews, tree }: Pick<State, "reviews" | "tree">): string[] {
  const clean = reviews.filter((review) => review.clean && review.tree === tree?.id);
  return [...new Set(clean.map(({ agent }) => agent))];
}

export function hasCritic(state: State, key: string): boolean {
  return (findTask(state, key)?.loop ?? state.program.loop).critic !== undefined;
}
