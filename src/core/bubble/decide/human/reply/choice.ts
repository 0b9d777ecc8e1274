// What a choice means, for the check of an answer and for what it sets going.
import type { DecisionBatch } from "../../../../interpreter/batch.ts";
import type { CommandOf } from "../../../../model/command.ts";
import type { QuestionKind } from "../../../../model/record/question-kind.ts";
import type { Question } from "../../../../model/state/turn.ts";
import type { State } from "../../../../model/state.ts";
import { clip } from "../../../../model/value/sizes.ts";
import { findFallbackAgent } from "../../../../state/agents.ts";
import { getVia } from "../door.ts";

export type Reply = CommandOf<"reply">;

/** What a human has answered to a question; without a choice, plain words. */
export interface Answered {
  readonly question: Question;
  readonly choice: string | undefined;
  readonly command: Reply;
}

/** The human gives the bubble up. */
export function cancel(batch: DecisionBatch, { choice = "reject", command }: Answered): void {
  const reason = clip(describeChoice(choice, command.message), 2000);
  batch.write("CANCELLED", { reason, via: getVia(command) });
}

export function describeChoice(choice: string, message: string): string {
  return message ? `the human chose ${choice}: ${message}` : `the human chose ${choice}`;
}

/** Choices that waive something need a reason; they are a human's signature. */
const waiving = ["accept", "waive"];

/** Questions of a running turn or effect take plain words too: the first option is meant. */
export const plainIsFirst: readonly QuestionKind[] = [
  "watchdog",
  "lost-agent",
  "undelivered",
  "refused",
  "gates",
  "final-gates",
  "base-gates",
  "context",
];

export const findNextAgent = ({ turn, ...rest }: State) =>
  turn && turn.status !== "claimed" ? findFallbackAgent({ ...rest, turn }, turn) : undefined;

/** An agent's own options are words to it; whatever they are called, they decide nothing here. */
export const isDeciding = (question: Question) => question.kind !== "agent";

export function isWaiver(question: Question, choice: string | undefined): boolean {
  return isDeciding(question) && choice !== undefined && waiving.includes(choice);
}
