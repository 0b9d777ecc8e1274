// A paper as a file: where it stands in its tree, and its text, the same wherever it is written, shown or quoted.
import type { PaperValue } from "./kind.ts";

export const getPaperPath = (kind: string): string => `.pairflow/papers/${kind}.json`;

export const serializePaper = (value: PaperValue): string => `${JSON.stringify(value, null, 2)}\n`;

/** The same text with the number of each line in front. */
export function numberPaperLines(value: PaperValue): string {
  const lines = serializePaper(value).trimEnd().split("\n");
  const width = String(lines.length).length;
  return lines.map((line, i) => `${String(i + 1).padStart(width)} | ${line}`).join("\n");
}
