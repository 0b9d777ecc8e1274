// One gate result as a sentence, the same for critics, people and the package.
import type { GateResult } from "../model/gate.ts";

type Shown = Pick<GateResult, "name" | "status" | "required" | "hint" | "coverage" | "flaky">;

/** `lint: failed (optional, a warning): golangci-lint is not installed`. */
export function describeGateResult({ name, status, required, hint, coverage, flaky }: Shown): string {
  const isGreen = status === "passed" || status === "skipped";
  const optional = required ? "" : isGreen ? " (optional)" : " (optional, a warning)";
  const covered = coverage === undefined ? "" : `, ${coverage.toFixed(1)} % covered`;
  const twice = flaky ? ", flaky: it failed before on this very tree" : "";
  return `${name}: ${status}${optional}${twice}${covered}${hint && status !== "passed" ? `: ${hint}` : ""}`;
}
