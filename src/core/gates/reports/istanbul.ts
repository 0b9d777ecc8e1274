// What istanbul writes, and with it nyc, jest, vitest and c8: coverage-summary.json with the sums, or
// coverage-final.json with every statement.
import { added, type Figures, figures, table } from "./figures.ts";

/** `total.lines` of coverage-summary.json. */
export function istanbulSummary(report: unknown): Figures | undefined {
  const lines = table(table(table(report).total).lines);
  return figures(lines.total, lines.covered);
}

/** coverage-final.json: a line is covered when a statement that begins on it ran. */
export function istanbulFinal(report: unknown): Figures | undefined {
  const files = Object.values(table(report)).map(table);
  if (files.length === 0 || files.some((file) => !("statementMap" in file) || !("s" in file)))
    return undefined;
  return added(files.map(linesOf));
}

function linesOf(file: Readonly<Record<string, unknown>>): Figures {
  const counts = table(file.s);
  const lines = new Map<unknown, boolean>();
  for (const [id, place] of Object.entries(table(file.statementMap))) {
    const { line } = table(table(place).start);
    const ran = Number(counts[id]) > 0;
    lines.set(line, lines.get(line) === true || ran);
  }
  return { total: lines.size, covered: [...lines.values()].filter(Boolean).length };
}
