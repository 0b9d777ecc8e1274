// A finding is a defect with identity: it keeps its id from the round it was opened until it is closed,
// so that a fresh critic answers it instead of finding it again.
import * as v from "valibot";
import { defineTextField, describeField } from "../value/field.ts";
import { Evidence, looseEvidence } from "./evidence.ts";

export const severities = ["P0", "P1", "P2", "P3"] as const;
export const Severity = v.picklist(severities);
export type Severity = v.InferOutput<typeof Severity>;

/** What a critic hands in for something it has not reported before. */
export const NewFinding = v.strictObject({
  severity: describeField(Severity, "P0 worst"),
  title: defineTextField(300, "the defect in one line"),
  area: v.optional(defineTextField(60, "such as security, core-logic")),
  ...looseEvidence,
  /** The quote or the output that proves it, in one text: the older form, which is read and not asked for. */
  evidence: v.optional(defineTextField(4000)),
  advice: v.optional(defineTextField(2000, "what you would do about it")),
});
export type NewFinding = v.InferOutput<typeof NewFinding>;

/** A critic's answer to a finding that is already on the ledger. */
export const Answer = v.strictObject({
  id: describeField(
    v.pipe(v.string(), v.regex(/^F[1-9]\d*$/, "is not a finding id such as F1")),
    "an open finding's id, such as F1",
  ),
  status: describeField(v.picklist(["fixed", "open", "withdrawn"]), "what became of it"),
  reason: v.optional(defineTextField(2000, "needed for withdrawn")),
});
export type Answer = v.InferOutput<typeof Answer>;

/** What a critic says it looked at: the evidence behind a clean pass. */
export const CheckedEvidence = v.strictObject({
  for: v.optional(
    describeField(
      v.pipe(v.array(defineTextField(200)), v.maxLength(50)),
      "what this is evidence for: criteria such as C1, SOP ids, questions; null: the file itself",
    ),
  ),
  ...Evidence.entries,
});
export type CheckedEvidence = v.InferOutput<typeof CheckedEvidence>;

/** A producer's objection to a finding, with its reason. */
export const Dispute = v.strictObject({
  id: Answer.entries.id,
  reason: defineTextField(2000, "a reason that can be checked"),
});
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
