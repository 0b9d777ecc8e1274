// Whether a gate that passed also covers enough, by the report its tool wrote while it ran. No report is never enough.
import type { Gate, GateResult } from "../../model/gate.ts";

/** What was found of a report. `stale`: one stands there, but this run did not write it. */
export type CoverageReading =
  | { readonly kind: "read"; readonly percent: number }
  | { readonly kind: "stale"; readonly path: string }
  | { readonly kind: "unreadable"; readonly path: string }
  | { readonly kind: "none"; readonly looked: readonly string[] };

export type Coverage = Pick<GateResult, "status" | "coverage" | "threshold" | "hint">;

/** The outcome of a passed gate with a threshold. */
export function judgeCoverage(gate: Gate, reading: CoverageReading): Coverage {
  const threshold = gate.threshold ?? 0;
  if (reading.kind !== "read") return { status: "error", threshold, hint: describeNoReport(gate, reading) };
  const coverage = reading.percent;
  if (coverage >= threshold) return { status: "passed", coverage, threshold };
  return {
    status: "failed",
    coverage,
    threshold,
    hint: `coverage is ${coverage} %, below the threshold of ${threshold} %`,
  };
}

function describeNoReport(gate: Gate, reading: Exclude<CoverageReading, { kind: "read" }>): string {
  if (reading.kind === "stale")
    return `the coverage report ${reading.path} is not from this run: gate ${gate.name} must write it each time`;
  if (reading.kind === "unreadable")
    return `the coverage report ${reading.path} cannot be read: no known format, not one line in it, or too large`;
  const places = reading.looked.slice(0, 3).join(", ");
  const more = reading.looked.length > 3 ? ` and ${reading.looked.length - 3} more places` : "";
  return `no coverage report was found (looked for ${places}${more}): say where it is with report`;
}
