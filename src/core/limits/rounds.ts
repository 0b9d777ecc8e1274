// Budgets. Reaching one is never success: it is a question to a human, or the end of a task that is not completed.

import { buildFacts } from "../judge/facts.ts";
import type { State } from "../model/state.ts";
import { getCurrentTask, getIteration, getLoop, getTaskProgress } from "../state/workflow-position.ts";
import { fillText } from "../workflow/template.ts";

/** How often a refused handoff or a void gate run is tried again before a human is asked. */
export const maxRefusals = 2;
/** How often a notice is put into a pane before a human is told that nobody reads it. */
export const maxDeliveries = 2;
export const maxWorkspaceFailures = 3;
/** Children of children may have children of their own only if a human says so. */
export const maxDepth = 2;

export function getRoundLimit(state: State): number {
  return getLoop(state).max_rounds + state.extraRounds;
}

export function areRoundsSpent(state: State): boolean {
  return isContinuing(state)
    ? hasSpentRestarts(state) || areAttemptsSpent(state)
    : getIteration(state) >= getRoundLimit(state);
}

const isContinuing = (state: State): boolean => getLoop(state).chain_order === "go_on";

/** Where critics continue after an objection, what is counted is how often all of them had to begin again. */
const hasSpentRestarts = (state: State): boolean =>
  (getTaskProgress(state)?.chain?.restarts ?? 0) >= getRoundLimit(state);

/** The producer has had all its turns in a row, and still there is nothing to review. */
export function areAttemptsSpent(state: State): boolean {
  const limit = getAttemptLimit(state);
  return limit !== undefined && (getTaskProgress(state)?.attempts ?? 0) >= limit;
}

/** The turns that the producer has in a row, with those that a human has granted on top. */
export function getAttemptLimit(state: State): number | undefined {
  const own = getOwnAttempts(state);
  return own === undefined ? undefined : own + (getTaskProgress(state)?.extraAttempts ?? 0);
}

function getOwnAttempts(state: State): number | undefined {
  const { max_attempts: written } = getLoop(state);
  if (typeof written !== "string") return written;
  const filled = Number(fillText(written, buildFacts(state)).text);
  return Number.isInteger(filled) && filled > 0 ? filled : 1;
}

/** Which budget is used up, in words; where none is, as if it were that of the rounds. */
export function describeSpentLimit(state: State): string {
  if (areAttemptsSpent(state)) return `the producer has had ${countTurns(getAttemptLimit(state))}`;
  if (isContinuing(state)) return `the chain of reviewers has failed ${countTimes(getRoundLimit(state))}`;
  return `all ${state.program.tasks || state.program.phases ? "iterations" : `${state.round} rounds`} are used`;
}

const countTurns = (number = 0): string =>
  number === 1 ? "its only turn" : `all its ${number} turns in a row`;
const countTimes = (number: number): string => (number === 1 ? "once" : `${number} times`);

/** What a human grants goes to the budget that is used up: to the turns in a row, or to the rounds; to both if both are. */
export function grantRounds(state: State, number: number): Pick<State, "extraRounds"> & Partial<State> {
  const { extraRounds, tasks } = state;
  const key = getCurrentTask(state)?.key;
  const known = key === undefined ? undefined : tasks?.[key];
  if (number === 0 || key === undefined || !known || !areAttemptsSpent(state))
    return { extraRounds: extraRounds + number };
  const more = { ...known, extraAttempts: (known.extraAttempts ?? 0) + number };
  return {
    extraRounds: extraRounds + (hasSpentRestarts(state) ? number : 0),
    tasks: { ...tasks, [key]: more },
  };
}
