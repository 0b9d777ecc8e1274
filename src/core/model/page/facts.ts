// What is kept of a bubble that has ended, for figures over many: small, and read without its log.
import * as v from "valibot";
import { Severity } from "../review/finding.ts";

const text = v.pipe(v.string(), v.maxLength(400));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

export const FindingFact = v.strictObject({
  severity: Severity,
  /** As its critic named it; empty where nobody did. */
  area: text,
  status: v.picklist(["open", "fixed", "withdrawn", "waived"]),
  disputed: v.boolean(),
  /** It was disputed, and stayed. */
  upheld: v.boolean(),
  /** A person found it, after the reviewers had found nothing more. */
  by_human: v.boolean(),
});
export type FindingFact = v.InferOutput<typeof FindingFact>;

export const ReviewerFact = v.strictObject({
  agent: text,
  /** Reviews that counted, and how many of them had nothing open. */
  reviews: count,
  clean: count,
  refused: count,
  /** Null: its CLI has said nothing. */
  tokens: v.nullable(amount),
});
export type ReviewerFact = v.InferOutput<typeof ReviewerFact>;

export const RunFacts = v.strictObject({
  v: v.literal(1),
  bubble: text,
  workflow: text,
  end: v.picklist(["DONE", "FAILED", "CANCELLED"]),
  began_at: text,
  /** The newest line: a record that got another one since has other facts. */
  ended_at: text,
  rounds: count,
  /** It was put before a person to sign: its reviewers agreed, or a person accepted it as it was. */
  converged: v.boolean(),
  /** How often a person was asked, by kind. */
  questions: v.record(text, count),
  waited_ms: amount,
  worked_ms: amount,
  tokens: v.nullable(amount),
  usd: v.nullable(amount),
  findings: v.array(FindingFact),
  reviewers: v.array(ReviewerFact),
});
export type RunFacts = v.InferOutput<typeof RunFacts>;
