// `llvm-cov export`, which `cargo llvm-cov --json` hands on: sums for each set of binaries.
import { addFigures, type Figures, readTable } from "./figures.ts";

export function readLlvmExport(report: unknown): Figures | undefined {
  const { type, data: sets } = readTable(report);
  if (type !== "llvm.coverage.json.export" || !Array.isArray(sets)) return undefined;
  const lines = sets.map((set) => readTable(readTable(readTable(set).totals).lines));
  return addFigures(lines.map(({ count, covered }) => ({ total: count, covered })));
}
