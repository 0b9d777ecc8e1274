// Whether a turn goes on in an agent's earlier session. Producers remember; critics start fresh, unless the bubble
// is configured otherwise. A second attempt of one turn always goes on where the first broke off.
import type { StepOf } from "../model/program.ts";
import type { State, Turn } from "../model/state.ts";
import { isCritic } from "./place.ts";

export interface SessionChoice {
  /** The session to resume, or undefined: a new one. */
  readonly resume?: string;
}

export function sessionFor(state: State, turn: Turn, step: StepOf<"turn">): SessionChoice {
  if (turn.startFresh) return {};
  if (turn.attempt > 0 && turn.session) return { resume: turn.session };
  const fresh =
    step.session === "fresh" &&
    !(isCritic(state, turn.role) && state.config.reviewer_context_mode === "persistent");
  const known = state.sessions[`${turn.agent}/${turn.role}`];
  return fresh || !known ? {} : { resume: known };
}
