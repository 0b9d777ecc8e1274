// What the rounds of a task or run have come to, as whoever comes later is told.

import { chainAfter, goesOn } from "../../judge/chain.ts";
import { cleanPasses } from "../../judge/convergence.ts";
import type { EnvelopeOf } from "../../model/envelope.ts";
import type { Iteration, TaskProgress } from "../../model/run.ts";
import { clip } from "../../model/sizes.ts";
import type { State, Turn } from "../../model/state.ts";
import { promiseOf } from "../../permission/promise.ts";
import { currentTask, historyOf, iterationOf, loopOf, progressOf } from "../../state/place.ts";

const keptIterations = 100;
const keptWords = 4_000;

/** A producer handed over: this round has a beginning. */
export function historyProduced(
  state: State,
  turn: Turn,
  { seq, ts, payload }: EnvelopeOf<"HANDOFF">,
): State {
  const pass = turn.claim?.pass;
  const entry: Iteration = {
    iteration: iterationOf(state),
    producer: turn.agent,
    summary: clip(pass?.summary ?? "", keptWords),
    at: ts,
    tree: payload.tree,
  };
  return withRound(state, entry, {
    changed: seq,
    ...(state.program.phases ? attempted(state, pass?.summary) : {}),
    ...chainOver(state, payload.tree),
    ...(pass?.checkpoint ? { checkpoint: pass.checkpoint } : {}),
  });
}

/** One turn more without a review, and whether its producer says that the work is complete. */
const attempted = (state: State, summary = ""): Pick<TaskProgress, "attempts" | "promised"> => ({
  attempts: (progressOf(state)?.attempts ?? 0) + 1,
  promised: summary.includes(promiseOf(state)),
});

/** A tree that all critics had passed is gone: they begin again. */
function chainOver(state: State, tree: string): Pick<TaskProgress, "chain"> {
  const chain = progressOf(state)?.chain;
  const isOver = chain && (chain.isRecheck || chain.next >= (loopOf(state).chain?.length ?? 0));
  const isOld = chain && !Object.values(chain.passed).includes(tree);
  if (!isOver || !isOld) return {};
  const { isRecheck: _isRecheck, ...kept } = chain;
  return { chain: { ...kept, next: 0, passed: {} } };
}

/** A critic has said what it thinks of this round. `state` has its review already. */
export function historyReviewed(state: State, turn: Turn, { seq, ts }: EnvelopeOf<"HANDOFF">): State {
  const review = state.lastReview;
  if (!review) return state;
  const iteration = iterationOf(state);
  const { chain = [], clean_passes } = loopOf(state);
  const chained = chainedAfter(state);
  const approved = chained.chain
    ? chained.chain.next >= chain.length
    : cleanPasses(state).length >= Math.max(clean_passes, chain.length);
  const entry = historyOf(state).find((one) => one.iteration === iteration) ?? {
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
  return withRound(state, reviewed, {
    changed: seq,
    ...(state.program.phases ? { attempts: 0, extraAttempts: 0 } : {}),
    ...chained,
  });
}

/** Where the chain stands after the newest review; one that its critic is not sure of does not count yet. */
export function chainedAfter(state: State): Pick<TaskProgress, "chain"> {
  const loop = loopOf(state);
  const last = state.reviews.at(-1);
  const isOpen = last?.unsure !== undefined && !last.trusted;
  if (!goesOn(loop) || !last || isOpen || state.lastReview?.invalid) return {};
  return { chain: chainAfter(progressOf(state)?.chain, last, loop.chain?.length ?? 1) };
}

/** The history with this round in it: that of the task, or of the run where the workflow's own steps are the loop. */
function withRound(state: State, entry: Iteration, change: Partial<TaskProgress>): State {
  const others = historyOf(state).filter(({ iteration }) => iteration !== entry.iteration);
  const history = [...others, entry].slice(-keptIterations);
  const task = currentTask(state);
  const known = progressOf(state);
  if (task && known)
    return { ...state, tasks: { ...state.tasks, [task.key]: { ...known, ...change, history } } };
  // In `pair` the ledger of findings is the memory.
  return state.program.steps.some(({ kind }) => kind === "end") ? { ...state, history } : state;
}

/** A judge has scored the tree; it changes nothing else. */
export function historyScored(state: State, turn: Turn, { seq }: EnvelopeOf<"HANDOFF">): State {
  const task = currentTask(state);
  const known = progressOf(state);
  const score = turn.claim?.pass?.score;
  if (!task || !known || score === undefined) return state;
  const judged = { score, tree: state.tree?.id ?? "", agent: turn.agent };
  return { ...state, tasks: { ...state.tasks, [task.key]: { ...known, judged, changed: seq } } };
}
