// A finding counts without proof, and says so: proven is what has evidence and, where it names a place, a true one.
import type { ReviewFacts } from "../model/command.ts";
import { placeIn, placeKey } from "./citations.ts";
import { hasEvidence, type Numbered } from "./ledger.ts";

/** The finding, marked when its place does not stand in the tree. Without facts nothing is said about it. */
export function provenIn(finding: Numbered, facts: ReviewFacts | undefined): Numbered {
  const { file } = finding;
  if (!facts || file === undefined || !hasEvidence(finding)) return finding;
  const problem = facts.places[placeKey(placeIn({ ...finding, file }))];
  const isNamed = finding.line === undefined && finding.quote === undefined && facts.files.includes(file);
  return problem === null || isNamed ? finding : { ...finding, proven: false };
}
