// The side of a turn: it produces work, writes a paper, reviews what was made, or scores it.
import type { Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import { findStep, isCritic } from "../state/workflow-position.ts";

export type BriefedSide = "producer" | "author" | "critic" | "judge";

export function findBriefedSide(
  state: State,
  { step: name, role }: Pick<Turn, "step" | "role">,
): BriefedSide {
  const step = findStep(state, name);
  const answer = step?.kind === "turn" ? step.answer : undefined;
  if (answer === "score") return "judge";
  if (answer === "paper") return "author";
  return answer === "findings" || isCritic(state, role) ? "critic" : "producer";
}

/** Sides that make what others judge: what only critics may know is kept from both. */
export const isMakerSide = (side: BriefedSide): boolean => side === "producer" || side === "author";
