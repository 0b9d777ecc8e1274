// A violated SOP is a finding like any other: its severity says whether it stops the loop. Only the SOPs that apply to
// the tree count.
import type { ReviewClaim } from "../../model/command.ts";
import type { NewFinding } from "../../model/review/finding.ts";
import type { State } from "../../model/state.ts";
import { buildSopFinding, sopArea } from "../dialect/derived.ts";

const severities = { error: "P1", warning: "P2", info: "P3" } as const;

/** The claim with one finding for each SOP it says is violated, graded by the SOP; those that do not apply are ignored. */
export function addSopFindings(state: State, claim: ReviewClaim): ReviewClaim {
  const entries = claim.opinion?.sop_review ?? [];
  if (entries.length === 0) return claim;
  const applying = new Map(state.tree?.context?.sops.map(({ id, severity }) => [id, severity]));
  const violated = entries.flatMap((entry): NewFinding[] => {
    const severity = applying.get(entry.sop_id);
    return entry.status === "violated" && severity ? [buildSopFinding(entry, severities[severity])] : [];
  });
  // Those that reading the verdict derived are graded anew here; what the critic lists itself stays.
  const derived = new Set(
    entries.filter(({ status }) => status === "violated").map((entry) => buildSopFinding(entry).title),
  );
  const own = (claim.findings ?? []).filter(
    ({ area, severity, title }) => !(area === sopArea && severity === "P1" && derived.has(title)),
  );
  return { ...claim, findings: [...own, ...violated] };
}
