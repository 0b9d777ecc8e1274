// Budgets. Reaching one is never success: it is a question to a human.
import type { State } from "../model/state.ts";

/** How often a refused handoff or a void gate run is tried again before a human is asked. */
export const maxRefusals = 2;
/** How often a notice is put into a pane before a human is told that nobody reads it. */
export const maxDeliveries = 2;
export const maxWorkspaceFailures = 3;

export function roundLimit(state: Pick<State, "program" | "extraRounds">): number {
  return state.program.loop.max_rounds + state.extraRounds;
}

export function roundsSpent(state: Pick<State, "program" | "extraRounds" | "round">): boolean {
  return state.round >= roundLimit(state);
}
