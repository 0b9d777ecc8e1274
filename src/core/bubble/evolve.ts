// The fold: state after one more envelope. Total over every envelope the referee can write; it decides nothing.

import { warningsNow } from "../limits/noise.ts";
import type { Envelope, EnvelopeOf, EnvelopeType, PayloadOf } from "../model/envelope.ts";
import { invariant } from "../model/refusal.ts";
import type { Lifecycle, State } from "../model/state.ts";
import { millis } from "../model/time.ts";
import { baseAnswered } from "./evolve/base.ts";
import { childReported, childrenOpened, childStarted, joined } from "./evolve/children.ts";
import { configured, created } from "./evolve/creation.ts";
import { gatesResult, handoff } from "./evolve/evidence.ts";
import type { Fresh } from "./evolve/fresh.ts";
import { gitWarned } from "./evolve/git.ts";
import {
  approvalDecision,
  approvalRequest,
  delivery,
  donePackage,
  humanQuestion,
  humanReply,
  questionWithdrawn,
  resumed,
} from "./evolve/human.ts";
import { paused, pauseEnded, withoutPause } from "./evolve/pause.ts";
import { stepRedone } from "./evolve/redo.ts";
import { confidence, pairSession, taskEnded, taskStarted } from "./evolve/tasks.ts";
import {
  claimed,
  stepAdvanced,
  turnEnded,
  turnSession,
  turnSpawned,
  turnStarted,
  turnUsage,
  turnWaiting,
  worked,
} from "./evolve/turns.ts";
import { mayMove } from "./lifecycle.ts";

type Fold<T extends EnvelopeType> = (state: State, envelope: EnvelopeOf<T>) => State;

