// Where a bubble is in its workflow: the step, the task it belongs to, and the loop that holds there. Workflows without
// tasks have one loop for all their steps.
import type { Loop, ProgramTask, Step } from "../model/program.ts";
import type { Iteration, TaskProgress } from "../model/run.ts";
import type { State } from "../model/state.ts";
import type { Dialect } from "../model/verdict.ts";

type Somewhere = Pick<State, "program" | "position">;

export function stepNamed({ program }: Pick<State, "program">, name: string | null): Step | undefined {
  return program.steps.find((step) => step.name === name);
}

export function currentStep(state: Somewhere): Step | undefined {
  return stepNamed(state, state.position.step);
}

export function taskNamed(
  { program }: Pick<State, "program">,
  key: string | undefined,
): ProgramTask | undefined {
  if (key === undefined) return undefined;
  return [...(program.tasks ?? []), ...(program.phases ?? [])].find((task) => task.key === key);
}

/** The task or phase of the workflow that is worked on; undefined in workflows without any. */
export function currentTask(state: Somewhere): ProgramTask | undefined {
  return taskNamed(state, currentStep(state)?.task);
}

export function progressOf(state: State): TaskProgress | undefined {
  const task = currentTask(state);
  return task && state.tasks?.[task.key];
}

/** The rounds so far of the task that is worked on, or of a run without tasks. */
export function historyOf(state: State): readonly Iteration[] {
  return progressOf(state)?.history ?? state.history ?? [];
}

export function loopOf(state: Somewhere): Loop {
  return currentTask(state)?.loop ?? state.program.loop;
}

/** Does this role judge what others made? A judge that scores is no critic of the loop. */
export function isCritic(state: Somewhere, role: string): boolean {
  return role === loopOf(state).critic;
}

/** A role that hands over changed files. */
export function isProducer(state: Somewhere, role: string): boolean {
  return role === loopOf(state).producer;
}

/** How a review is said here. */
export function dialectOf(state: Somewhere & Pick<State, "config">): Dialect {
  return loopOf(state).dialect ?? state.config.review.dialect;
}

/** The round within the task: rounds are counted on through the whole bubble. */
export function iterationOf(state: State): number {
  return state.round - (progressOf(state)?.firstRound ?? 1) + 1;
}

/** What the task is called on files and in views. */
export function taskKeyOf(state: State): string {
  return currentTask(state)?.key ?? state.bubbleId;
}
