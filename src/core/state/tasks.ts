// The tasks or phases of a workflow in their order, each with its status.

import type { ProgramTask } from "../model/program.ts";
import type { EnvelopeOf } from "../model/record/envelope.ts";
import type { TaskProgress } from "../model/run.ts";
import type { State } from "../model/state.ts";
import { getCurrentTask, getIteration } from "./workflow-position.ts";

export interface RunTask {
  readonly key: string;
  readonly title: string | null;
  readonly status: TaskProgress["status"] | "waiting";
  readonly flag?: string;
  readonly iterations: number;
  readonly depends_on: readonly string[];
}

/** Every task or phase of the workflow in its order, with its result. */
export function runTasks(state: State): RunTask[] {
  const all = [...(state.program.tasks ?? []), ...listComingPhases(state)];
  return all.flatMap(({ key, title, joins, depends_on }) => {
    const progress = state.tasks?.[key];
    // Made by the loader to judge what parallel tasks made: nobody has written it, and it may never be needed.
    if (joins && !progress) return [];
    return [
      {
        key,
        title: title ?? null,
        status: getLeftStatus(state, key) ?? progress?.status ?? ("waiting" as const),
        ...(progress?.flag ? { flag: progress.flag } : {}),
        iterations: getIterations(state, key, progress),
        depends_on,
      },
    ];
  });
}

/** The phases that have begun, and those that are still to come: what lies behind and was not needed is left out. */
export function listComingPhases({ program, tasks, position }: State): ProgramTask[] {
  const place = (name: string | null) => program.steps.findIndex((step) => step.name === name);
  const here = place(position.step);
  return (program.phases ?? []).filter(({ key, first }) => tasks?.[key] || place(first) > here);
}

/** A phase that the run has left is over, whatever comes behind it: completed, or accepted by a human. */
function getLeftStatus(state: State, key: string): "completed" | "accepted" | undefined {
  const isPhase = state.program.phases?.some((phase) => phase.key === key) ?? false;
  const known = state.tasks?.[key];
  if (!isPhase || known?.status !== "running" || getCurrentTask(state)?.key === key) return undefined;
  return known.accepted ? "accepted" : "completed";
}

function getIterations(state: State, key: string, progress: TaskProgress | undefined): number {
  if (!progress) return 0;
  if (getCurrentTask(state)?.key === key && progress.status === "running") return getIteration(state);
  return progress.iterations ?? progress.history.at(-1)?.iteration ?? 0;
}

/** How a task ended, as people say it. */
export const taskEnds: Readonly<Record<EnvelopeOf<"TASK_ENDED">["payload"]["status"], string>> = {
  completed: "completed",
  accepted: "accepted by a human",
  exceeded: "out of rounds, not completed",
  skipped: "skipped",
};
