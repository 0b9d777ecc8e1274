// Rows under one another. No boxes: two or three spaces and a common edge are enough.
import { measureWidth, wrap } from "../terminal/style.ts";

/** A row of a status. */
export type StatusRow = readonly [label: string, text: string];

/** Lines whose cells begin in the same column; an empty last cell leaves no spaces behind. */
export function renderTable(rows: readonly (readonly string[])[], gap = 3): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, measureWidth(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, i) => pad(cell, (widths[i] ?? 0) + gap))
      .join("")
      .trimEnd(),
  );
}

/** The text with spaces behind it up to a width. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureWidth(text)));
}

export const labelWidth = 11;

/**
 * A block of labelled lines, as under the head line of a status: `  now      codex · implementer`. With a width, what is
 * longer continues below its beginning.
 */
export function renderLabelled(
  rows: readonly (readonly [label: string, text: string])[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  let before = "";
  return rows.map(([label, text]) => {
    const shown = label === before ? "" : label;
    before = label;
    return wrap(`${pad(`  ${shown}`, labelWidth)}${text}`, width, labelWidth);
  });
}

/** `1 finding`, `2 findings`. */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
