// What istanbul writes, and with it nyc, jest, vitest and c8: coverage-summary.json with the sums, or
// coverage-final.json with every statement.
import { addFigures, buildFigures, type Figures, readTable } from "./figures.ts";

/** `total.lines` of coverage-summary.json. */
export function readIstanbulSummary(report: unknown): Figures | undefined {
  const lines = readTable(readTable(readTable(report).total).lines);
  return buildFigures(lines.total, lines.covered);
}

/** coverage-final.json: a line is covered when a statement that begins on it ran. */
export function readIstanbulFinal(report: unknown): Figures | undefined {
  const files = Object.values(readTable(report)).map(readTable);
  if (files.length === 0 || files.some((file) => !("statementMap" in file) || !("s" in file)))
    return undefined;
  return addFigures(files.map(buildLines));
}

function buildLines(file: Readonly<Record<string, unknown>>): Figures {
  const counts = readTable(file.s);
  const lines = new Map<unknown, boolean>();
  for (const [id, place] of Object.entries(readTable(file.statementMap))) {
    const { line } = readTable(readTable(place).start);
    const ran = Number(counts[id]) > 0;
    lines.set(line, lines.get(line) === true || ran);
  }
  return { total: lines.size, covered: [...lines.values()].filter(Boolean).length };
}
