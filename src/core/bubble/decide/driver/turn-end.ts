// A turn's process is over, or has told something about itself: its session, what it used, that a budget is spent.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { advance, hasRouteFor } from "../../../interpreter/interpret.ts";
import {
  addPrice,
  describeBudgetLines,
  hasChildrenAtWork,
  listSpentBudgets,
  mayBeStopped,
} from "../../../limits/budget.ts";
import { chooseReaction, countTurnEnd, hasDiedWithDriver } from "../../../limits/reactions.ts";
import { maxHookLines } from "../../../limits/warning-limit.ts";
import type { Actor, CommandOf } from "../../../model/command.ts";
import { refuse } from "../../../model/refusal.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import type { TurnOutcome } from "../../../model/turn-end.ts";
import { clip } from "../../../model/value/sizes.ts";
import {
  acceptLastTree,
  rejectChildrenOption,
  rejectOption,
  retryOptions,
} from "../../../questions/common-options.ts";
import { isSameHost } from "../../../state/hosts.ts";
import { listOpenFindings } from "../../../state/severity.ts";
import { getCurrentStep } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";

/** It ended without handing over: the policy says what follows, within bounds, and a human beyond them. */
export const decideTurnEnded: Rule<"turn-ended"> = (batch, command) => {
  const turn = batch.state.turn;
  if (turn?.id !== command.turn || turn.status !== "running" || turn.attempt !== command.attempt)
    return refuseNotDue(`the end of ${command.turn}`);
  if (!isItsOwn(turn, command.actor)) return foreign;
  if (command.outcome === "host-lost") return refuseNotDue(`the loss of the host of ${command.turn}`);
  if (hasUnreadAnswer(batch.state, turn, command.outcome))
    endTurn(batch, turn, { ...afterAsking, ...pickSessionless(turn, command) });
  else if (command.unseen && hasDiedWithDriver(batch.state, turn, command.outcome))
    endTurn(batch, turn, { ...undriven, ...pickSessionless(turn, command) });
  else endTurn(batch, turn, { ...command, ...pickSessionless(turn, command) });
};

/**
 * A driver on another machine has taken over, and with it nobody sees the attempt's process or its files: what it claimed can
 * never be looked at. It ends together with the claim of the place, so that no driver ever finds it there.
 */
export function endTurnOfLostHost(batch: DecisionBatch): void {
  const { turn, driver } = batch.state;
  if (!turn?.host || !driver || turn.status === "due" || isSameHost(turn.host, driver.host)) return;
  const work = turn.status === "claimed" ? "; what it handed over was never looked at" : "";
  endTurn(batch, turn, {
    outcome: "host-lost",
    detail: `it ran on ${turn.host}, and the bubble is driven on ${driver.host} now${work}; the turn starts again from the recorded tree`,
  });
}

/** Only a session that this very attempt should have begun can be missing. */
const pickSessionless = (turn: Turn, { sessionless }: CommandOf<"turn-ended">): Pick<End, "sessionless"> => ({
  sessionless: sessionless === true && turn.fresh === true,
});

const afterAsking = {
  outcome: "asked",
  detail: "its process is gone; the answer goes into the next prompt",
} as const;

const undriven = {
  outcome: "superseded",
  detail: "its process ended while nobody drove the bubble; that is not counted as a failure of the agent",
} as const;

/** It asked and ended, and the human was quicker than the report of its end: nothing was lost. */
function hasUnreadAnswer({ deliveries }: State, turn: Turn, outcome: TurnOutcome): boolean {
  return (
    outcome === "crashed" &&
    turn.claim?.verb === "ask-human" &&
    deliveries.some((delivery) => delivery.turn === turn.id)
  );
}

interface End {
  readonly outcome: TurnOutcome;
  readonly detail: string;
  readonly until?: string | undefined;
  /** The session was never begun: no other attempt can continue in it. */
  readonly sessionless?: boolean | undefined;
}

/** Writes the end and what follows from it. */
export function endTurn(batch: DecisionBatch, turn: Turn, end: End): void {
  const { outcome, until } = end;
  const step = getCurrentStep(batch.state);
  const retries = step?.kind === "turn" ? step.retries : 0;
  const reaction = chooseReaction(
    batch.state,
    { ...turn, ...countTurnEnd(turn, outcome) },
    end,
    retries,
    batch.at,
  );
  const ended = {
    turn: turn.id,
    attempt: turn.attempt,
    outcome,
    detail: clip(end.detail, 4000),
    ...(until ? { until } : {}),
    ...(end.sessionless ? { sessionless: true } : {}),
  };
  if (reaction.do === "retry") {
    const { notBefore, agent } = reaction;
    const session = end.sessionless ? "fresh" : reaction.session;
    const next = { session, ...(notBefore ? { not_before: notBefore } : {}), ...(agent ? { agent } : {}) };
    batch.write("TURN_ENDED", { ...ended, next });
    return;
  }
  batch.write("TURN_ENDED", ended);
  if (batch.state.lifecycle !== "RUNNING") return;
  const lost = `${turn.agent} (${turn.role}) ended without handing over: ${outcome}. ${clip(end.detail, 1500)}`;
  if (hasRouteFor(batch.state, "fail")) advance(batch, "fail", lost, { error: lost });
  else askAbout(batch, turn, end);
}

