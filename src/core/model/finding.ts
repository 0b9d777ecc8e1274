// A finding is a defect with identity: it keeps its id from the round it was opened until it is closed,
// so that a fresh critic answers it instead of finding it again.
import * as v from "valibot";
import { Evidence, looseEvidence } from "./evidence.ts";

export const severities = ["P0", "P1", "P2", "P3"] as const;
export const Severity = v.picklist(severities);
export type Severity = v.InferOutput<typeof Severity>;

const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));

/** What a critic hands in for something it has not reported before. */
export const NewFinding = v.strictObject({
  severity: Severity,
  title: text(300),
  area: v.optional(text(60)),
  ...looseEvidence,
  /** The quote or the output that proves it, in one text: the older form. */
  evidence: v.optional(text(4000)),
  /** What the critic would do about it. */
  advice: v.optional(text(2000)),
});
export type NewFinding = v.InferOutput<typeof NewFinding>;

/** A critic's answer to a finding that is already on the ledger. */
export const Answer = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^F[1-9]\d*$/, "is not a finding id such as F1")),
  status: v.picklist(["fixed", "open", "withdrawn"]),
  reason: v.optional(text(2000)),
});
export type Answer = v.InferOutput<typeof Answer>;

/** What a critic says it looked at: the evidence behind a clean pass. */
export const Checked = v.strictObject({
  /** What this is evidence for: criteria (C1), SOPs by id, duties; absent: the file itself. */
  for: v.optional(v.pipe(v.array(text(200)), v.maxLength(50))),
  ...Evidence.entries,
});
export type Checked = v.InferOutput<typeof Checked>;

/** A producer's objection to a finding, with its reason. */
export const Dispute = v.strictObject({ id: Answer.entries.id, reason: text(2000) });
export type Dispute = v.InferOutput<typeof Dispute>;

export type FindingStatus = "open" | "fixed" | "withdrawn" | "waived";

export interface Finding extends NewFinding {
  readonly id: string;
  readonly status: FindingStatus;
  /** False when the critic gave no evidence, or none that stands in the tree; it counts all the same and is shown as unproven. */
  readonly proven: boolean;
  readonly openedRound: number;
  readonly openedBy: string;
  readonly openedTree: string;
  readonly closedRound?: number;
  /** Why it was withdrawn or waived. */
  readonly closedBecause?: string;
  readonly dispute?: {
    readonly reason: string;
    readonly round: number;
    /** The critic answered the dispute with "open". */
    readonly upheld?: boolean;
    /** A human upheld the finding: it cannot be disputed again. */
    readonly settled?: "upheld";
  };
  /** A human wants it fixed whatever its severity. */
  readonly ordered?: boolean;
  /** P0/P1 that stands on lines the last change did not touch. */
  readonly escaped?: boolean;
}
