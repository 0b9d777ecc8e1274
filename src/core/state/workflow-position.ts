// Where a bubble is in its workflow: the step, the task it belongs to, and the loop that holds there. Workflows without
// tasks have one loop for all their steps.
import type { Loop, ProgramTask, Step } from "../model/program.ts";
import type { Dialect } from "../model/review/verdict.ts";
import type { Iteration, TaskProgress } from "../model/run.ts";
import type { State } from "../model/state.ts";

type Somewhere = Pick<State, "program" | "position">;

export function findStep({ program }: Pick<State, "program">, name: string | null): Step | undefined {
  return program.steps.find((step) => step.name === name);
}

export function getCurrentStep(state: Somewhere): Step | undefined {
  return findStep(state, state.position.step);
}

export function findTask(
  { program }: Pick<State, "program">,
  key: string | undefined,
): ProgramTask | undefined {
  if (key === undefined) return undefined;
  return [...(program.tasks ?? []), ...(program.phases ?? [])].find((task) => task.key === key);
}

/** The task or phase of the workflow that is worked on; undefined in workflows without any. */
export function getCurrentTask(state: Somewhere): ProgramTask | undefined {
  return findTask(state, getCurrentStep(state)?.task);
}

export function getTaskProgress(state: State): TaskProgress | undefined {
  const task = getCurrentTask(state);
  return task && state.tasks?.[task.key];
}

/** The rounds so far of the task that is worked on, or of a run without tasks. */
export function getHistory(state: State): readonly Iteration[] {
  return getTaskProgress(state)?.history ?? state.history ?? [];
}

export function getLoop(state: Somewhere): Loop {
  return getCurrentTask(state)?.loop ?? state.program.loop;
}

/** Does this role judge what others made? A judge that scores is no critic of the loop. */
export function isCritic(state: Somewhere, role: string): boolean {
  return role === getLoop(state).critic;
}

/** A role that hands over changed files. */
export function isProducer(state: Somewhere, role: string): boolean {
  return role === getLoop(state).producer;
}

/** How a review is said here. */
export function getDialect(state: Somewhere & Pick<State, "config">): Dialect {
  return getLoop(state).dialect ?? state.config.review.dialect;
}

/** The round within the task: rounds are counted on through the whole bubble. */
export function getIteration(state: State): number {
  return state.round - (getTaskProgress(state)?.firstRound ?? 1) + 1;
}

/** What the task is called on files and in views. */
export function getTaskKey(state: State): string {
  return getCurrentTask(state)?.key ?? state.bubbleId;
}
