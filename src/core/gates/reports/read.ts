// Coverage from a tool's own report, whichever of the known formats it is in. What cannot be read is no figure, and
// never an exception: reports are written by programs that an agent may have changed.
import { tryParseJson } from "../../text/json.ts";
import { readCobertura } from "./cobertura.ts";
import { readCoveragePy } from "./coverage-py.ts";
import type { Figures } from "./figures.ts";
import { goProfile } from "./go.ts";
import { readIstanbulFinal, readIstanbulSummary } from "./istanbul.ts";
import { readJacoco } from "./jacoco.ts";
import { readLcov } from "./lcov.ts";
import { readLlvmExport } from "./llvm.ts";

const ofJson = [readLlvmExport, readIstanbulSummary, readCoveragePy, readIstanbulFinal];
const ofText = [goProfile, readJacoco, readCobertura, readLcov];

/** Percent of lines (of statements, for Go) that the report says are covered; undefined when it cannot be read. */
export function readCoverage(report: string): number | undefined {
  const text = report.replace(/^\uFEFF/, "").trimStart();
  const found = /^[{[]/.test(text) ? readFirst(ofJson, tryParseJson(text)) : readFirst(ofText, text);
  return found && Math.floor((found.covered / found.total) * 10_000 + 1e-9) / 100;
}

function readFirst<T>(
  readers: readonly ((report: T) => Figures | undefined)[],
  report: T,
): Figures | undefined {
  for (const read of readers) {
    const found = read(report);
    if (found) return found;
  }
  return undefined;
}
