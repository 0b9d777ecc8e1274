// The JSON answer of an agent that knows no form of answers: how it is asked for, and where it stands in what was said.
// Strict on purpose: a guess at what was meant could hand over something that nobody meant. Whether the answer is a good
// one is the referee's business.
import type { TurnRequest } from "../../ports/agent.ts";

export interface FoundAnswer {
  readonly answer: unknown;
  /** The text it was found in: whether that is a whole review is not judged here. */
  readonly text: string;
}

/** The answer in a model's last message: the whole message is one JSON object, or a fenced JSON block ends it. */
export function answerInMessage(message: string): FoundAnswer | undefined {
  return objectIn(message) ?? fencedAtEnd(message);
}

/** The answer in a program's output: all of it is one JSON value, a fenced JSON block ends it, or the last line that is a JSON object. */
export function answerInOutput(output: string): FoundAnswer | undefined {
  return valueIn(output) ?? fencedAtEnd(output) ?? lastObjectLine(output);
}

function valueIn(text: string): FoundAnswer | undefined {
  try {
    return { answer: JSON.parse(text), text };
  } catch {
    return undefined;
  }
}

function objectIn(text: string): FoundAnswer | undefined {
  const found = valueIn(text);
  const isObject = typeof found?.answer === "object" && found.answer !== null && !Array.isArray(found.answer);
  return isObject ? found : undefined;
}

/** One JSON object a line, the last one counts; other lines are the program's talk, and what is indented is part of something. */
function lastObjectLine(output: string): FoundAnswer | undefined {
  const found = output
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [objectIn(line)] : []))
    .filter((line) => line !== undefined);
  const last = found.at(-1);
  return last && found.length > 1 ? { ...last, text: output } : last;
}

function fencedAtEnd(text: string): FoundAnswer | undefined {
  const lines = text.trimEnd().split("\n");
  if (lines.at(-1)?.trim() !== "```") return undefined;
  const opening = lines.slice(0, -1).findLastIndex((line) => line.trimStart().startsWith("```"));
  const language = lines[opening]?.trim().slice(3).trim().toLowerCase();
  if (language !== "" && language !== "json") return undefined;
  const found = objectIn(lines.slice(opening + 1, -1).join("\n"));
  return found && { ...found, text };
}

/** The prompt with the form of the answer, for programs that take no schema of their own. */
export function promptWithForm({
  prompt,
  answerSchema,
}: Pick<TurnRequest, "prompt" | "answerSchema">): string {
  const form = "When you are done, your last message is one JSON object and nothing else";
  return `${prompt}\n\n${form}. It follows this JSON Schema:\n\n${JSON.stringify(answerSchema)}\n`;
}
