// A critic's typed answer. Every dialect is read into this one value; what it claims is then checked against the tree.
import * as v from "valibot";
import type { AgentQuestion } from "../turn-end.ts";
import { defineTextField, describeField } from "../value/field.ts";
import { Evidence, formatEvidence } from "./evidence.ts";
import type { Answer, CheckedEvidence, NewFinding } from "./finding.ts";

/** The five ways to say it, each named after the field that decides. */
export const dialects = ["findings", "decision", "status", "verdict", "challenge"] as const;
export const Dialect = v.picklist(dialects);
export type Dialect = v.InferOutput<typeof Dialect>;

export const VerdictDecision = v.picklist(["approve", "revise", "clarify"]);
export type VerdictDecision = v.InferOutput<typeof VerdictDecision>;

/** What a reviewer that says GO in the dialect `decision` answers for: each must be true. */
export const checkNames = [
  "acceptance_criteria_met",
  "code_standards_met",
  "test_coverage_adequate",
  "security_review_passed",
] as const;

/** Where a rejection leads; `unknown`: the critic used a word of its own. */
export const Route = v.picklist(["fixable", "misscoped", "architectural", "too_big", "unknown"]);

/** One SOP, answered. */
export const SopEntry = v.strictObject({
  sop_id: defineTextField(200, "id of the SOP"),
  status: describeField(
    v.picklist(["passed", "violated", "not_applicable"]),
    "not_applicable names a changed file that the SOP is about, and why it does not apply there",
  ),
  /** A list of places, or one text in which they are named. None: the review is read, and refused for it. */
  evidence: v.optional(
    v.union([
      v.pipe(v.string(), v.trim(), v.maxLength(4000)),
      describeField(v.pipe(v.array(Evidence), v.maxLength(50)), "what shows it, each at a place of the tree"),
    ]),
    "",
  ),
  violations: v.optional(
    describeField(
      v.pipe(v.array(defineTextField(1000)), v.maxLength(50)),
      "what violates it; empty unless violated",
    ),
    [],
  ),
});
export type SopEntry = v.InferOutput<typeof SopEntry>;

/** What an SOP's answer rests on, in one text. */
export const renderSopEvidence = ({ evidence }: Pick<SopEntry, "evidence">): string =>
  typeof evidence === "string" ? evidence : evidence.map(formatEvidence).join("\n");

/** A habit of the project that a critic noticed; counted, and offered to a human when it comes back. */
export const NoticedHabit = v.strictObject({
  name: defineTextField(200, "a short name"),
  pattern: defineTextField(1000, "the habit in one sentence"),
  applies_to: defineTextField(400, "a glob of the files it holds for"),
});
export type NoticedHabit = v.InferOutput<typeof NoticedHabit>;

/** What a verdict says beyond findings, answers and what was looked at: kept on the record beside them. */
export const Opinion = v.strictObject({
  dialect: Dialect,
  decision: VerdictDecision,
  route: v.optional(Route),
  /** The critic's own word for it, where the route is `unknown`. */
  route_word: v.optional(defineTextField(100)),
  /** The tree it judged, as the critic names it; the capability of a turn names it for flags. */
  tree: v.optional(defineTextField(64)),
  sop_review: v.optional(v.pipe(v.array(SopEntry), v.maxLength(500)), []),
  confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  patterns: v.optional(v.pipe(v.array(NoticedHabit), v.maxLength(50)), []),
  quality_checks: v.optional(v.record(defineTextField(100), v.boolean())),
  scores: v.optional(v.record(defineTextField(100), v.number())),
});
export type Opinion = v.InferOutput<typeof Opinion>;

/** What only a human can say, with the answers the critic would choose from and why it matters. */
export type Clarification = Omit<AgentQuestion, "id">;

export interface Verdict extends Opinion {
  /** Feedback, summary or critique. */
  readonly summary: string;
  readonly findings: readonly NewFinding[];
  readonly answers: readonly Answer[];
  readonly checked: readonly CheckedEvidence[];
  /** With `clarify`: what only a human can say. */
  readonly questions: readonly Clarification[];
  /** The critic holds that nothing is missing any more. */
  readonly converged: boolean;
}
