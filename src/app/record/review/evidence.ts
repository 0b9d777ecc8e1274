// The evidence that the reviews of a bubble rest on, looked up once more in the tree that would be committed.
import type { State } from "../../../core/model/state.ts";
import {
  buildClaimOfReview,
  type EvidenceItem,
  listReviewEvidence,
} from "../../../core/views/review/evidence.ts";
import { listCountedReviews } from "../../../core/views/review/trail.ts";
import { buildReviewFacts } from "../../../engine/front/facts.ts";
import { readReviewTrail } from "../../../engine/front/views.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";

export interface BubbleEvidence {
  readonly bubble: string;
  /** The tree that would be committed; "" while nothing was handed over. */
  readonly tree: string;
  readonly evidence: readonly EvidenceItem[];
}

export async function buildReviewEvidence(world: RecordWorld, bubble: string): Promise<BubbleEvidence> {
  const trail = await readReviewTrail(world, bubble);
  const evidence: EvidenceItem[] = [];
  const { state } = trail;
  for (const review of state ? listCountedReviews(trail) : [])
    evidence.push(
      ...listReviewEvidence(
        review,
        await buildReviewFacts(world, dropTurn(state as State), buildClaimOfReview(review)),
      ),
    );
  return { bubble, tree: state?.tree?.id ?? "", evidence };
}

/** The state as nobody has the turn in it: what is looked up is the tree to be committed. */
function dropTurn(state: State): State {
  const { turn: _turn, ...rest } = state;
  return rest;
}