/** What a person should know and can do, for each way to end. */
const advice: Readonly<Partial<Record<TurnOutcome, string>>> = {
  "host-lost": "One machine after the other was lost during this turn: look at what its agent runs there.",
  auth: "Log in with the agent's own CLI, then choose retry.",
  "unknown-model":
    "Name a model that its account may use (`model` of the agent in bubble.toml), then choose retry.",
  misconfigured:
    "Correct its settings in bubble.toml ([agent.<name>]) or install another version, then choose retry.",
  unreachable:
    "Its provider cannot be reached: look at the network and the proxy settings, then choose retry.",
  quota:
    "Its account is used up; choose retry when it may be used again, or give the agent a fallback in bubble.toml.",
  "rate-limited": "Its provider refuses requests for now.",
  "refused-tool":
    "It needs a tool it is not allowed to use: allow it in bubble.toml, or tell it how to do without.",
  garbage: "Its answers are not in the form that was asked for.",
  "too-much-output":
    "It prints without end, in a new session too: look at its output, then at what its prompt makes it run.",
  "context-overflow":
    "The conversation is too long for its model, in a new session too: make the task smaller or choose another model.",
};

function askAbout(batch: DecisionBatch, turn: Turn, { outcome, detail }: End): void {
  const tries = Object.values(batch.state.turn?.ends ?? {}).reduce((sum, times) => sum + times, 0);
  const often = tries > 1 ? ` (${tries} attempts)` : "";
  const words = advice[outcome] ? ` ${advice[outcome]}` : "";
  batch.write("HUMAN_QUESTION", {
    question: `${turn.agent} (${turn.role}) ended without handing over${often}: ${outcome}. ${clip(detail, 500)}${words}`,
    kind: "lost-agent",
    turn: turn.id,
    options: retryOptions(batch.state, "starts the agent again; your message is put into its prompt"),
  });
}

export const decideTurnSession: Rule<"turn-session"> = (batch, command) => {
  const { turn: id, attempt, session } = command;
  const turn = batch.state.turn;
  if (turn?.id !== id || turn.attempt !== attempt || turn.session === session || isNoisy(turn))
    return refuseNotDue(`the session of ${id}.${attempt}`);
  if (!isItsOwn(turn, command.actor)) return foreign;
  batch.write("TURN_SESSION", { turn: id, attempt, session });
};

/** A dialog of the agent's own CLI opened or closed in its pane: nothing the referee can answer, but somebody should look. */
export const decideTurnWaiting: Rule<"turn-waiting"> = (batch, command) => {
  const { turn: id, attempt } = command;
  const what = command.what === null ? null : clip(command.what, 900);
  const turn = batch.state.turn;
  const isNews = what === null ? turn?.waitsFor !== undefined : turn?.waitsFor?.what !== what;
  const isTooMuch = what !== null && turn !== undefined && isNoisy(turn);
  if (turn?.id !== id || turn.attempt !== attempt || turn.status !== "running" || !isNews || isTooMuch)
    return refuseNotDue(`what ${id}.${attempt} waits for`);
  if (!isItsOwn(turn, command.actor)) return foreign;
  batch.write("TURN_WAITING", { turn: id, attempt, what });
};

/** A CLI whose hooks never rest is not written down for ever. */
const isNoisy = ({ hookLines = 0 }: Turn): boolean => hookLines >= maxHookLines;

/** Hooks inside an agent's process speak with its capability, and only for its own attempt. */
function isItsOwn(turn: Turn, actor: Actor): boolean {
  return (
    actor.kind !== "agent" ||
    (actor.turn === turn.id && actor.attempt === turn.attempt && actor.capability === turn.capability)
  );
}

const foreign = refuse("turn.stale", "this session speaks for another turn", "end this session");

/** What an attempt used: once for each attempt, while it runs or after it is over. */
export const decideUsage: Rule<"usage"> = (batch, command) => {
  const { turn: id, attempt } = command;
  const turn = [batch.state.turn, batch.state.lastTurn].find((known) => known?.id === id);
  if (!turn || attempt > turn.attempt || attempt <= (turn.measured ?? 0))
    return refuseNotDue(`the usage of ${id}.${attempt}`);
  const { agent, role } = turn;
  const figures = addPrice(command.usage, batch.state.config.agent[agent]);
  batch.write("TURN_USAGE", { turn: id, attempt, agent, role, usage: figures });
};

const listTurnOptions = (state: State) => [
  ...acceptLastTree(state),
  { key: "continue", does: "grants the same budget once more; your message goes to the agent" },
  rejectOption(state),
];

/** Until this is answered no child begins a turn. */
const forChildren = [
  { key: "continue", does: "grants the same budget once more; the children continue where they are" },
  rejectChildrenOption,
];

/** A hard limit is reached: the running turn ends, and a human says how this continues. */
export const checkBudget: Rule<"check-budget"> = (batch, { children }) => {
  const { state, at } = batch;
  const spent = listSpentBudgets(state, at, undefined, children);
  const { turn } = state;
  if (!mayBeStopped(state) || spent.length === 0) return refuseNotDue("the question about the budget");
  const sentence = describeBudgetLines(spent);
  if (turn?.status === "running")
    endTurn(batch, turn, { outcome: "over-budget", detail: `the budget is used up: ${sentence}` });
  const together = hasChildrenAtWork(state);
  batch.write("HUMAN_QUESTION", {
    question: `The budget of ${state.bubbleId}${together ? " and its children" : ""} is used up: ${sentence}. How shall this continue?`,
    kind: "budget",
    ...(turn ? { turn: turn.id } : {}),
    options: together ? forChildren : listTurnOptions(state),
    findings: listOpenFindings(state).map(({ id }) => id),
  });
};
