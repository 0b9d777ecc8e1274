// All checks of a document that need no judgement, by name. Whether it can be built and whether its statements agree in
// meaning is asked of critics; whether it is understood, of a human.
import { type CheckName, checkNames } from "./check-names.ts";
import { checkAmbiguity } from "./checks/ambiguity.ts";
import { checkCompleteness } from "./checks/completeness.ts";
import { checkConsistency } from "./checks/consistency.ts";
import { checkTraceability } from "./checks/traceability.ts";
import { type DocumentProblem, type DocumentReading, readDocument } from "./problem.ts";

const checks = {
  completeness: checkCompleteness,
  ambiguity: checkAmbiguity,
  consistency: checkConsistency,
  traceability: checkTraceability,
} satisfies Record<CheckName, (reading: DocumentReading) => DocumentProblem[]>;

export interface CheckResult {
  readonly name: CheckName;
  readonly ok: boolean;
  /** In the order of the lines. */
  readonly problems: readonly DocumentProblem[];
}

/** Checks a document by the named checks, or by all of them. */
export function checkDocument(markdown: string, names: readonly CheckName[] = checkNames): CheckResult[] {
  const reading = readDocument(markdown);
  return checkNames
    .filter((name) => names.includes(name))
    .map((name) => {
      const problems = checks[name](reading).sort((a, b) => a.line - b.line);
      return { name, ok: problems.length === 0, problems };
    });
}
