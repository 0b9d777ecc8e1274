// The dialect `status`: approved, needs_changes or needs_clarification, with scores, findings and blockers.
import * as v from "valibot";
import { looseEvidence } from "../../../model/review/evidence.ts";
import { NewFinding, type Severity, severities } from "../../../model/review/finding.ts";
import type { Clarification, VerdictDecision } from "../../../model/review/verdict.ts";
import { defineTextField, describeField, getDescription } from "../../../model/value/field.ts";
import { clip } from "../../../model/value/sizes.ts";
import { numberInRange } from "../../../schema/claim.ts";
import { buildFinding } from "../derived.ts";
import { type DialectForm, defineNamedValues, defineOneOfWords, defineWordsField, shared } from "./fields.ts";
import { parseRoute, routeWords } from "./verdict.ts";

export const statusWords = ["approved", "needs_changes", "needs_clarification"] as const;
const decisions: Readonly<Record<(typeof statusWords)[number], VerdictDecision>> = {
  approved: "approve",
  needs_changes: "revise",
  needs_clarification: "clarify",
};

const severityOf: Readonly<Record<string, Severity>> = {
  critical: "P0",
  high: "P1",
  medium: "P2",
  low: "P3",
};
const severityWords = ["critical", "high", "medium", "low"] as const;

const Listed = v.strictObject({
  id: v.optional(defineTextField(60, "your own number for it")),
  category: NewFinding.entries.area,
  severity: describeField(
    defineOneOfWords([...severityWords, ...severities]),
    "critical and high stand against approval",
    { enum: severityWords },
  ),
  title: NewFinding.entries.title,
  recommendation: NewFinding.entries.advice,
  ...looseEvidence,
  evidence: v.optional(defineTextField(4000)),
});
type Listed = v.InferOutput<typeof Listed>;

const score = describeField(numberInRange(10, "a score"), "from 0 to 10");

const Status = v.strictObject({
  status: describeField(
    defineOneOfWords(statusWords),
    "needs_clarification: only a human can answer the questions",
  ),
  summary: defineWordsField("what you found, and why"),
  scores: v.optional(defineNamedValues(score, ["security", "quality", "overall"], "how good it is"), {}),
  blockers: describeField(
    v.optional(v.pipe(v.array(defineTextField(2000)), v.maxLength(50)), []),
    "what makes it unusable; empty when approved",
  ),
  rejection_type: describeField(
    v.optional(defineTextField(100)),
    "with needs_changes, null if its author can fix it: the task is misscoped, the design is wrong, or it is too big",
    { enum: routeWords },
  ),
  ...shared,
  findings: describeField(
    v.optional(v.pipe(v.array(Listed), v.maxLength(200)), []),
    getDescription(shared.findings),
  ),
  // The referee knows these better.
  id: v.optional(defineTextField(200)),
  reviewer: v.optional(defineTextField(200)),
  model: v.optional(defineTextField(200)),
  reviewed_at: v.optional(defineTextField(100)),
});
type Status = v.InferOutput<typeof Status>;

export const status: DialectForm<Status> = {
  schema: Status,
  contradictions: (said) => [
    said.status === "approved" &&
      said.blockers.length > 0 &&
      `it says approved although it lists a blocker: ${clip(said.blockers[0] ?? "", 100)}`,
    said.status !== "needs_changes" &&
      said.rejection_type !== undefined &&
      `it says ${said.status} and has a rejection_type (${said.rejection_type})`,
    said.status !== "needs_clarification" &&
      said.questions.length > 0 &&
      `it asks questions, so its status must be needs_clarification, not ${said.status}`,
    said.status === "needs_clarification" &&
      listQuestions(said).length === 0 &&
      "needs_clarification needs a question: in questions, or in a summary that asks",
  ],
  meant: (said) => ({
    decision: decisions[said.status],
    ...(said.rejection_type ? parseRoute(said.rejection_type) : {}),
    summary: said.summary,
    listed: said.findings.map((finding) => buildListedFinding(finding, said.blockers)),
    implied: listUnlistedBlockers(said).map((blocker) => buildFinding("P0", blocker)),
    ...(Object.keys(said.scores).length > 0 ? { scores: said.scores } : {}),
    questions: said.status === "needs_clarification" ? listQuestions(said) : [],
  }),
};

function listQuestions({ questions, summary: said }: Status): Clarification[] {
  if (questions.length === 0) return /[?？؟]/u.test(said) ? [{ question: said }] : [];
  return questions.map(({ question, options, context }) => ({
    question,
    ...(options.length > 0 ? { options } : {}),
    ...(context ? { context } : {}),
  }));
}

function buildListedFinding(listed: Listed, blockers: readonly string[]): NewFinding {
  const { id: _id, category, severity, recommendation, ...rest } = listed;
  const isBlocker = blockers.some((blocker) => names(blocker, listed));
  return {
    ...rest,
    severity: isBlocker ? "P0" : (severityOf[severity] ?? (severity as Severity)),
    ...(category ? { area: category } : {}),
    ...(recommendation ? { advice: recommendation } : {}),
  };
}

/** Blockers that no listed finding stands for. */
const listUnlistedBlockers = ({ blockers, findings }: Status): string[] =>
  blockers.filter((blocker) => !findings.some((finding) => names(blocker, finding)));

/** A blocker is often a listed finding again, by its id, its title or both. */
function names(blocker: string, { id, title }: Listed): boolean {
  const said = blocker.trim().toLowerCase();
  const known = id?.toLowerCase();
  if (said === title.toLowerCase() || said === known) return true;
  return known !== undefined && said.startsWith(known) && /^[\s:–—-]/u.test(said.slice(known.length));
}
