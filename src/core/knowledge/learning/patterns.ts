// What the critics of a bubble noticed, as far as it counts: patterns of reviews that approved and still stand on the tree
// that a human has signed.

import type { State } from "../../model/state.ts";
import { clip } from "../../model/value/sizes.ts";
import type { NoticedPattern } from "../learning.ts";

type Ended = Pick<
  State,
  "bubbleId" | "parent" | "lifecycle" | "tree" | "reviews" | "lastAt" | "approval" | "commit"
>;

/** Work that a human has signed and that was committed. */
export function isCommitted({ lifecycle, commit, approval }: Ended): boolean {
  return lifecycle === "DONE" && commit !== undefined && approval?.decision === "approve";
}

/** Every pattern of the approving reviews of the final tree, in the order they came in. */
export function collectNoticedPatterns({ bubbleId, parent, tree, reviews, lastAt }: Ended): NoticedPattern[] {
  const standing = reviews.filter(
    (review) =>
      review.clean &&
      review.tree === tree?.id &&
      // An unsure critic's word counts as far as a human has trusted it.
      (review.unsure === undefined || review.trusted === true),
  );
  return standing.flatMap(({ agent, tree: judged, patterns = [] }) =>
    patterns.map((pattern) => ({
      bubble: bubbleId,
      ...(parent ? { parent: parent.bubble } : {}),
      agent: clip(agent, 200),
      tree: judged,
      at: lastAt,
      pattern,
    })),
  );
}
