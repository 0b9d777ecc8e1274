// Who gives the command, and whether it may be given now: the first check of every agent verb.
import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { maxRefusals } from "../../../limits/rounds.ts";
import { countWarningsOfTurn, maxWarnings } from "../../../limits/warning-limit.ts";
import type { Actor } from "../../../model/command.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import type { Speaker } from "../../../permission/capability.ts";
import { retryOptions } from "../../../questions/common-options.ts";

export type ClaimDecision = Refusal | { repeats: number } | undefined;
export interface Claimant {
  readonly turn: Turn;
  readonly byOperator: boolean;
}

/** Finds out who speaks; writes a warning when it is not their turn. */
export function findClaimant(batch: DecisionBatch, who: Speaker): Claimant | { result: ClaimDecision } {
  const { state } = batch;
  if ("repeats" in who) return { result: who };
  if ("refusal" in who) {
    writeWarning(batch, who.refusal);
    return { result: who.refusal };
  }
  const wait = checkWaiting(state, who.turn);
  if (!wait) return who;
  writeWarning(batch, wait, who.turn);
  return { result: wait };
}

/** A bubble that waits for a human takes no claims, except that a silent agent's next verb withdraws the watchdog's question. */
function checkWaiting(state: State, turn: Turn): Refusal | undefined {
  if (state.lifecycle === "RUNNING") return undefined;
  const blocking = state.questions.filter(
    (question) => question.kind !== "watchdog" && question.kind !== "undelivered",
  );
  if (state.lifecycle === "WAITING_HUMAN" && blocking.length === 0) return undefined;
  const question = blocking[0];
  return refuse(
    state.lifecycle === "WAITING_HUMAN" ? "bubble.waiting-human" : "bubble.not-running",
    question
      ? `${turn.agent}'s turn is paused: a human must answer ${question.id} first`
      : `the bubble is ${state.lifecycle}`,
    question
      ? `pairflow bubble reply --id ${state.bubbleId} --message "…"`
      : `pairflow bubble status --id ${state.bubbleId}`,
  );
}

export function withdrawWatchdog(batch: DecisionBatch, agent: string): void {
  for (const question of batch.state.questions) {
    if (question.kind === "watchdog" || question.kind === "undelivered")
      batch.write("QUESTION_WITHDRAWN", { question: question.id, why: `${agent} spoke again` });
  }
}

/** A refused claim is on the record. A review refused for the third time in its turn goes to a human. */
export function recordRefusedClaim(
  batch: DecisionBatch,
  refusal: Refusal,
  turn: Turn,
  actor: Actor,
): Refusal {
  const times = (turn.refusedReviews ?? 0) + 1;
  writeWarning(batch, refusal, turn);
  if (actor.kind !== "agent" || !isReviewRefusal(refusal.code) || times <= maxRefusals) return refusal;
  batch.write("HUMAN_QUESTION", {
    question: clip(
      `${turn.agent} (${turn.role}) handed in ${times} reviews that cannot count; the last one: ${[refusal.message, ...(refusal.details ?? [])].join("; ")}. What now?`,
      4000,
    ),
    kind: "refused",
    turn: turn.id,
    options: retryOptions(batch.state, "the agent tries again with your message"),
  });
  return refusal;
}

/** Refusals that are about the review itself. */
export const isReviewRefusal = (code: string): boolean => code.startsWith("review.");

/**
 * A refused claim is on the record, up to a bound for each turn: an agent that continues claiming fills no log. Reviews have
 * a bound of their own, behind which a human is asked.
 */
export function writeWarning(batch: DecisionBatch, refusal: Refusal, turn?: Turn): void {
  const before = countWarningsOfTurn(batch.state);
  const isBounded = turn !== undefined && isReviewRefusal(refusal.code);
  if (before >= maxWarnings && !isBounded) return;
  const isLast = before + 1 === maxWarnings;
  const rest = `; ${maxWarnings} warnings in this turn: further refused claims are not written down`;
  batch.write("WARNING", {
    code: refusal.code,
    message: isLast ? `${clip(refusal.message, 3800)}${rest}` : refusal.message,
    ...(turn ? { agent: turn.agent, turn: turn.id } : {}),
    ...(refusal.details ? { details: refusal.details.slice(0, 20) } : {}),
  });
}
