// The rows of a screen that lists things: a row may be about a bubble, which a screen that stays lets a person choose.
import { measureWidth } from "../../terminal/style.ts";

export interface ScreenRow {
  /** One line, or several that belong together. */
  readonly text: string;
  readonly bubble?: string | undefined;
  /** What of the bubble it is about, where more than one thing of it is listed. */
  readonly item?: string | undefined;
}

/** Rows that are about nothing that can be chosen. */
export const toPlainRows = (texts: readonly string[]): ScreenRow[] => texts.map((text) => ({ text }));

export const joinRows = (rows: readonly ScreenRow[]): string => rows.map(({ text }) => text).join("\n");

/** Lines that the rows take on a terminal, which breaks what is too long for it. */
export function countScreenLines(rows: readonly ScreenRow[], width: number): number {
  const lines = rows.flatMap(({ text }) => text.split("\n"));
  if (!Number.isFinite(width) || width <= 0) return lines.length;
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(measureWidth(line) / width)), 0);
}
