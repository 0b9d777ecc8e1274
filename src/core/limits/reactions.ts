// What follows when a turn's process ended without handing over. Each way to end has its own bounded reaction: try again
// (at once, after a while, when the account may be used again), in the same session or a new one, by another agent; and
// a human when the bound is reached. Time comes in as a value.
import type { Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import type { TurnOutcome } from "../model/turn-end.ts";
import { formatTime, parseTime } from "../model/value/time.ts";
import { findFallbackAgent } from "../state/agents.ts";

/** `retry`: the turn is owed again. `human`: a person is asked. */
export type Reaction =
  | {
      readonly do: "retry";
      readonly session: "same" | "fresh";
      readonly notBefore?: string;
      readonly agent?: string;
    }
  | { readonly do: "human" };

export interface TurnEnding {
  readonly outcome: TurnOutcome;
  readonly until?: string | undefined;
}

interface Rule {
  /** How often this end is met by another try; undefined: the step's own `retries`. */
  readonly tries?: number;
  readonly session: "same" | "fresh";
  /** Pauses before the first, second … try, the last one for all further ones. */
  readonly pausesMs?: readonly number[];
  /** Another agent may take over when the tries are used up. */
  readonly mayPassOn?: boolean;
}

const second = 1_000;
const minute = 60 * second;

const rules: Readonly<Record<TurnOutcome, Rule>> = {
  answered: { session: "same" },
  asked: { session: "same" },
  superseded: { session: "same" },
  // The session is a file of the machine that is gone.
  "host-lost": { session: "fresh", tries: 5 },
  "over-budget": { session: "same" },
  interrupted: { session: "same" },
  crashed: { session: "same", pausesMs: [0, 2 * second, 10 * second], mayPassOn: true },
  "timed-out": { session: "same", tries: 0 },
  hung: { session: "same", tries: 1, mayPassOn: true },
  "no-session": { session: "fresh" },
  "refused-tool": { session: "same", tries: 1 },
  garbage: { session: "same", tries: 2 },
  unfinished: { session: "same", tries: 5 },
  "rate-limited": {
    session: "same",
    tries: 6,
    pausesMs: [5 * second, 15 * second, 45 * second, 2 * minute, 5 * minute],
    mayPassOn: true,
  },
  quota: { session: "same", tries: 3, pausesMs: [15 * minute, 30 * minute, 60 * minute], mayPassOn: true },
  "context-overflow": { session: "fresh", tries: 1, mayPassOn: true },
  "too-much-output": { session: "fresh", tries: 1, mayPassOn: true },
  auth: { session: "same", tries: 0, mayPassOn: true },
  "unknown-model": { session: "same", tries: 0, mayPassOn: true },
  misconfigured: { session: "same", tries: 0, mayPassOn: true },
  // The CLI itself has tried for a while before it says so.
  unreachable: { session: "same", tries: 1, pausesMs: [5 * second], mayPassOn: true },
};

/** Ends after which continuing in the same session is of no use, however it is started again. */
export const mustEndSession = (outcome: TurnOutcome): boolean => rules[outcome].session === "fresh";

/** Ends that say nothing against the agent: they count towards no bound. */
export const harmless: readonly TurnOutcome[] = [
  "answered",
  "asked",
  "superseded",
  "host-lost",
  "over-budget",
  "interrupted",
];

/** Who says that it asked and did not has failed like any other. */
export function hasFailed(turn: Turn, outcome: TurnOutcome): boolean {
  return outcome === "asked" ? turn.claim?.verb !== "ask-human" : !harmless.includes(outcome);
}

/** One more end. Attempts that were lost count towards the step's retries; the other ends have bounds of their own. */
export function countTurnEnd(turn: Turn, outcome: TurnOutcome): Pick<Turn, "failures" | "ends"> {
  const isLost = hasFailed(turn, outcome) && (rules[outcome].tries === undefined || outcome === "hung");
  return {
    failures: turn.failures + (isLost ? 1 : 0),
    ends: { ...turn.ends, [outcome]: (turn.ends?.[outcome] ?? 0) + 1 },
  };
}

/** Attempts of one turn that may go down with a driver before they are taken for the agent's own doing. */
const lossesWithDriver = 5;

/**
 * Whether an attempt that nobody saw end went down with its driver: it was started by an earlier one. What killed the one
 * killed the other, most likely; an agent that ends its own drivers is stopped by the bound.
 */
export function hasDiedWithDriver({ driver }: State, turn: Turn, outcome: TurnOutcome): boolean {
  if (outcome !== "crashed" || driver === undefined || turn.startedAt === undefined) return false;
  return driver.at > turn.startedAt && (turn.ends?.superseded ?? 0) < lossesWithDriver;
}

/** No failure of the agent; but work that brings one machine down after the other is not tried for ever. */
const hasLostTooManyHosts = ({ ends }: Turn, outcome: TurnOutcome): boolean =>
  outcome === "host-lost" && (ends?.[outcome] ?? 0) > (rules[outcome].tries ?? 0);

/** After this many failed attempts the session itself may be what is broken. */
const freshAfter = 2;

/** The reaction to the newest end; `turn` has it counted already. */
export function chooseReaction(
  state: State,
  turn: Turn,
  ended: TurnEnding,
  retries: number,
  at: string,
): Reaction {
  const rule = rules[ended.outcome];
  if (hasLostTooManyHosts(turn, ended.outcome)) return { do: "human" };
  if (!hasFailed(turn, ended.outcome)) return { do: "retry", session: rule.session };
  const times = rule.tries === undefined ? turn.failures : (turn.ends?.[ended.outcome] ?? 1);
  const mayWait = ended.outcome !== "quota" || state.config.wait_for_quota;
  const other = rule.mayPassOn ? findFallbackAgent(state, turn) : undefined;
  // Waiting for hours is worse than another agent, another agent worse than a short pause.
  const passesOn = other !== undefined && (ended.outcome === "quota" || times > (rule.tries ?? retries));
  if (passesOn) return { do: "retry", session: "fresh", agent: other };
  if (times > (rule.tries ?? retries) || !mayWait) return { do: "human" };
  const wait = computeNotBefore(rule, ended, times, at);
  return { do: "retry", session: getSessionAfter(rule, turn), ...(wait ? { notBefore: wait } : {}) };
}

function getSessionAfter(rule: Rule, turn: Turn): "same" | "fresh" {
  return rule.tries === undefined && turn.failures >= freshAfter ? "fresh" : rule.session;
}

function computeNotBefore(rule: Rule, { until }: TurnEnding, times: number, at: string): string | undefined {
  const pauses = rule.pausesMs ?? [];
  const pause = pauses[Math.min(times, pauses.length) - 1] ?? 0;
  const named = until === undefined ? Number.NaN : parseTime(until);
  // A moment the CLI names counts, unless it is already over.
  const when = named > parseTime(at) ? named : parseTime(at) + pause;
  return when > parseTime(at) ? formatTime(when) : undefined;
}
