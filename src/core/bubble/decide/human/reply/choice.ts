// What a choice means, for the check of an answer and for what it sets going.
import type { CommandOf } from "../../../../model/command.ts";
import type { QuestionKind } from "../../../../model/record/question-kind.ts";
import type { Question } from "../../../../model/state/turn.ts";
import type { State } from "../../../../model/state.ts";
import { findFallbackAgent } from "../../../../state/agents.ts";
import { baseGatesQuestion } from "../../gates/base.ts";
import { finalGatesQuestion } from "../../gates/final.ts";

export type Reply = CommandOf<"reply">;

/** Choices that waive something need a reason; they are a human's signature. */
const waiving = ["accept", "waive"];

/** Questions of a running turn or effect take plain words too: the first option is meant. */
export const plainIsFirst: readonly QuestionKind[] = [
  "watchdog",
  "lost-agent",
  "undelivered",
  "refused",
  "gates",
  finalGatesQuestion,
  baseGatesQuestion,
  "context",
];

export const findNextAgent = ({ turn, ...rest }: State) =>
  turn && turn.status !== "claimed" ? findFallbackAgent({ ...rest, turn }, turn) : undefined;

/** An agent's own options are words to it; whatever they are called, they decide nothing here. */
export const isDeciding = (question: Question) => question.kind !== "agent";

export function isWaiver(question: Question, choice: string | undefined): boolean {
  return isDeciding(question) && choice !== undefined && waiving.includes(choice);
}
