// Children side by side: which are wanted, which may run now, and when enough of them are back.

import { maxDepth } from "../limits/rounds.ts";
import type { PlanTask } from "../model/plan.ts";
import type { Child, StepOf } from "../model/program.ts";
import type { Children } from "../model/run.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { listReadyPlanTasks } from "../plan/tasks/check.ts";
import { buildChildOfTask, findTaskPlan, parsePlanTasks } from "../plan/tasks/child.ts";
import { rejectOption } from "../questions/common-options.ts";
import { getCodeCommit } from "../state/code-tree.ts";
import type { DecisionBatch } from "./batch.ts";
import type { StepResult } from "./step-result.ts";
import { listReadyProgramTasks as readyOwnTasks } from "./tasks.ts";

/** Opens the children when the step is entered; what follows is theirs. */
export function openChildren(batch: DecisionBatch, step: StepOf<"children">): StepResult | undefined {
  const { state } = batch;
  const { children } = state;
  if (children?.step === step.name && !children.joined) return findUnsettledFailure(children);
  if (state.questions.length > 0) return undefined;
  const depth = (state.parent?.depth ?? 0) + 1;
  if (depth > maxDepth && state.steps?.[step.name]?.output?.depth !== depth)
    return askAboutDepth(batch, depth);
  if (step.from !== undefined && listOpenParts(state, step).length === 0) return endWithAllParts(state, step);
  open(batch, step);
  return undefined;
}

/** The tasks of a paper that can be worked on now: what they depend on is done, and their files do not meet. */
function listOpenParts(state: State, { from = "" }: StepOf<"children">): PlanTask[] {
  const { parts = {}, papers } = state;
  const left = parsePlanTasks(papers?.[from]?.value).filter(({ id }) => parts[id] === undefined);
  const done = Object.entries(parts).filter(([, { status }]) => status === "completed");
  return listReadyPlanTasks(left, new Set(done.map(([key]) => key)));
}

/** Nothing is left that could be begun. */
function endWithAllParts({ parts = {}, papers }: State, { from = "" }: StepOf<"children">): StepResult {
  const keys = parsePlanTasks(papers?.[from]?.value).map(({ id }) => id);
  const completed = keys.filter((key) => parts[key]?.status === "completed");
  const failed = keys.filter((key) => !completed.includes(key));
  return {
    outcome: "done",
    why: failed.length === 0 ? "every task is completed" : `not completed: ${failed.join(", ")}`,
    output: { completed, failed },
  };
}

/** Enough are back, and not all with a result: somebody must say how this continues. */
export function findUnsettledFailure(children: Children): StepResult | undefined {
  const failed = listFailedChildren(children);
  if (!hasEnoughChildren(children) || children.settled || failed.length === 0) return undefined;
  const why = clip(
    failed.map(({ child, report }) => `${child.key} is ${report?.status}: ${report?.why}`).join("; "),
    1900,
  );
  return { outcome: "failed", why, error: why };
}

export function open(batch: DecisionBatch, step: StepOf<"children">): void {
  const { state } = batch;
  batch.write("CHILDREN_OPENED", {
    step: step.name,
    from: getCodeCommit(state),
    wait: step.wait,
    max_concurrent: state.program.max_concurrent ?? step.max_concurrent,
    children: listWantedChildren(state, step),
  });
}

function listWantedChildren(state: State, step: StepOf<"children">): Child[] {
  if (step.from !== undefined) {
    const plan = findTaskPlan(state.papers?.plan?.value, state.program.payload ?? {});
    return listOpenParts(state, step).map((task) =>
      buildChildOfTask(task, plan, step.workflow ?? state.program.id),
    );
  }
  if (step.children.length > 0) return [...step.children];
  return readyOwnTasks(state).map(({ key }) => ({ key, task: key }));
}

function askAboutDepth(batch: DecisionBatch, depth: number): undefined {
  batch.write("HUMAN_QUESTION", {
    question: `${batch.state.bubbleId} is itself a child of a child and wants children (depth ${depth}, ${maxDepth} are allowed). Shall it?`,
    kind: "depth",
    options: [{ key: "continue", does: "its children are started all the same" }, rejectOption(batch.state)],
  });
}

type Each = Children["each"][number];

const isBack = ({ report }: Each) => report !== undefined;
/** It has a bubble of its own, which has not reported yet. */
export const isAtWork = ({ bubble, report }: Each) => bubble !== undefined && report === undefined;
const isCompleted = ({ report }: Each) => report?.status === "completed";

/** Enough of them are back for the parent to continue. */
export function hasEnoughChildren({ each, wait }: Children): boolean {
  if (each.every(isBack)) return true;
  const completed = each.filter(isCompleted).length;
  if (wait === "any") return completed > 0;
  return wait === "majority" && completed * 2 > each.length;
}

/** Children that may be at work now. */
export function mayRunNow({ each, maxConcurrent }: Children): Each[] {
  return each.filter((one) => !isBack(one)).slice(0, maxConcurrent);
}

/** Children that came back without a result and without whom the parent may not simply continue. */
export function listFailedChildren({ each, wait }: Children): Each[] {
  const failed = each.filter((one) => isBack(one) && !isCompleted(one) && !isOnRecord(one));
  return wait === "all" || !each.some(isCompleted) ? failed : [];
}

/** A task of the workflow that had no result within its rounds ends as such; of any other child nobody would hear. */
const isOnRecord = ({ child, report }: Each) => report?.status === "exceeded" && child.task !== undefined;

export function listCompletedChildren({ each }: Children): Each[] {
  return each.filter(isCompleted);
}

/** Whether the results are to be put together now: nobody is at work any more, whose spending would not be known. */
export function joinIsDue(state: State): boolean {
  const { children } = state;
  if (!children || children.joined || children.step !== state.position.step || !hasEnoughChildren(children))
    return false;
  if (children.each.some(isAtWork)) return false;
  return children.settled === true || listFailedChildren(children).length === 0;
}
