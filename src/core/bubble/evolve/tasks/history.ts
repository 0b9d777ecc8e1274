// The results of the rounds of a task or run, as later prompts tell them.
import { advanceChainProgress, isContinuingChain } from "../../../judge/chain.ts";
import { listCleanPasses } from "../../../judge/convergence.ts";
import type { EnvelopeOf } from "../../../model/record/envelope.ts";
import type { Iteration, TaskProgress } from "../../../model/run.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { getCompletionPromise } from "../../../permission/completion-promise.ts";
import {
  getCurrentTask,
  getHistory,
  getIteration,
  getLoop,
  getTaskProgress,
} from "../../../state/workflow-position.ts";

const keptIterations = 100;
const keptWords = 4_000;

/** A producer handed over: this round has a beginning. */
export function addProducedRound(
  state: State,
  turn: Turn,
  { seq, ts, payload }: EnvelopeOf<"HANDOFF">,
): State {
  const pass = turn.claim?.pass;
  const entry: Iteration = {
    iteration: getIteration(state),
    producer: turn.agent,
    summary: clip(pass?.summary ?? "", keptWords),
    at: ts,
    tree: payload.tree,
  };
  return addRound(state, entry, {
    changed: seq,
    ...(state.program.phases ? countAttempt(state, pass?.summary) : {}),
    ...chainOver(state, payload.tree),
    ...(pass?.checkpoint ? { checkpoint: pass.checkpoint } : {}),
  });
}

/** One turn more without a review, and whether its producer says that the work is complete. */
const countAttempt = (state: State, summary = ""): Pick<TaskProgress, "attempts" | "promised"> => ({
  attempts: (getTaskProgress(state)?.attempts ?? 0) + 1,
  promised: summary.includes(getCompletionPromise(state)),
});

/** A tree that all critics had passed is gone: they begin again. */
function chainOver(state: State, tree: string): Pick<TaskProgress, "chain"> {
  const chain = getTaskProgress(state)?.chain;
  const isOver = chain && (chain.isRecheck || chain.next >= (getLoop(state).chain?.length ?? 0));
  const isOld = chain && !Object.values(chain.passed).includes(tree);
  if (!isOver || !isOld) return {};
  const { isRecheck: _isRecheck, ...kept } = chain;
  return { chain: { ...kept, next: 0, passed: {} } };
}

/** A critic has said what it thinks of this round. `state` has its review already. */
export function addReviewToRound(state: State, turn: Turn, { seq, ts }: EnvelopeOf<"HANDOFF">): State {
  const review = state.lastReview;
  if (!review) return state;
  const iteration = getIteration(state);
  const { chain = [], clean_passes } = getLoop(state);
  const chained = advanceChain(state);
  const approved = chained.chain
    ? chained.chain.next >= chain.length
    : listCleanPasses(state).length >= Math.max(clean_passes, chain.length);
  const entry = getHistory(state).find((one) => one.iteration === iteration) ?? {
    iteration,
    producer: state.tree?.by ?? "",
    summary: "",
    at: ts,
    tree: state.tree?.id ?? "",
  };
  const said = chain.length > 1 ? `${turn.agent}: ${review.feedback}` : review.feedback;
  const critique = entry.critique === undefined ? said : `${entry.critique}\n${said}`;
  const reviewed: Iteration = {
    ...entry,
    critic: turn.agent,
    critique: clip(critique, keptWords),
    approved,
    decision: review.approved ? "GO" : "NO_GO",
    ...(review.invalid ? { refused: true } : {}),
  };
  return addRound(state, reviewed, {
    changed: seq,
    ...(state.program.phases ? { attempts: 0, extraAttempts: 0 } : {}),
    ...chained,
  });
}

/** Where the chain stands after the newest review; one that its critic is not sure of does not count yet. */
export function advanceChain(state: State): Pick<TaskProgress, "chain"> {
  const loop = getLoop(state);
  const last = state.reviews.at(-1);
  const isOpen = last?.unsure !== undefined && !last.trusted;
  if (!isContinuingChain(loop) || !last || isOpen || state.lastReview?.invalid) return {};
  return { chain: advanceChainProgress(getTaskProgress(state)?.chain, last, loop.chain?.length ?? 1) };
}

/** The history with this round in it: that of the task, or of the run where the workflow's own steps are the loop. */
function addRound(state: State, entry: Iteration, change: Partial<TaskProgress>): State {
  const others = getHistory(state).filter(({ iteration }) => iteration !== entry.iteration);
  const history = [...others, entry].slice(-keptIterations);
  const task = getCurrentTask(state);
  const known = getTaskProgress(state);
  if (task && known)
    return { ...state, tasks: { ...state.tasks, [task.key]: { ...known, ...change, history } } };
  // In `pair` the ledger of findings is the memory.
  return state.program.steps.some(({ kind }) => kind === "end") ? { ...state, history } : state;
}

/** A judge has scored the tree; it changes nothing else. */
export function addScoreToRound(state: State, turn: Turn, { seq }: EnvelopeOf<"HANDOFF">): State {
  const task = getCurrentTask(state);
  const known = getTaskProgress(state);
  const score = turn.claim?.pass?.score;
  if (!task || !known || score === undefined) return state;
  const judged = { score, tree: state.tree?.id ?? "", agent: turn.agent };
  return { ...state, tasks: { ...state.tasks, [task.key]: { ...known, judged, changed: seq } } };
}
