// The evidence that the reviews of a bubble rest on, looked up once more in the tree that would be committed.
import type { State } from "../../core/model/state.ts";
import { claimIn, type EvidenceItem, evidenceOf } from "../../core/views/review-evidence.ts";
import { countedReviews } from "../../core/views/review-trail.ts";
import { reviewFacts } from "../../engine/facts/facts.ts";
import { readReviewTrail } from "../../engine/views/review-views.ts";
import type { RecordWorld } from "../../engine/world/world.ts";

export interface BubbleEvidence {
  readonly bubble: string;
  /** The tree that would be committed; "" while nothing was handed over. */
  readonly tree: string;
  readonly evidence: readonly EvidenceItem[];
}

export async function reviewEvidence(world: RecordWorld, bubble: string): Promise<BubbleEvidence> {
  const trail = await readReviewTrail(world, bubble);
  const evidence: EvidenceItem[] = [];
  const { state } = trail;
  for (const review of state ? countedReviews(trail) : [])
    evidence.push(...evidenceOf(review, await reviewFacts(world, resting(state as State), claimIn(review))));
  return { bubble, tree: state?.tree?.id ?? "", evidence };
}

/** The state as nobody has the turn in it: what is looked up is the tree to be committed. */
function resting(state: State): State {
  const { turn: _turn, ...rest } = state;
  return rest;
}
