// Marks findings as proven or unproven. A finding is proven when it has evidence and, if it names a location, that location
// exists. Unproven findings count too.
import type { ReviewFacts } from "../../model/command.ts";
import { buildLocationKey, normalizeLocation } from "../citations.ts";
import { hasEvidence, type NumberedFinding } from "./ledger.ts";

/** The finding, marked when its place does not stand in the tree. Without facts nothing is said about it. */
export function markUnproven(finding: NumberedFinding, facts: ReviewFacts | undefined): NumberedFinding {
  const { file } = finding;
  if (!facts || file === undefined || !hasEvidence(finding)) return finding;
  const problem = facts.places[buildLocationKey(normalizeLocation({ ...finding, file }))];
  const isNamed = finding.line === undefined && finding.quote === undefined && facts.files.includes(file);
  return problem === null || isNamed ? finding : { ...finding, proven: false };
}
