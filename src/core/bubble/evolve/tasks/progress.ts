// Tasks of a workflow: when they begin and end, and what changes on the way.

import { isContinuingChain } from "../../../judge/chain.ts";
import type { EnvelopeOf } from "../../../model/record/envelope.ts";
import type { TaskProgress } from "../../../model/run.ts";
import type { State } from "../../../model/state.ts";
import { findStep, findTask } from "../../../state/workflow-position.ts";

/** A task begins, or a human has sent it back: then it continues counting where it was, with one round at least. */
export function applyTaskStarted(state: State, { payload, seq }: EnvelopeOf<"TASK_STARTED">): State {
  const { task: key, roles } = payload;
  const { convergence: _claimed, ...rest } = state;
  const before = state.tasks?.[key];
  const isAgain = before !== undefined && !findTask(state, key)?.joins;
  const next = state.round + 1;
  return {
    ...rest,
    tasks: {
      ...state.tasks,
      [key]: isAgain
        ? {
            ...dropTaskJudgement(dropTaskEnd(resumeTaskRounds(before, state.round))),
            status: "running",
            changed: seq,
          }
        : createTaskProgress(state, seq, next),
    },
    roles: { ...state.config.agents, ...roles },
    extraRounds: isAgain ? countExtraRounds(state, key, next) : 0,
    reviews: [],
    progress: { key: "", repeats: 0 },
    locks: (state.locks ?? []).filter((lock) => lock.task !== key),
  };
}

/** The rounds on top of its own that a task needs to have one when it is taken up again in `round`. */
export function countExtraRounds(state: State, key: string | undefined, round: number): number {
  const loop = findTask(state, key)?.loop ?? state.program.loop;
  const known = key === undefined ? undefined : state.tasks?.[key];
  const firstRound = known ? resumeTaskRounds(known, state.round).firstRound : 1;
  const spent = isContinuingChain(loop) ? (known?.chain?.restarts ?? 0) + 1 : round - firstRound + 1;
  return Math.max(0, spent - loop.max_rounds);
}

/** What was judged before counts no more: its critics begin again, and its producer has all its turns. */
export function dropTaskJudgement(known: TaskProgress): TaskProgress {
  const { attempts: _attempts, extraAttempts: _extra, promised: _promised, chain, ...rest } = known;
  return chain ? { ...rest, chain: { next: 0, restarts: chain.restarts, passed: {} } } : rest;
}

/** The rounds that other tasks have had since it ended are not its own: it continues counting where it was. */
export function resumeTaskRounds(known: TaskProgress, round: number): TaskProgress {
  return known.iterations === undefined ? known : { ...known, firstRound: round + 1 - known.iterations };
}

export function createTaskProgress(state: State, seq: number, round: number): TaskProgress {
  return {
    status: "running",
    seq,
    firstRound: round,
    ...(state.tree ? { fromTree: state.tree.id } : {}),
    subtask: 0,
    switches: 0,
    changed: seq,
    history: [],
  };
}

export function dropTaskEnd({
  flag: _flag,
  iterations: _iterations,
  accepted: _accepted,
  ...rest
}: TaskProgress): TaskProgress {
  return rest;
}

export function applyTaskEnded(state: State, { payload, seq }: EnvelopeOf<"TASK_ENDED">): State {
  const { task: key, status, flag, iterations } = payload;
  const known = state.tasks?.[key] ?? createTaskProgress(state, seq, state.round + 1);
  const ended = { ...known, status, iterations, changed: seq, ...(flag ? { flag } : {}) };
  return { ...state, tasks: { ...state.tasks, [key]: ended } };
}

/** A step was entered: a new round, another subtask, switched roles, a human's acceptance. */
export function applyStepEntry(
  state: State,
  { payload, seq }: EnvelopeOf<"STEP_ADVANCED">,
  key: string | undefined,
  newRound: boolean,
): State {
  const known = key === undefined ? undefined : state.tasks?.[key];
  const children =
    state.children && payload.to === state.children.step && payload.outcome === "continue"
      ? { children: { ...state.children, settled: true } }
      : {};
  if (key === undefined || !known) return { ...state, ...children };
  const { checkpoint, accepted, ...rest } = known;
  const isNews = payload.swap || payload.outcome === "subtask" || newRound;
  const next: TaskProgress = {
    ...rest,
    subtask: known.subtask + (payload.outcome === "subtask" ? 1 : 0),
    switches: known.switches + (payload.swap ? 1 : 0),
    changed: isNews ? seq : known.changed,
    ...(checkpoint !== undefined && !newRound ? { checkpoint } : {}),
    ...(payload.outcome === "accept" || (accepted && !newRound) ? { accepted: true } : {}),
  };
  // What was approved was the part before: the next one has to be judged even if its tree is the same.
  const unjudged = payload.outcome === "subtask" ? { reviews: [] } : {};
  return { ...state, ...children, ...unjudged, tasks: { ...state.tasks, [key]: next } };
}

/** A human took the phase that is left as it is: wherever the way leads, that phase was accepted and not completed. */
export function applyAcceptance(state: State, { payload }: EnvelopeOf<"STEP_ADVANCED">): State {
  const key = payload.outcome === "accept" ? findStep(state, payload.from)?.task : undefined;
  const known = key === undefined ? undefined : state.tasks?.[key];
  if (key === undefined || !known || !state.program.phases) return state;
  return { ...state, tasks: { ...state.tasks, [key]: { ...known, accepted: true } } };
}

export function applyConfidence(state: State, { payload, seq }: EnvelopeOf<"CONFIDENCE">): State {
  const key = payload.task;
  const known = key === undefined ? undefined : state.tasks?.[key];
  if (key === undefined || !known) return state;
  const { score, tree, met } = payload;
  return {
    ...state,
    tasks: { ...state.tasks, [key]: { ...known, confidence: { score, tree, met }, changed: seq } },
  };
}

export function applyPairSession(state: State, { payload, seq }: EnvelopeOf<"PAIR_SESSION">): State {
  const known = state.tasks?.[payload.task];
  if (!known) return state;
  const view = { artifact: payload.artifact, sha256: payload.sha256, seq };
  return { ...state, tasks: { ...state.tasks, [payload.task]: { ...known, view } } };
}
