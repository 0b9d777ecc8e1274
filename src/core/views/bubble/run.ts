// How far a run of a workflow is, as values: its tasks, who plays which role in the current one, what is waited for,
// what is locked, what the score is, and what happens when the time is up.
import { listDueEffects } from "../../bubble/due.ts";
import { getRoundLimit } from "../../limits/rounds.ts";
import type { Iteration } from "../../model/run.ts";
import type { State } from "../../model/state.ts";
import { formatTime } from "../../model/value/time.ts";
import { lockViews } from "../../state/locks.ts";
import { runTasks } from "../../state/tasks.ts";
import {
  findTask,
  getCurrentTask,
  getIteration,
  getLoop,
  getTaskProgress,
} from "../../state/workflow-position.ts";

/** The last round there is room for, counted like `state.round` through the whole bubble. */
export function getLastRound(state: State): number {
  // Between and behind tasks and phases no rounds are left to be spent.
  if ((state.program.tasks ?? state.program.phases) && !getCurrentTask(state)) return state.round;
  return getRoundLimit(state) + state.round - getIteration(state);
}

export function runView(state: State) {
  return {
    workflow: {
      id: state.program.id,
      task: getCurrentTask(state)?.key ?? null,
      iteration: getIteration(state),
      max_iterations: getRoundLimit(state),
      roles: listRolesView(state),
      tasks: runTasks(state),
      result: state.result ?? null,
    },
    waiting_on: listAwaitedChildren(state),
    parts: listPartViews(state),
    locks: lockViews(state),
    confidence: buildConfidenceView(state),
    timers: listTimerViews(state),
  };
}

/** Parts that are over and put together, with the bubble that did each. */
function listPartViews({ parts = {} }: State) {
  return Object.entries(parts).map(([key, { status, bubble }]) => ({ key, status, bubble: bubble || null }));
}

/** Who plays which role of the loop now. */
function listRolesView(state: State): { readonly role: string; readonly agent: string }[] {
  const task = getCurrentTask(state);
  if (!task) return [];
  const { producer, critic } = getLoop(state);
  return [producer, ...(critic === undefined ? [] : [critic])].map((role) => ({
    role,
    agent: state.roles[role] ?? task.roles[role] ?? "",
  }));
}

/** The children a parent has nothing to do without. */
export function listAwaitedChildren({ children, position }: State) {
  if (!children || children.joined || children.step !== position.step) return [];
  return children.each.map(({ child, bubble, report }) => ({
    key: child.key,
    bubble: bubble ?? null,
    status: report?.status ?? (bubble === undefined ? ("waiting" as const) : ("running" as const)),
  }));
}

/** The score of the current tree; of another tree it says nothing. */
function buildConfidenceView(state: State) {
  const task = getCurrentTask(state);
  const known = getTaskProgress(state)?.confidence;
  if (!task || !known || known.tree !== state.tree?.id) return null;
  const threshold = task.confidence?.threshold ?? null;
  return { task: task.key, score: known.score, threshold, met: known.met, advisory: true as const };
}

function listTimerViews(state: State) {
  return listDueEffects(state).flatMap((effect) =>
    effect.kind === "clock" ? [{ what: effect.what, until: formatTime(effect.at) }] : [],
  );
}

/** The rounds of the task or run whose question is asked, so that nobody must look them up to answer it. */
export function listRounds(state: State, key: string | undefined): readonly Iteration[] {
  if (key === undefined) return state.history ?? [];
  return findTask(state, key)?.overlay ? (state.tasks?.[key]?.history ?? []) : [];
}

/** The bubble that continues the work of this one, if it was routed there. */
export const getRoutedBubble = ({ result }: State): string | undefined =>
  result?.result === "routed" ? result.to : undefined;
