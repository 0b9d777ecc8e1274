// `coverage json` of coverage.py: the sums stand under `totals`.
import { buildFigures, type Figures, readTable } from "./figures.ts";

export function readCoveragePy(report: unknown): Figures | undefined {
  const { totals } = readTable(report);
  return buildFigures(readTable(totals).num_statements, readTable(totals).covered_lines);
}
