// Does the state of a pair session fit together? Iterations, history and approval say the same thing three times; when
// they disagree, somebody or something has written what the referee would not have.
import type { ProgramTask } from "../model/program.ts";
import type { Iteration, TaskProgress } from "../model/run.ts";
import type { State } from "../model/state.ts";
import { findTask, getCurrentTask, getIteration } from "./workflow-position.ts";

/** What contradicts what, in one sentence; undefined when nothing does. */
export function findPairContradiction(state: State, key: string): string | undefined {
  const task = findTask(state, key);
  const progress = state.tasks?.[key];
  if (!task || !progress) return undefined;
  return (
    findMisnumbered(state, key, progress) ??
    findBeyondNow(state, key, progress.history) ??
    findEarlyApproval(state, task, progress) ??
    findUnheardApproval(state, progress)
  );
}

/** As many rounds as the fold keeps of a task: the oldest are let go. */
const keptIterations = 100;

/** One entry an iteration, from the first, in order; rounds of other tasks may stand between two of them. */
function findMisnumbered(
  state: State,
  key: string,
  { history, firstRound }: TaskProgress,
): string | undefined {
  const others = listRoundsOfOthers(state, key);
  let due = history.length < keptIterations ? 1 : (history[0]?.iteration ?? 1);
  for (const { iteration } of history) {
    while (due < iteration && others.has(firstRound + due - 1)) due += 1;
    if (iteration !== due) return `the history has iteration ${iteration} where iteration ${due} belongs`;
    due += 1;
  }
  return undefined;
}

function listRoundsOfOthers({ tasks = {} }: State, key: string): Set<number> {
  const others = Object.entries(tasks).filter(([other]) => other !== key);
  return new Set(
    others.flatMap(([, { firstRound, history }]) => [
      firstRound,
      ...history.map(({ iteration }) => firstRound + iteration - 1),
    ]),
  );
}

function findBeyondNow(state: State, key: string, history: readonly Iteration[]): string | undefined {
  if (getCurrentTask(state)?.key !== key) return undefined;
  const now = getIteration(state);
  const told = history.at(-1)?.iteration ?? 0;
  return told > now ? `the history tells of iteration ${told}, but this is iteration ${now}` : undefined;
}

/** The words in which a loop says that the challenger's approval alone ends it. */
const approvalEnds = /^\s*pair\.challenger_approved\s*(?:==\s*true\s*)?$/;

/** An approval ends the loop or the part that is worked on; nothing follows it, unless a human or the policy said so. */
function findEarlyApproval(
  state: State,
  { key, loop }: ProgramTask,
  { history, subtask, switches, seq }: TaskProgress,
): string | undefined {
  if (!loop.exit?.some((condition) => approvalEnds.test(condition))) return undefined;
  const others = [`${key}/policy`, `${key}/sign-off`, `${key}/exhausted`];
  if (others.some((step) => (state.steps?.[step]?.seq ?? 0) > seq) || state.approval?.decision)
    return undefined;
  const early = history.slice(0, -1).filter(({ approved }) => approved);
  return early.length > subtask + switches
    ? `iteration ${early.at(-1)?.iteration} was approved, and yet iteration ${history.at(-1)?.iteration} follows it`
    : undefined;
}

/** An approval needs a challenger who is not the driver, and the newest review must say the same. */
function findUnheardApproval({ lastReview }: State, { history, seq }: TaskProgress): string | undefined {
  const unheard = history.find(
    ({ approved, critic, producer }) => approved && (!critic || critic === producer),
  );
  if (unheard)
    return `iteration ${unheard.iteration} is approved, but nobody except its driver has judged it`;
  const last = history.findLast(({ approved }) => approved !== undefined);
  if (!last || !lastReview || lastReview.seq < seq || lastReview.tree !== last.tree) return undefined;
  if (lastReview.agent !== last.critic || lastReview.invalid || lastReview.approved === last.approved)
    return undefined;
  const word = (approved: boolean | undefined) => (approved ? "approved" : "not approved");
  return `iteration ${last.iteration} counts as ${word(last.approved)}, but its newest review says ${word(lastReview.approved)}`;
}