const folds: { readonly [T in Exclude<EnvelopeType, "BUBBLE_CREATED">]: Fold<T> } = {
  CONFIGURED: configured,
  START_REQUESTED: (state, { payload: { seat, door } }) =>
    move({ ...state, seat, ...(door ? { startedBy: door.user } : {}) }, "PREPARING_WORKSPACE"),
  WORKSPACE_READY: (state, { payload }) =>
    move(
      {
        ...state,
        workspace: workspaceOf(payload),
        ...(payload.git ? { git: payload.git } : {}),
      },
      "RUNNING",
    ),
  WORKSPACE_FAILED: (state, { payload }) => ({
    ...state,
    workspaceFailures: state.workspaceFailures + 1,
    workspaceError: payload.message,
  }),
  DRIVER_CLAIMED: (state, { payload, ts }) => ({
    ...state,
    seat: payload.seat,
    driver: { id: payload.driver, pid: payload.pid, host: payload.host, attempt: payload.attempt, at: ts },
  }),
  STEP_ADVANCED: stepAdvanced,
  TASK_STARTED: taskStarted,
  TASK_ENDED: taskEnded,
  CONFIDENCE: confidence,
  LOCKED: (state, { payload, seq, ts }) => ({
    ...state,
    locks: [
      ...(state.locks ?? []).filter(({ path }) => !payload.artifacts.some((one) => one.path === path)),
      ...payload.artifacts.map(({ path, sha256 }) => ({
        path,
        sha256,
        ...(payload.task ? { task: payload.task } : {}),
        decidedBy: payload.decided_by,
        at: ts,
        seq,
      })),
    ],
  }),
  UNLOCKED: (state, { payload }) => ({
    ...state,
    locks: (state.locks ?? []).filter(({ path }) => !payload.paths.includes(path)),
  }),
  EVENT: (state) => state,
  CONTEXT_ASSEMBLED: (state, { payload, seq }) =>
    state.tree?.id === payload.tree
      ? { ...state, tree: { ...state.tree, context: payload.context, contextSeq: seq } }
      : state,
  WORKFLOW_STARTED: (state) => state,
  PLAN_KEPT: (state) => state,
  GATES_ADOPTED: (state, { payload }) => ({
    ...state,
    profile: { ...state.profile, gates: payload.gates, source: withPlan(state.profile.source) },
  }),
  CHILDREN_OPENED: childrenOpened,
  CHILD_STARTED: childStarted,
  CHILD_REPORTED: childReported,
  JOINED: joined,
  PAIR_SESSION: pairSession,
  STEP_REDONE: (state, envelope) => moveIf(stepRedone(state, envelope), "RUNNING"),
  RUN_RESULT: (state, { payload }) => ({ ...state, result: payload }),
  TURN_STARTED: turnStarted,
  TURN_SPAWNED: turnSpawned,
  TURN_ENDED: turnEnded,
  TURN_SESSION: turnSession,
  TURN_WAITING: turnWaiting,
  TURN_USAGE: turnUsage,
  TASK: (state, { payload }) => ({ ...state, criteria: payload.criteria }),
  PASS: (state, envelope) => claimed(state, envelope),
  CONVERGENCE: (state, envelope) => claimed(state, envelope),
  HANDOFF: handoff,
  GATES_RESULT: gatesResult,
  HUMAN_QUESTION: (state, envelope) => moveIf(humanQuestion(state, envelope), "WAITING_HUMAN"),
  HUMAN_REPLY: (state, envelope) => {
    const { question, choice } = envelope.payload;
    return moveWhenAnswered(baseAnswered(humanReply(state, envelope), asked(state, question), choice));
  },
  QUESTION_WITHDRAWN: (state, envelope) => {
    const { question } = envelope.payload;
    return moveWhenAnswered(
      baseAnswered(questionWithdrawn(state, envelope), asked(state, question), "waive"),
    );
  },
  RESUMED: (state, envelope) =>
    moveWhenAnswered(baseAnswered(resumed(state, envelope), state.questions[0], "again")),
  PAUSED: paused,
  PAUSE_ENDED: pauseEnded,
  DELIVERY: delivery,
  WARNING: (state, envelope) => ({
    ...state,
    ...refusedReview(state, envelope.payload),
    ...gitWarned(state, envelope),
    warnings: {
      count: state.warnings.count + 1,
      last: { code: envelope.payload.code, message: envelope.payload.message, at: envelope.ts },
      now: { turns: state.turnCount, count: warningsNow(state) + 1 },
    },
  }),
  GATES_WAIVED: (state, { payload }) => ({
    ...state,
    gateWaivers: {
      ...state.gateWaivers,
      ...Object.fromEntries(payload.gates.map((name) => [name, payload.reason])),
    },
  }),
  SCOPE_OVERRIDDEN: (state, { payload }) => ({
    ...state,
    scopeOverrides: [...new Set([...state.scopeOverrides, ...payload.paths])],
  }),
  TREE_CHANGED: (state, { payload }) => ({ ...state, stray: payload.files }),
  TREE_RESTORED: (state) => state,
  DONE_PACKAGE: donePackage,
  APPROVAL_REQUEST: (state, envelope) => move(approvalRequest(state, envelope), "READY_FOR_APPROVAL"),
  APPROVAL_DECISION: (state, envelope) => {
    const to = envelope.payload.decision === "approve" ? "APPROVED_FOR_COMMIT" : "RUNNING";
    return move(approvalDecision(state, envelope), to);
  },
  COMMITTED: (state, { payload }) =>
    move({ ...state, commit: { id: payload.commit, branch: payload.branch } }, "COMMITTED"),
  FINISHED: (state) => move(withoutTurn(state), "DONE"),
  FAILED: (state, { payload, ts }) => ended(state, ts, "FAILED", payload),
  CANCELLED: (state, { payload, ts }) =>
    ended(state, ts, "CANCELLED", { code: payload.code ?? "stopped", message: payload.reason }),
};

export function evolve(state: State | undefined, envelope: Envelope): State {
  if (envelope.type === "BUBBLE_CREATED") {
    invariant(!state, "BUBBLE_CREATED is the first envelope");
    return created(envelope);
  }
  invariant(state, `${envelope.type} before BUBBLE_CREATED`);
  const fold = folds[envelope.type] as Fold<EnvelopeType>;
  const next = withoutPause(fold(state, envelope));
  const own: Fresh = next === state ? { ...state } : next;
  countWaiting(state, own, envelope.ts);
  addUnproven(own, envelope);
  own.seq = envelope.seq;
  own.lastAt = envelope.ts;
  if (isSpoken(envelope)) own.lastCommandAt = envelope.ts;
  return own;
}

