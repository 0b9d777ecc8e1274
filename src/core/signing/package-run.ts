// What a person who signs should know of the run of a workflow: the result of each task, what is locked, and the scores, which
// decide nothing.
import type { PayloadOf } from "../model/record/envelope.ts";
import type { State } from "../model/state.ts";
import { lockViews } from "../state/locks.ts";
import { type RunTask, runTasks, taskEnds } from "../state/tasks.ts";

export interface RunPart {
  readonly tasks: readonly (RunTask & { readonly confidence: number | null })[];
  readonly result: PayloadOf<"RUN_RESULT"> | null;
  readonly locks: ReturnType<typeof lockViews>;
}

/** Nothing for bubbles without tasks, result and locks: what was signed of them stays what it was. */
export function runPart(state: State): { readonly run?: RunPart } {
  const tasks = runTasks(state).map((task) => ({
    ...task,
    confidence: state.tasks?.[task.key]?.confidence?.score ?? null,
  }));
  const locks = lockViews(state);
  if (tasks.length === 0 && locks.length === 0 && !state.result) return {};
  return { run: { tasks, result: state.result ?? null, locks } };
}

/** What would make a signature another decision; a score would not. */
export function runSubject({ tasks, result, locks }: RunPart) {
  return {
    tasks: tasks.map(({ key, status, iterations }) => ({ key, status, iterations })),
    result: result?.result ?? null,
    locks: locks.map(({ path, sha256 }) => ({ path, sha256 })),
  };
}

/** The parts of the package in words, each with its title; none for a bubble without a run. */
export function runSections(run: RunPart | undefined): [title: string, lines: readonly string[]][] {
  if (!run) return [];
  const scored = run.tasks.filter(({ confidence }) => confidence !== null);
  const sections: [string, readonly string[]][] = [
    ["Tasks", run.tasks.map(describeRunTask)],
    ["Result of the run", run.result ? [`${run.result.result}: ${run.result.why}`] : []],
    [
      "Locked artifacts",
      run.locks.map(
        ({ path, sha256, decided_by }) => `${path} (${sha256.slice(0, 12)}, decided by ${decided_by})`,
      ),
    ],
    ["Confidence (advisory)", scored.map(({ key, confidence }) => `${key}: ${confidence?.toFixed(2)}`)],
  ];
  return sections.filter(([, lines]) => lines.length > 0);
}

/** `design: completed after 2 iterations`. */
export function describeRunTask({ key, status, flag, iterations }: RunTask): string {
  if (status === "waiting") return `${key}: not started`;
  if (status === "running") return `${key}: in iteration ${iterations}`;
  const count = iterations > 0 ? ` after ${iterations} ${iterations === 1 ? "iteration" : "iterations"}` : "";
  return `${key}: ${taskEnds[status]}${count}${flag ? ` (${flag})` : ""}`;
}
