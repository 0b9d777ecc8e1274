// A finding counts without proof, and says so: proven is what has evidence and, where it names a place, a true one.
import type { ReviewFacts } from "../model/command.ts";
import { placeKey } from "./citations.ts";
import type { Numbered } from "./ledger.ts";

/** The finding, marked when its place does not stand in the tree. Without facts nothing is said about it. */
export function provenIn(finding: Numbered, facts: ReviewFacts | undefined): Numbered {
  if (!facts || finding.file === undefined || !finding.evidence) return finding;
  const problem = facts.places[placeKey({ file: finding.file, line: finding.line })];
  const isNamed = finding.line === undefined && facts.files.includes(finding.file);
  return problem === null || isNamed ? finding : { ...finding, proven: false };
}
