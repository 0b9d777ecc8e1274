// From one task of a workflow to the next: in dependency order, side by side where the workflow says so, and never a
// task whose predecessor was not completed.

import type { ProgramTask } from "../model/program.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import type { DecisionBatch } from "./batch.ts";
import type { StepResult } from "./step-result.ts";

export function beginTasks(batch: DecisionBatch): undefined {
  startNextTask(batch, { outcome: "start", why: "the bubble starts" });
}

/** Starts what can run now; when nothing is left, the run is over. */
export function startNextTask(batch: DecisionBatch, leaving: StepResult): undefined {
  const { children } = batch.state;
  // Children that were settled with failures still have to be put together.
  if (children && !children.joined && children.each.some(({ report }) => report?.status === "completed"))
    return advanceTask(batch, leaving, children.step, { outcome: "continue" });
  skipBlocked(batch);
  const ready = listReadyProgramTasks(batch.state);
  const fan = batch.state.program.steps.find(({ kind, name }) => kind === "children" && name === "children");
  const isWide = (batch.state.program.max_concurrent ?? 1) > 1 && ready.length > 1;
  if (isWide && fan)
    return advanceTask(batch, leaving, fan.name, { why: `${joinKeys(ready)} can run side by side` });
  const [first] = ready;
  if (first) return startTask(batch, first, leaving);
  endRun(batch, leaving);
}

const joinKeys = (tasks: readonly ProgramTask[]) => tasks.map(({ key }) => key).join(", ");

const isDone = (state: State, key: string) =>
  ["completed", "accepted"].includes(state.tasks?.[key]?.status ?? "");

/** Tasks that have not begun and whose predecessors are completed. */
export function listReadyProgramTasks(state: State): ProgramTask[] {
  return listWaitingTasks(state).filter(({ depends_on }) => depends_on.every((key) => isDone(state, key)));
}

function listWaitingTasks({ program, tasks = {} }: State): ProgramTask[] {
  return (program.tasks ?? []).filter(({ key, joins }) => !joins && !tasks[key]);
}

/** What depends on a task that was not completed is not started. */
function skipBlocked(batch: DecisionBatch): undefined {
  for (;;) {
    const { state } = batch;
    const blocked = listWaitingTasks(state).find(({ depends_on }) =>
      depends_on.some((key) => isLost(state, key)),
    );
    if (!blocked) return;
    const lost = blocked.depends_on.filter((key) => isLost(state, key)).join(", ");
    batch.write("TASK_ENDED", {
      task: blocked.key,
      status: "skipped",
      iterations: 0,
      why: `not started: ${lost} was not completed`,
    });
  }
}

const isLost = ({ tasks = {} }: State, key: string) =>
  tasks[key]?.status === "exceeded" || tasks[key]?.status === "skipped";

export function startTask(batch: DecisionBatch, task: ProgramTask, leaving: StepResult): undefined {
  batch.write("TASK_STARTED", { task: task.key, roles: task.roles, why: clip(leaving.why, 2000) });
  advanceTask(batch, leaving, task.first, {});
}

/** Enters a step with a new round: another task has a budget of its own. */
function advanceTask(
  batch: DecisionBatch,
  { outcome, why, output, error }: StepResult,
  to: string,
  change: { outcome?: string; why?: string },
): undefined {
  const { state } = batch;
  const isTask = state.program.steps.some(({ name, task }) => name === to && task !== undefined);
  batch.write("STEP_ADVANCED", {
    from: state.position.step,
    outcome: change.outcome ?? outcome,
    to,
    why: clip(change.why ?? why, 2000),
    round: isTask ? state.round + 1 : state.round,
    ...(output ? { output: { ...output } } : {}),
    ...(error ? { error: clip(error, 2000) } : {}),
  });
}

/** Every task is over. Only if all are completed there is something to sign. */
function endRun(batch: DecisionBatch, leaving: StepResult): undefined {
  const { state } = batch;
  const lost = Object.entries(state.tasks ?? {}).filter(([key]) => isLost(state, key));
  if (lost.length > 0) return endNotCompleted(batch, lost);
  const approval = state.program.steps.find(({ kind }) => kind === "approval");
  const accepted = Object.values(state.tasks ?? {}).some((task) => task.status === "accepted");
  if (!state.result || state.result.result === "completed")
    batch.write("RUN_RESULT", {
      result: accepted ? "accepted" : "approved",
      why: accepted ? "a human accepted a task as it is" : "every task is completed",
    });
  if (state.parent || !state.tree || !approval) batch.write("FINISHED", { outcome: "completed" });
  else advanceTask(batch, leaving, approval.name, {});
}

function endNotCompleted(
  batch: DecisionBatch,
  lost: readonly (readonly [string, { status: string }])[],
): undefined {
  const exceeded = lost.filter(([, { status }]) => status === "exceeded").map(([key]) => key);
  const skipped = lost.filter(([, { status }]) => status === "skipped").map(([key]) => key);
  const why = [
    exceeded.length > 0 ? `not completed within its iterations: ${exceeded.join(", ")}` : "",
    skipped.length > 0 ? `not started or not finished: ${skipped.join(", ")}` : "",
  ]
    .filter(Boolean)
    .join("; ");
  batch.write("RUN_RESULT", { result: "exceeded", why });
  batch.write("FAILED", { code: "max_iterations_exceeded", message: why });
}
