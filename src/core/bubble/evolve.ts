// The fold: state after one more envelope. Total over every envelope the referee can write; it decides nothing.
import { countWarningsOfTurn } from "../limits/warning-limit.ts";
import type { Envelope, EnvelopeOf, EnvelopeType, PayloadOf } from "../model/record/envelope.ts";
import { assertInvariant } from "../model/refusal.ts";
import type { Lifecycle, State } from "../model/state.ts";
import { applyBaseReply } from "./evolve/base.ts";
import {
  applyChildReported,
  applyChildrenOpened,
  applyChildStarted,
  applyJoined,
} from "./evolve/children.ts";
import { applyConfigured, applyCreated } from "./evolve/creation.ts";
import { applyGatesResult, applyHandoff } from "./evolve/evidence.ts";
import type { Fresh } from "./evolve/fresh.ts";
import { applyGitWarning } from "./evolve/git.ts";
import {
  applyApprovalDecision,
  applyApprovalRequest,
  applyDelivery,
  applyDonePackage,
  applyHumanQuestion,
  applyHumanReply,
  applyQuestionWithdrawn,
  applyResumed,
} from "./evolve/human.ts";
import { applyPaused, applyPauseEnded, countWaiting, dropPauseAfterEnd } from "./evolve/pause.ts";
import { applyStepRedone } from "./evolve/redo.ts";
import {
  applyConfidence,
  applyPairSession,
  applyTaskEnded,
  applyTaskStarted,
} from "./evolve/tasks/progress.ts";
import {
  addWorkedTime,
  applyClaim,
  applyStepAdvanced,
  applyTurnEnded,
  applyTurnSession,
  applyTurnSpawned,
  applyTurnStarted,
  applyTurnUsage,
  applyTurnWaiting,
} from "./evolve/turns.ts";
import { applyBaseUpdated, applyBaseUpdateWanted } from "./evolve/update-base.ts";
import { buildWorkspace, pickPlace, placeWorkspace } from "./evolve/workspace.ts";
import { mayMove } from "./lifecycle.ts";

type Fold<T extends EnvelopeType> = (state: State, envelope: EnvelopeOf<T>) => State;

