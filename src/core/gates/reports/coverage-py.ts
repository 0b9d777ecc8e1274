// `coverage json` of coverage.py: the sums stand under `totals`.
import { type Figures, figures, table } from "./figures.ts";

export function coveragePy(report: unknown): Figures | undefined {
  const { totals } = table(report);
  return figures(table(totals).num_statements, table(totals).covered_lines);
}
