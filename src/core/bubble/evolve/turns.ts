// Steps and turns: where the workflow is, whose go it is, and what that agent has claimed so far.
import { chooseAgent } from "../../judge/chain.ts";
import { getSessionKey } from "../../judge/sessions.ts";
import { measureWorkingMs, spend } from "../../limits/budget.ts";
import { countTurnEnd, hasFailed, mustEndSession } from "../../limits/reactions.ts";
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import { listHandedInRefs } from "../../model/record/named-artifacts.ts";
import type { Turn } from "../../model/state/turn.ts";
import type { Spent, State } from "../../model/state.ts";
import { parseTime } from "../../model/value/time.ts";
import { pickLoopRoles, swapRoles } from "../../state/roles.ts";
import { findStep, findTask } from "../../state/workflow-position.ts";
import { applyAcceptance, applyStepEntry } from "./tasks/progress.ts";

const keptRounds = 200;
export const keptNotes = 20;

export function applyStepAdvanced(state: State, envelope: EnvelopeOf<"STEP_ADVANCED">): State {
  const { payload, ts } = envelope;
  const step = findStep(state, payload.to);
  const loop = findTask(state, step?.task)?.loop ?? state.program.loop;
  const roles = payload.swap ? swapRoles(state.roles, loop) : state.roles;
  const newRound = payload.round !== state.round;
  const again = payload.to === payload.from && payload.outcome === "refused";
  const { turn: old, ...rest } = state;
  const next: State = {
    ...rest,
    position: {
      step: payload.to,
      seq: envelope.seq,
      outcome: payload.outcome,
      why: payload.why,
      refusals: again ? state.position.refusals + 1 : 0,
      ...(payload.held ? { held: payload.held } : {}),
      at: ts,
    },
    steps: buildStepsAfter(state, envelope),
    ...(state.run ? {} : { run: { at: ts, waitedMs: 0 } }),
    round: payload.round,
    roles,
    roundRoleHistory: newRound
      ? [...state.roundRoleHistory, { round: payload.round, ...pickLoopRoles(loop, roles) }].slice(
          -keptRounds,
        )
      : state.roundRoleHistory,
    ...(old ? { lastTurn: dropClaimText(old), ...keepUnread(state, old) } : {}),
  };
  const there = applyStepEntry(applyAcceptance(next, envelope), envelope, step?.task, newRound);
  if (step?.kind !== "turn" || payload.unmet) return { ...there, activeSince: ts };
  const turn: Turn = {
    id: `t${state.turnCount + 1}`,
    step: step.name,
    role: step.role,
    agent: chooseAgent(there, step),
    status: "due",
    attempt: 0,
    failures: 0,
    why: payload.why,
    since: ts,
  };
  return { ...there, turn, turnCount: state.turnCount + 1, activeSince: ts };
}

/** The result of the step that was left. */
function buildStepsAfter(
  state: State,
  { payload, seq, ts }: EnvelopeOf<"STEP_ADVANCED">,
): NonNullable<State["steps"]> {
  const { from, outcome, output, error } = payload;
  if (from === null) return state.steps ?? {};
  const visits = (state.steps?.[from]?.visits ?? 0) + 1;
  const record = { outcome, seq, at: ts, visits, ...(output ? { output } : {}), ...(error ? { error } : {}) };
  return { ...state.steps, [from]: record };
}

/** What a person said to a turn that is given up goes into the next prompt. */
function keepUnread(state: State, old: Turn): Pick<State, "deliveries" | "notes"> {
  const words = state.deliveries
    .filter((delivery) => delivery.turn === old.id)
    .map((delivery) => delivery.text);
  return {
    deliveries: state.deliveries.filter((delivery) => delivery.turn !== old.id),
    notes: [...state.notes, ...words].slice(-keptNotes),
  };
}

/** The last turn keeps only what recognises a repeated verb. */
function dropClaimText(turn: Turn): Turn {
  const { claim, ...rest } = turn;
  return claim ? { ...rest, claim: { verb: claim.verb, digest: claim.digest, seq: claim.seq } } : rest;
}

