// The judge of a loop with exit conditions: what follows after gates, score and review. The first condition that holds
// ends the loop, if the policy of the task agrees; nothing ends it because it has continued for long.
import type { State } from "../model/state.ts";
import { listOpenBlocking, listOpenFindings } from "../state/severity.ts";
import { getCurrentTask, getIteration, getLoop, getTaskProgress } from "../state/workflow-position.ts";
import { isConditionTrue } from "../workflow/condition.ts";
import { isReviewNeeded, joinWithAnd, listCleanPasses, listRedGates } from "./convergence.ts";
import { findDoubt } from "./doubt.ts";
import { buildFacts } from "./facts.ts";
import { checkPolicy, findNeededSignOff, lacksReview } from "./tiers.ts";

export interface LoopExit {
  readonly outcome:
    | "gates"
    | "review"
    | "unsure"
    | "dispute"
    | "revise"
    | "switch"
    | "stuck"
    | "subtask"
    | "exit";
  readonly why: string;
}

export function judgeExit(state: State): LoopExit {
  const red = listRedGates(state);
  if (red.length > 0) return { outcome: "gates", why: `gates not green on this tree: ${red.join(", ")}` };
  const met = findMetCondition(state);
  if (met !== undefined && checkPolicy(state).length === 0) return leave(state, met);
  const pending = judgeBeforeReview(state);
  if (pending) return pending;
  return judgeReview(state);
}

/** The exit condition that holds now. */
function findMetCondition(state: State): string | undefined {
  const facts = buildFacts(state);
  return getLoop(state).exit?.find((condition) => isConditionTrue(condition, facts));
}

/** The part that is worked on is done: another one follows, or the task is. */
function leave(state: State, condition: string): LoopExit {
  const { subtasks = [] } = getCurrentTask(state) ?? {};
  const done = (getTaskProgress(state)?.subtask ?? 0) + 1;
  if (done < subtasks.length)
    return { outcome: "subtask", why: `subtask ${done} of ${subtasks.length} is done: ${condition}` };
  return { outcome: "exit", why: `${condition} holds` };
}

/** What must be known before the newest review can be followed. */
function judgeBeforeReview(state: State): LoopExit | undefined {
  const problem = state.tree?.context?.problem;
  const { clean_passes: wanted, chain = [] } = getLoop(state);
  const passes = listCleanPasses(state).length;
  const isContinued = !isReviewNeeded(state) && passes > 0 && passes < Math.max(wanted, chain.length);
  if (isReviewNeeded(state) || isContinued)
    return problem
      ? { outcome: "stuck", why: `no reviewer can be asked: ${problem}` }
      : {
          outcome: "review",
          why: isContinued
            ? `${passes} of ${Math.max(wanted, chain.length)} reviewers found nothing`
            : "gates are green; this tree has no review yet",
        };
  return findDoubt(state);
}

function judgeReview(state: State): LoopExit {
  const blocking = listOpenBlocking(state);
  const why = explainGoingOn(state);
  const last = state.reviews.at(-1);
  if (last?.route !== undefined && last.route !== "fixable")
    return {
      outcome: "stuck",
      why: `${last.agent} says that this is ${last.route}: ${joinWithAnd(blocking)}`,
    };
  if (blocking.length > 0 && state.progress.repeats >= 2)
    return {
      outcome: "stuck",
      why: `the same findings stayed open on the same tree twice: ${joinWithAnd(blocking)}`,
    };
  return isAtCheckpoint(state)
    ? { outcome: "switch", why: `${why}; a checkpoint is reached, the roles switch` }
    : { outcome: "revise", why };
}

function explainGoingOn(state: State): string {
  const open = listOpenFindings(state);
  if (open.length > 0) return `${joinWithAnd(open)} ${open.length === 1 ? "is" : "are"} open`;
  const problems = checkPolicy(state);
  return problems.length > 0 ? problems.join("; ") : "no exit condition holds";
}

function isAtCheckpoint(state: State): boolean {
  const { checkpoints } = getCurrentTask(state) ?? {};
  if (checkpoints === "claim") return getTaskProgress(state)?.checkpoint !== undefined;
  return checkpoints?.includes(getIteration(state)) ?? false;
}

export interface Policy {
  readonly outcome: "passed" | "review" | "failed" | "signoff";
  readonly why: string;
}

/** After the loop: does the task's policy let it go, and must a human sign? */
export function judgePolicy(state: State): Policy {
  if (lacksReview(state)) return { outcome: "review", why: checkPolicy(state).join("; ") };
  const problems = checkPolicy(state);
  if (problems.length > 0) return { outcome: "failed", why: problems.join("; ") };
  const sign = findNeededSignOff(state);
  return sign ? { outcome: "signoff", why: sign } : { outcome: "passed", why: "the task's policy is kept" };
}
