// On which side of the work a turn stands: it makes something, writes a paper, reviews what was made, or scores it.
import type { State, Turn } from "../model/state.ts";
import { isCritic, stepNamed } from "../state/place.ts";

export type BriefedSide = "producer" | "author" | "critic" | "judge";

export function sideOf(state: State, { step: name, role }: Pick<Turn, "step" | "role">): BriefedSide {
  const step = stepNamed(state, name);
  const answer = step?.kind === "turn" ? step.answer : undefined;
  if (answer === "score") return "judge";
  if (answer === "paper") return "author";
  return answer === "findings" || isCritic(state, role) ? "critic" : "producer";
}

/** Sides that make what others judge: what only critics may know is kept from both. */
export const makes = (side: BriefedSide): boolean => side === "producer" || side === "author";
