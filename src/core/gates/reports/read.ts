// Coverage from a tool's own report, whichever of the known formats it is in. What cannot be read is no figure, and
// never an exception: reports are written by programs that an agent may have changed.
import { jsonOrNothing } from "../../text/json.ts";
import { cobertura } from "./cobertura.ts";
import { coveragePy } from "./coverage-py.ts";
import type { Figures } from "./figures.ts";
import { goProfile } from "./go.ts";
import { istanbulFinal, istanbulSummary } from "./istanbul.ts";
import { jacoco } from "./jacoco.ts";
import { lcov } from "./lcov.ts";
import { llvmExport } from "./llvm.ts";

const ofJson = [llvmExport, istanbulSummary, coveragePy, istanbulFinal];
const ofText = [goProfile, jacoco, cobertura, lcov];

/** Percent of lines (of statements, for Go) that the report says are covered; undefined when it cannot be read. */
export function coverageIn(report: string): number | undefined {
  const text = report.replace(/^\uFEFF/, "").trimStart();
  const found = /^[{[]/.test(text) ? first(ofJson, jsonOrNothing(text)) : first(ofText, text);
  return found && Math.floor((found.covered / found.total) * 10_000 + 1e-9) / 100;
}

function first<T>(readers: readonly ((report: T) => Figures | undefined)[], report: T): Figures | undefined {
  for (const read of readers) {
    const found = read(report);
    if (found) return found;
  }
  return undefined;
}
