// The dialect `status`: approved, needs_changes or needs_clarification, with scores, findings and blockers.
import * as v from "valibot";
import { looseEvidence } from "../../../model/evidence.ts";
import type { NewFinding, Severity } from "../../../model/finding.ts";
import { clip } from "../../../model/sizes.ts";
import type { Clarification, Decision } from "../../../model/verdict.ts";
import { findingOf } from "../derived.ts";
import { exactly, type Form, named, score, shared, summary, text } from "./fields.ts";
import { routeOf } from "./verdict.ts";

export const statusWords = ["approved", "needs_changes", "needs_clarification"] as const;
const decisions: Readonly<Record<(typeof statusWords)[number], Decision>> = {
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
export const severityWords = ["critical", "high", "medium", "low"] as const;

const Listed = v.strictObject({
  id: v.optional(text(60)),
  category: v.optional(text(60)),
  severity: exactly([...severityWords, "P0", "P1", "P2", "P3"]),
  title: text(300),
  recommendation: v.optional(text(2000)),
  ...looseEvidence,
  evidence: v.optional(text(4000)),
});
type Listed = v.InferOutput<typeof Listed>;

const Status = v.strictObject({
  ...shared,
  status: exactly(statusWords),
  summary,
  findings: v.optional(v.pipe(v.array(Listed), v.maxLength(200)), []),
  scores: v.optional(named(score), {}),
  blockers: v.optional(v.pipe(v.array(text(2000)), v.maxLength(50)), []),
  /** Where it should go, when its author cannot fix it. */
  rejection_type: v.optional(text(100)),
  // The referee knows these better.
  id: v.optional(text(200)),
  reviewer: v.optional(text(200)),
  model: v.optional(text(200)),
  reviewed_at: v.optional(text(100)),
});
type Status = v.InferOutput<typeof Status>;

export const status: Form<Status> = {
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
      questionsOf(said).length === 0 &&
      "needs_clarification needs a question: in questions, or in a summary that asks",
  ],
  meant: (said) => ({
    decision: decisions[said.status],
    ...(said.rejection_type ? routeOf(said.rejection_type) : {}),
    summary: said.summary,
    listed: said.findings.map((finding) => findingFrom(finding, said.blockers)),
    implied: unlisted(said).map((blocker) => findingOf("P0", blocker)),
    ...(Object.keys(said.scores).length > 0 ? { scores: said.scores } : {}),
    questions: said.status === "needs_clarification" ? questionsOf(said) : [],
  }),
};

function questionsOf({ questions, summary: said }: Status): Clarification[] {
  if (questions.length === 0) return /[?？؟]/u.test(said) ? [{ question: said }] : [];
  return questions.map(({ question, options, context }) => ({
    question,
    ...(options.length > 0 ? { options } : {}),
    ...(context ? { context } : {}),
  }));
}

function findingFrom(listed: Listed, blockers: readonly string[]): NewFinding {
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
const unlisted = ({ blockers, findings }: Status): string[] =>
  blockers.filter((blocker) => !findings.some((finding) => names(blocker, finding)));

/** A blocker is often a listed finding again, by its id, its title or both. */
function names(blocker: string, { id, title }: Listed): boolean {
  const said = blocker.trim().toLowerCase();
  const known = id?.toLowerCase();
  if (said === title.toLowerCase() || said === known) return true;
  return known !== undefined && said.startsWith(known) && /^[\s:–—-]/u.test(said.slice(known.length));
}
