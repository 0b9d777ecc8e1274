// Whether a turn continues in an agent's earlier session. Producers remember; critics start fresh, unless the bubble
// is configured otherwise. A second attempt of one turn always continues where the first broke off.
import type { StepOf } from "../model/program.ts";
import type { Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import { isSameHost } from "../state/hosts.ts";
import { findStep, isCritic } from "../state/workflow-position.ts";
import { isGateTurn } from "./chain.ts";

export interface SessionChoice {
  /** The session to resume, or undefined: a new one. */
  readonly resume?: string;
}

export function chooseSession(state: State, turn: Turn, step: StepOf<"turn">): SessionChoice {
  if (turn.startFresh) return {};
  if (turn.attempt > 0 && turn.session && isHere(state, turn)) return { resume: turn.session };
  if (step.last_session === "resumed" && isGateTurn(state)) return buildGateSession(state, turn);
  const fresh =
    step.session === "fresh" &&
    !(isCritic(state, turn.role) && state.config.reviewer_context_mode === "persistent");
  const known = findSession(state, turn);
  return fresh || !known ? {} : { resume: known };
}

/** The gate of a chain continues in the session it has judged in before, by its recorded id. */
function buildGateSession(state: State, turn: Turn): SessionChoice {
  const known = findSession(state, turn);
  return known ? { resume: known } : {};
}

/** The session kept under a turn's name. */
function findSession(state: State, turn: Turn): string | undefined {
  return isHere(state, turn) ? state.sessions[getSessionKey(state, turn)] : undefined;
}

/** Whether it was made on the machine where the bubble is driven now. */
function isHere(state: State, turn: Turn): boolean {
  const host = state.sessionHosts?.[getSessionKey(state, turn)];
  return host === undefined || state.driver === undefined || isSameHost(host, state.driver.host);
}

/** Under which name a turn's session is kept: a gate's is its own, even where its agent has other places in the chain. */
export function getSessionKey(state: State, turn: Pick<Turn, "agent" | "role" | "step">): string {
  const step = findStep(state, turn.step);
  const isGate = step?.kind === "turn" && step.last_session !== undefined && isGateTurn(state);
  return isGate ? `${turn.agent}/${turn.role}/gate of ${step.task}` : `${turn.agent}/${turn.role}`;
}