function isSpoken(envelope: Envelope): boolean {
  return (
    envelope.sender !== "orchestrator" || (envelope.type === "WARNING" && Boolean(envelope.payload.agent))
  );
}

const granting: Partial<Record<EnvelopeType, string>> = {
  HUMAN_REPLY: "an answer",
  GATES_WAIVED: "a waiver of gates",
  SCOPE_OVERRIDDEN: "an exception from the scope",
  UNLOCKED: "an unlocking",
  APPROVAL_DECISION: "the approval",
  COMMITTED: "the commit",
};

/** What was granted through a door that is not proven is told for ever. */
function addUnproven(state: Fresh, { type, payload, seq }: Envelope): void {
  const what = granting[type];
  const why = what && "door" in payload ? payload.door?.unproven : undefined;
  if (what && why) state.unproven = [...(state.unproven ?? []), { seq, what, why }];
}

const withPlan = (source: string) => (source.endsWith(", and the plan") ? source : `${source}, and the plan`);

const waits = ({ lifecycle, pause }: State) =>
  lifecycle === "WAITING_HUMAN" || lifecycle === "READY_FOR_APPROVAL" || pause !== undefined;

/** Time in which a human is asked, or the bubble is paused, counts for no limit of a step or of the run. */
function countWaiting(before: State, after: Fresh, ts: string): void {
  if (waits(after)) {
    if (!waits(before)) after.waitingSince = ts;
    return;
  }
  const { waitingSince, position, run } = after;
  if (!waitingSince) return;
  after.waitingSince = undefined;
  // What was begun meanwhile, or by the answer itself, has waited only since then.
  const msSince = (began: string) => Math.max(0, millis(ts) - Math.max(millis(waitingSince), millis(began)));
  const stepMs = position.seq === before.position.seq ? msSince(position.at ?? waitingSince) : 0;
  if (stepMs > 0) after.position = { ...position, waitedMs: (position.waitedMs ?? 0) + stepMs };
  if (run) after.run = { ...run, waitedMs: run.waitedMs + msSince(run.at) };
}

function withoutTurn({ turn, ...rest }: State): State {
  return turn ? { ...rest, lastTurn: turn } : rest;
}

export function fold(envelopes: Iterable<Envelope>, from?: State): State | undefined {
  let state = from;
  for (const envelope of envelopes) state = evolve(state, envelope);
  return state;
}

/** Reviews that cannot count are counted, so that the third one goes to a human. */
function refusedReview({ turn }: State, { code, turn: id }: PayloadOf<"WARNING">): Partial<State> {
  return turn && turn.id === id && code.startsWith("review.")
    ? { turn: { ...turn, refusedReviews: (turn.refusedReviews ?? 0) + 1 } }
    : {};
}

/** Given what a fold has just made: it is moved as it is. */
function move(state: Fresh, to: Lifecycle): State {
  if (!mayMove(state.lifecycle, to)) invariant(false, `${state.lifecycle} → ${to} is not in the table`);
  state.lifecycle = to;
  return state;
}

function moveIf(state: Fresh, to: Lifecycle): State {
  return state.lifecycle === to ? state : move(state, to);
}

const asked = ({ questions }: State, id: string) => questions.find((question) => question.id === id);

function moveWhenAnswered(state: Fresh): State {
  return state.lifecycle === "WAITING_HUMAN" && state.questions.length === 0 ? move(state, "RUNNING") : state;
}

function ended(
  state: State,
  ts: string,
  to: "FAILED" | "CANCELLED",
  end: { code: string; message: string },
): State {
  const { turn, ...rest } = state;
  const spent = turn?.status === "running" ? worked(state, turn, ts) : state.spent;
  return move(
    { ...rest, spent, ...(turn ? { lastTurn: turn } : {}), questions: [], deliveries: [], end },
    to,
  );
}

/** Its notes are for whoever works there; most trees have none. */
function workspaceOf({
  path,
  branch,
  notes,
  base,
  problem,
}: EnvelopeOf<"WORKSPACE_READY">["payload"]): NonNullable<State["workspace"]> {
  return {
    path,
    branch,
    ...(notes.length > 0 ? { notes } : {}),
    ...(base ? { base } : {}),
    ...(problem ? { problem } : {}),
  };
}
