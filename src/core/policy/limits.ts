// Budgets. Reaching one is never success: it is a question to a human, or the end of a task that is not completed.
import type { State } from "../model/state.ts";
import { iterationOf, loopOf } from "./place.ts";

/** How often a refused handoff or a void gate run is tried again before a human is asked. */
export const maxRefusals = 2;
/** How often a notice is put into a pane before a human is told that nobody reads it. */
export const maxDeliveries = 2;
export const maxWorkspaceFailures = 3;
/** Children of children may have children of their own only if a human says so. */
export const maxDepth = 2;

export function roundLimit(state: State): number {
  return loopOf(state).max_rounds + state.extraRounds;
}

export function roundsSpent(state: State): boolean {
  return iterationOf(state) >= roundLimit(state);
}
