// `llvm-cov export`, which `cargo llvm-cov --json` hands on: sums for each set of binaries.
import { added, type Figures, table } from "./figures.ts";

export function llvmExport(report: unknown): Figures | undefined {
  const { type, data: sets } = table(report);
  if (type !== "llvm.coverage.json.export" || !Array.isArray(sets)) return undefined;
  const lines = sets.map((set) => table(table(table(set).totals).lines));
  return added(lines.map(({ count, covered }) => ({ total: count, covered })));
}