export function applyTurnStarted(state: State, { payload, ts }: EnvelopeOf<"TURN_STARTED">): State {
  if (state.turn?.id !== payload.turn) return state;
  // What an earlier attempt has asked stays asked: repeated by this one, it returns its first outcome.
  const {
    pid: _pid,
    tty: _tty,
    notBefore: _notBefore,
    backsOffSince: _backsOffSince,
    startFresh: _startFresh,
    ...turn
  } = state.turn;
  return {
    ...state,
    activeSince: payload.attempt === 1 ? ts : state.activeSince,
    ...keepSession(state, getSessionKey(state, payload), payload.session),
    // The words stand in this attempt's prompt; should it die unheard, the next one's prompt must have them too.
    ...keepUnread(state, state.turn),
    unsandboxed: payload.sandboxed ? state.unsandboxed : [...new Set([...state.unsandboxed, payload.agent])],
    turn: {
      ...turn,
      status: "running",
      attempt: payload.attempt,
      capability: payload.capability,
      session: payload.session,
      fresh: payload.fresh,
      prompt: payload.prompt,
      seat: payload.seat,
      tree: payload.tree,
      output: payload.output,
      startedAt: ts,
      ...(state.driver ? { host: state.driver.host } : {}),
      sandboxed: payload.sandboxed,
    },
  };
}

function keepSession(
  { sessions, sessionHosts, driver }: State,
  key: string,
  session: string,
): Pick<State, "sessions" | "sessionHosts"> {
  const kept = { sessions: { ...sessions, [key]: session } };
  return driver ? { ...kept, sessionHosts: { ...sessionHosts, [key]: driver.host } } : kept;
}

export function applyTurnSpawned(state: State, { payload }: EnvelopeOf<"TURN_SPAWNED">): State {
  if (state.turn?.id !== payload.turn || state.turn.attempt !== payload.attempt) return state;
  return {
    ...state,
    turn: { ...state.turn, pid: payload.pid, ...(payload.tty ? { tty: payload.tty } : {}) },
  };
}

/** The process is gone without an answer: the turn is owed again, as the next attempt. */
export function applyTurnEnded(state: State, envelope: EnvelopeOf<"TURN_ENDED">): State {
  const { payload, ts } = envelope;
  const turn = state.turn;
  if (turn?.id !== payload.turn || turn.attempt !== payload.attempt) return state;
  const { outcome, next, detail } = payload;
  const isLost = outcome === "host-lost" && turn.status === "claimed";
  if (turn.status !== "running" && !isLost) return state;
  const { problem: _problem, waitsFor: _waitsFor, host: _host, ...rest } = isLost ? dropClaim(turn) : turn;
  const isFresh = next?.session === "fresh" || payload.sessionless || mustEndSession(outcome);
  return {
    ...state,
    ...(payload.sessionless ? { sessions: omitSession(state.sessions, getSessionKey(state, turn)) } : {}),
    // A claim has ended the attempt's time already.
    spent: turn.status === "running" ? addWorkedTime(state, turn, ts) : state.spent,
    turn: {
      ...rest,
      status: "due",
      ended: outcome,
      ...countTurnEnd(turn, outcome),
      ...(next?.agent ? reassignTurn(turn, next.agent) : {}),
      ...(isFresh ? { startFresh: true } : {}),
      ...(next?.not_before ? buildWait(next.not_before, envelope) : {}),
      ...(hasFailed(turn, outcome) ? { problem: detail } : {}),
    },
  };
}

/** What it claimed was about files that nobody can look at any more. */
function dropClaim({ claim: _claim, ...turn }: Turn): Turn {
  return turn;
}

/** A moment that the CLI named comes whatever happens here; a back-off of our own is a length of time. */
function buildWait(
  notBefore: string,
  { payload: { until }, ts }: EnvelopeOf<"TURN_ENDED">,
): Pick<Turn, "notBefore" | "backsOffSince"> {
  const isNamed = until !== undefined && parseTime(until) === parseTime(notBefore);
  return { notBefore, ...(isNamed ? {} : { backsOffSince: ts }) };
}

const omitSession = (sessions: State["sessions"], key: string): State["sessions"] =>
  Object.fromEntries(Object.entries(sessions).filter(([name]) => name !== key));

/** Another agent begins with a clean slate; the one that gave up does not get this turn again. */
export function reassignTurn(
  turn: Turn,
  agent: string,
): Pick<Turn, "agent" | "failures" | "ends" | "refusedReviews" | "gaveUp"> {
  return { agent, failures: 0, ends: {}, refusedReviews: 0, gaveUp: [...(turn.gaveUp ?? []), turn.agent] };
}

