// Records of an earlier tool that used the same folder: one JSON object a line, without a chain. They are never folded: nothing
// in them is proven. They are told apart from records of this program, and shown line by line.

import { isForeignLine } from "../model/record/envelope.ts";

/** One line as it is shown. */
export interface ForeignLine {
  readonly at: string;
  readonly from: string;
  readonly type: string;
  readonly round: number | null;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Nothing was begun, or nothing is expected any more. */
const statesAtRest = ["CREATED", "DONE", "FAILED", "CANCELLED"];

/** Whether a transcript's first line was written by another tool. */
export const isForeignRecord = (firstLine: string): boolean => isForeignLine(parse(firstLine));

/** The state that another tool has left, and whether nothing can be at work in it. */
export function readForeignState(text: string | undefined): {
  readonly state: string;
  readonly isAtRest: boolean;
} {
  const state = toText(parse(text ?? "").state) || "unknown";
  return { state, isAtRest: statesAtRest.includes(state) };
}

/** Every line that can be read, in order. */
export function listForeignLines(text: string): ForeignLine[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => toLine(parse(line)));
}

function toLine({ ts, sender, type, round, payload }: Fields): ForeignLine {
  const said = typeof payload === "object" && payload !== null ? (payload as Fields) : {};
  const words = [said.summary, said.question, said.message, said.decision, said.reason].map(toText);
  return {
    at: toText(ts),
    from: toText(sender) || "unknown",
    type: toText(type) || "unreadable",
    round: typeof round === "number" ? round : null,
    text: words.find(Boolean) ?? "",
  };
}

function parse(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Fields) : {};
  } catch {
    return {};
  }
}

const toText = (value: unknown): string =>
  typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
