// Budgets. Reaching one is never success: it is a question to a human, or the end of a task that is not completed.
import type { State } from "../model/state.ts";
import { factsOf } from "../workflow/facts.ts";
import { fillText } from "../workflow/template.ts";
import { iterationOf, loopOf, progressOf } from "./place.ts";

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

/** Where critics go on after an objection, what is counted is how often all of them had to begin again. */
export function roundsSpent(state: State): boolean {
  if (loopOf(state).chain_order !== "go_on") return iterationOf(state) >= roundLimit(state);
  return (progressOf(state)?.chain?.restarts ?? 0) >= roundLimit(state) || attemptsSpent(state);
}

/** The producer has had all its turns in a row, and still there is nothing to review. */
export function attemptsSpent(state: State): boolean {
  const limit = attemptLimit(state);
  return limit !== undefined && (progressOf(state)?.attempts ?? 0) >= limit + state.extraRounds;
}

export function attemptLimit(state: State): number | undefined {
  const { max_attempts: written } = loopOf(state);
  if (typeof written !== "string") return written;
  const filled = Number(fillText(written, factsOf(state)).text);
  return Number.isInteger(filled) && filled > 0 ? filled : 1;
}
