// The JSON answer of an agent that knows no form of answers: how it is asked for, and where it stands in what was said.
// Strict on purpose: a guess at what was meant could hand over something that nobody meant. Whether the answer is a good
// one is the referee's business.

import { readJsonAnswer } from "../../core/review/dialect/strict-json.ts";
import { extractDocument } from "../../core/schema/around.ts";
import { tryParseJson } from "../../core/text/json.ts";
import type { TurnRequest } from "../../ports/agent/adapter.ts";

export interface FoundAnswer {
  readonly answer: unknown;
  /** The text it was found in: whether that is a whole review is not judged here. */
  readonly text: string;
}

/** The answer that ends a message or an output, by the one rule for what may stand around it. */
export function findAnswer(text: string): FoundAnswer | undefined {
  const held = extractDocument(text);
  const answer = held.ok ? tryParseJson(held.json) : undefined;
  return typeof answer === "object" && answer !== null && !Array.isArray(answer)
    ? { answer, text }
    : undefined;
}

/** Why a text ends with no answer, in a sentence; undefined where nothing of it looks like one. */
export function explainMissingAnswer(text: string): string | undefined {
  const read = readJsonAnswer(text);
  return read.ok || !/[{[]/.test(text) ? undefined : read.problem;
}

/** The prompt with the form of the answer, for programs that take no schema of their own. */
export function addAnswerForm({
  prompt,
  answerSchema,
}: Pick<TurnRequest, "prompt" | "answerSchema">): string {
  const form = "When you are done, your last message is one JSON object and nothing else";
  return `${prompt}\n\n${form}. It follows this JSON Schema:\n\n${JSON.stringify(answerSchema)}\n`;
}