const folds: { readonly [T in Exclude<EnvelopeType, "BUBBLE_CREATED">]: Fold<T> } = {
  CONFIGURED: applyConfigured,
  START_REQUESTED: (state, { payload: { seat, door } }) =>
    move({ ...state, seat, ...(door ? { startedBy: door.user } : {}) }, "PREPARING_WORKSPACE"),
  WORKSPACE_READY: (state, { payload }) => {
    const pin = payload.git ? { git: payload.git } : {};
    const host = payload.host ?? state.driver?.host;
    if (state.lifecycle === "PREPARING_WORKSPACE")
      return move({ ...state, workspace: buildWorkspace(payload, host), ...pin }, "RUNNING");
    // It has moved to another host: how it began stays as it was.
    const { notes: _notes, ...workspace } = state.workspace ?? {};
    return {
      ...state,
      workspace: { ...buildWorkspace(payload, host), ...workspace, ...pickPlace(payload, host) },
      ...pin,
    };
  },
  WORKSPACE_FAILED: (state, { payload }) => ({
    ...state,
    workspaceFailures: state.workspaceFailures + 1,
    workspaceError: payload.message,
  }),
  DRIVER_CLAIMED: (state, { payload, ts }) => ({
    ...state,
    ...placeWorkspace(state, payload.host),
    seat: payload.seat,
    driver: { id: payload.driver, pid: payload.pid, host: payload.host, attempt: payload.attempt, at: ts },
  }),
  STEP_ADVANCED: applyStepAdvanced,
  TASK_STARTED: applyTaskStarted,
  TASK_ENDED: applyTaskEnded,
  CONFIDENCE: applyConfidence,
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
    profile: { ...state.profile, gates: payload.gates, source: addPlanSource(state.profile.source) },
  }),
  CHILDREN_OPENED: applyChildrenOpened,
  CHILD_STARTED: applyChildStarted,
  CHILD_REPORTED: applyChildReported,
  JOINED: applyJoined,
  BASE_UPDATE_WANTED: (state, envelope) => move(applyBaseUpdateWanted(state, envelope), "RUNNING"),
  BASE_UPDATED: applyBaseUpdated,
  PAIR_SESSION: applyPairSession,
  STEP_REDONE: (state, envelope) => moveIf(applyStepRedone(state, envelope), "RUNNING"),
  RUN_RESULT: (state, { payload }) => ({ ...state, result: payload }),
  TURN_STARTED: applyTurnStarted,
  TURN_SPAWNED: applyTurnSpawned,
  TURN_ENDED: applyTurnEnded,
  TURN_SESSION: applyTurnSession,
  TURN_WAITING: applyTurnWaiting,
  TURN_USAGE: applyTurnUsage,
  TASK: (state, { payload }) => ({ ...state, criteria: payload.criteria }),
  PASS: (state, envelope) => applyClaim(state, envelope),
  CONVERGENCE: (state, envelope) => applyClaim(state, envelope),
  HANDOFF: applyHandoff,
  GATES_RESULT: applyGatesResult,
  HUMAN_QUESTION: (state, envelope) => moveIf(applyHumanQuestion(state, envelope), "WAITING_HUMAN"),
  HUMAN_REPLY: (state, envelope) => {
    const { question, choice } = envelope.payload;
    return moveWhenAnswered(
      applyBaseReply(applyHumanReply(state, envelope), findQuestion(state, question), choice),
    );
  },
  QUESTION_WITHDRAWN: (state, envelope) => {
    const { question } = envelope.payload;
    return moveWhenAnswered(
      applyBaseReply(applyQuestionWithdrawn(state, envelope), findQuestion(state, question), "waive"),
    );
  },
  RESUMED: (state, envelope) =>
    moveWhenAnswered(applyBaseReply(applyResumed(state, envelope), state.questions[0], "again")),
  PAUSED: applyPaused,
  PAUSE_ENDED: applyPauseEnded,
  DELIVERY: applyDelivery,
  WARNING: (state, envelope) => ({
    ...state,
    ...countRefusedReview(state, envelope.payload),
    ...applyGitWarning(state, envelope),
    warnings: {
      count: state.warnings.count + 1,
      last: { code: envelope.payload.code, message: envelope.payload.message, at: envelope.ts },
      now: { turns: state.turnCount, count: countWarningsOfTurn(state) + 1 },
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
  DONE_PACKAGE: applyDonePackage,
  APPROVAL_REQUEST: (state, envelope) => move(applyApprovalRequest(state, envelope), "READY_FOR_APPROVAL"),
  APPROVAL_DECISION: (state, envelope) => {
    const to = envelope.payload.decision === "approve" ? "APPROVED_FOR_COMMIT" : "RUNNING";
    return move(applyApprovalDecision(state, envelope), to);
  },
  COMMITTED: (state, { payload }) =>
    move({ ...state, commit: { id: payload.commit, branch: payload.branch } }, "COMMITTED"),
  FINISHED: (state) => move(dropTurn(state), "DONE"),
  FAILED: (state, { payload, ts }) => endBubble(state, ts, "FAILED", payload),
  CANCELLED: (state, { payload, ts }) =>
    endBubble(state, ts, "CANCELLED", { code: payload.code ?? "stopped", message: payload.reason }),
};

export function evolve(state: State | undefined, envelope: Envelope): State {
  if (envelope.type === "BUBBLE_CREATED") {
    assertInvariant(!state, "BUBBLE_CREATED is the first envelope");
    return applyCreated(envelope);
  }
  assertInvariant(state, `${envelope.type} before BUBBLE_CREATED`);
  const fold = folds[envelope.type] as Fold<EnvelopeType>;
  const next = dropPauseAfterEnd(fold(state, envelope));
  const own: Fresh = next === state ? { ...state } : next;
  countWaiting(state, own, envelope.ts);
  addDoor(own, envelope);
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

/** What was granted through a door that is not proven is reported for ever, and so is by which key something was granted. */
function addDoor(state: Fresh, { type, payload, seq }: Envelope): void {
  const what = granting[type];
  const door = what && "door" in payload ? payload.door : undefined;
  if (!what || !door) return;
  const { unproven: why, passkey } = door;
  if (why) state.unproven = [...(state.unproven ?? []), { seq, what, why }];
  if (passkey) state.passkeys = [...(state.passkeys ?? []), { seq, what, ...passkey }];
}

const addPlanSource = (source: string) =>
  source.endsWith(", and the plan") ? source : `${source}, and the plan`;

function dropTurn({ turn, ...rest }: State): State {
  return turn ? { ...rest, lastTurn: turn } : rest;
}

export function fold(envelopes: Iterable<Envelope>, from?: State): State | undefined {
  let state = from;
  for (const envelope of envelopes) state = evolve(state, envelope);
  return state;
}

/** Reviews that cannot count are counted, so that the third one goes to a human. */
function countRefusedReview({ turn }: State, { code, turn: id }: PayloadOf<"WARNING">): Partial<State> {
  return turn && turn.id === id && code.startsWith("review.")
    ? { turn: { ...turn, refusedReviews: (turn.refusedReviews ?? 0) + 1 } }
    : {};
}

/** Given what a fold has just made: it is moved as it is. */
function move(state: Fresh, to: Lifecycle): State {
  if (!mayMove(state.lifecycle, to)) assertInvariant(false, `${state.lifecycle} → ${to} is not in the table`);
  state.lifecycle = to;
  return state;
}

function moveIf(state: Fresh, to: Lifecycle): State {
  return state.lifecycle === to ? state : move(state, to);
}

const findQuestion = ({ questions }: State, id: string) => questions.find((question) => question.id === id);

function moveWhenAnswered(state: Fresh): State {
  return state.lifecycle === "WAITING_HUMAN" && state.questions.length === 0 ? move(state, "RUNNING") : state;
}

function endBubble(
  state: State,
  ts: string,
  to: "FAILED" | "CANCELLED",
  end: { code: string; message: string },
): State {
  const { turn, ...rest } = state;
  const spent = turn?.status === "running" ? addWorkedTime(state, turn, ts) : state.spent;
  return move(
    { ...rest, spent, ...(turn ? { lastTurn: turn } : {}), questions: [], deliveries: [], end },
    to,
  );
}
