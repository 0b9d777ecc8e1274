// Why a maker has the turn where the step before it only noted something or took a branch: then the reason is what led there,
// a review that rejected the tree, or gates that are red on it.

import { findValidGateEvidence, listRedGates } from "../judge/convergence.ts";
import type { Step } from "../model/program.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";

const longestWords = 300;

/** The reason for entering `to`: `why`, unless the step that is left says nothing of its own about the work. */
export function chooseTurnReason(state: State, from: Step | undefined, to: Step, why: string): string {
  const makes = to.kind === "turn" && (to.answer === "handoff" || to.answer === "paper");
  return makes && isMute(from) ? (findRejection(state) ?? describeRedGates(state) ?? why) : why;
}

/** An event is for others, and a branch without words of its own is a way through the workflow. */
const isMute = (step: Step | undefined): boolean =>
  step?.kind === "emit" || (step?.kind === "branch" && step.say === undefined);

/** The newest word about this tree, where it rejects. */
function findRejection(state: State): string | undefined {
  const { lastReview: review, tree } = state;
  const isOlder =
    (review?.seq ?? 0) < (findValidGateEvidence(state)?.seq ?? 0) && listRedGates(state).length > 0;
  if (!review || review.approved || review.tree !== tree?.id || isOlder) return undefined;
  const word = review.opinion?.route_word ?? review.opinion?.route;
  const [first = ""] = review.feedback.trim().split(/\r?\n/);
  return `${review.agent} rejected it${word ? ` (${word})` : ""}${first ? `: ${clip(first, longestWords)}` : ""}`;
}

function describeRedGates(state: State): string | undefined {
  const red = findValidGateEvidence(state) ? listRedGates(state) : [];
  return red.length > 0 ? `red on this tree: ${red.join(", ")}` : undefined;
}
