// On which side of the work a turn stands: it makes something, reviews it, or scores it.
import type { State, Turn } from "../model/state.ts";
import { isCritic, stepNamed } from "../policy/place.ts";

export type BriefedSide = "producer" | "critic" | "judge";

export function sideOf(state: State, { step: name, role }: Pick<Turn, "step" | "role">): BriefedSide {
  const step = stepNamed(state, name);
  const answer = step?.kind === "turn" ? step.answer : undefined;
  if (answer === "score") return "judge";
  return answer === "findings" || isCritic(state, role) ? "critic" : "producer";
}
