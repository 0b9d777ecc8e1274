// Risk tiers: what must hold before a task's work continues. T0: green gates and nothing blocking open. T1: besides, a
// review by somebody who did not make it. T2: besides, a human signs, whatever else is switched off.
import type { ProgramTask, Tier } from "../model/program.ts";
import type { State } from "../model/state.ts";
import { listOpenBlocking } from "../state/severity.ts";
import { getCurrentTask, getLoop, getTaskProgress } from "../state/workflow-position.ts";
import { joinWithAnd, listRedGates } from "./convergence.ts";

const getTier = (task: ProgramTask | undefined): Tier => task?.policy?.tier ?? "T0";

/** What the tier of the current task still wants of its work, one sentence each; a signature is asked for apart. */
export function checkPolicy(state: State): string[] {
  const problems = listBasicProblems(state);
  return isReviewWanted(state) && !hasIndependentReview(state)
    ? [...problems, "no agent but the author has found this tree clean"]
    : problems;
}

/** Why a human must sign for the current task's tree; undefined: nobody must, or somebody has. */
export function findNeededSignOff(state: State): string | undefined {
  const task = getCurrentTask(state);
  if (!task || isSigned(state, task)) return undefined;
  if (getTier(task) === "T2") return "risk tier T2 always ends with a human sign-off";
  if (task.hil.enabled && task.hil.requires_human) return "this task requires a human (hil.requires_human)";
  return undefined;
}

/** Only an independent review is missing, and the critic of this loop can give it. */
export function lacksReview(state: State): boolean {
  if (!isReviewWanted(state) || hasIndependentReview(state) || listBasicProblems(state).length > 0)
    return false;
  const { critic } = getLoop(state);
  const agent = critic === undefined ? undefined : state.roles[critic];
  // Who made the tree cannot review it independently, however often it is asked.
  return agent !== undefined && agent !== state.tree?.by;
}

function listBasicProblems(state: State): string[] {
  if (!state.tree) return ["nothing has been handed over"];
  const red = listRedGates(state);
  const blocking = listOpenBlocking(state);
  return [
    ...(red.length > 0 ? [`gates not green on this tree: ${red.join(", ")}`] : []),
    ...(blocking.length > 0 ? [`open and blocking: ${joinWithAnd(blocking)}`] : []),
  ];
}

function isReviewWanted(state: State): boolean {
  const tier = getTier(getCurrentTask(state));
  return tier === "T1" || (tier === "T2" && getLoop(state).critic !== undefined);
}

/** Reviews from before the task began were about something else, even where the tree is the same. */
function hasIndependentReview(state: State): boolean {
  const { tree, reviews } = state;
  const from = getTaskProgress(state)?.seq ?? 0;
  return reviews.some(
    (review) =>
      review.clean &&
      !review.byOperator &&
      review.tree === tree?.id &&
      review.agent !== tree?.by &&
      review.seq > from,
  );
}

/** Whether a human has signed the tree for this task. A signature is for one tree. */
export function isSigned({ steps, tree }: State, { key }: ProgramTask): boolean {
  const signed = steps?.[`${key}/sign-off`];
  return tree !== undefined && signed?.outcome === "approve" && signed.output?.tree === tree.id;
}