/** The sums when an attempt is over: its time, and whether its CLI has said what it used. */
export function addWorkedTime(state: State, turn: Turn, ts: string): Spent {
  const isKnown = turn.measured === turn.attempt;
  return {
    ...state.spent,
    workedMs: state.spent.workedMs + measureWorkingMs(state, ts),
    unknown: state.spent.unknown + (isKnown ? 0 : 1),
  };
}

export function applyTurnSession(state: State, { payload }: EnvelopeOf<"TURN_SESSION">): State {
  const turn = state.turn;
  if (turn?.id !== payload.turn || turn.attempt !== payload.attempt) return state;
  return {
    ...state,
    ...keepSession(state, getSessionKey(state, turn), payload.session),
    turn: { ...turn, session: payload.session, hookLines: (turn.hookLines ?? 0) + 1 },
  };
}

export function applyTurnWaiting(state: State, { payload, ts }: EnvelopeOf<"TURN_WAITING">): State {
  const turn = state.turn;
  if (turn?.id !== payload.turn || turn.attempt !== payload.attempt) return state;
  const { waitsFor: _waitsFor, ...before } = turn;
  const rest = { ...before, hookLines: (turn.hookLines ?? 0) + 1 };
  return {
    ...state,
    turn: payload.what === null ? rest : { ...rest, waitsFor: { what: payload.what, at: ts } },
  };
}

/** Figures may come after the attempt is over: until then it counted as unknown. */
export function applyTurnUsage(state: State, { payload }: EnvelopeOf<"TURN_USAGE">): State {
  const spent = spend(state.spent, payload.agent, payload.usage);
  const { turn, lastTurn } = state;
  const isRunning =
    turn?.id === payload.turn && turn.attempt === payload.attempt && turn.status === "running";
  const measured = { measured: payload.attempt };
  return {
    ...state,
    spent: isRunning ? spent : { ...spent, unknown: Math.max(0, spent.unknown - 1) },
    ...(turn?.id === payload.turn ? { turn: { ...turn, ...measured } } : {}),
    ...(lastTurn?.id === payload.turn ? { lastTurn: { ...lastTurn, ...measured } } : {}),
  };
}

export function applyClaim(state: State, envelope: EnvelopeOf<"PASS"> | EnvelopeOf<"CONVERGENCE">): State {
  const turn = state.turn;
  const { payload } = envelope;
  if (envelope.type === "CONVERGENCE" && envelope.sender === "orchestrator")
    return {
      ...state,
      convergence: {
        seq: envelope.seq,
        agent: envelope.sender,
        weak: envelope.payload.evidence.weak_alternation ?? false,
      },
    };
  if (turn?.id !== payload.turn) return state;
  const refs = listHandedInRefs(envelope.refs);
  const claim = {
    digest: payload.claim,
    seq: envelope.seq,
    ...(envelope.type === "PASS"
      ? { verb: "pass" as const, pass: envelope.payload }
      : { verb: "converged" as const, convergence: envelope.payload }),
    ...(refs.length > 0 ? { refs } : {}),
  };
  const isNew = ({ id }: { id: string }) => !state.findings.some((known) => known.id === id);
  const numbered = envelope.type === "PASS" ? (envelope.payload.findings ?? []).filter(isNew).length : 0;
  return {
    ...state,
    findingCount: state.findingCount + numbered,
    spent: turn.status === "running" ? addWorkedTime(state, turn, envelope.ts) : state.spent,
    turn: {
      // A person may speak for an attempt that was never started: its files are where the bubble is driven.
      ...(state.driver ? { host: state.driver.host } : {}),
      ...turn,
      status: "claimed",
      claim,
      ...pickUnderWay(state, turn),
    },
    deliveries: state.deliveries.filter((delivery) => delivery.turn !== turn.id),
  };
}

/** An agent can read its pane and hand over before the driver has reported that the words are in it. */
function pickUnderWay({ deliveries }: State, { id }: Turn): Pick<Turn, "underWay"> {
  const owed = deliveries.filter(({ turn, status }) => turn === id && status === "owed");
  return owed.length > 0 ? { underWay: owed.map(({ message }) => message) } : {};
}
