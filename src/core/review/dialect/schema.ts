// The JSON Schema of each dialect, in the strict form that every vendor takes.

import { evidenceWords } from "../../model/evidence.ts";
import { severities } from "../../model/finding.ts";
import { checkNames, type Dialect } from "../../model/verdict.ts";
import {
  line as lineSchema,
  list,
  maybe,
  nullable,
  object,
  type Schema,
  text,
  word,
} from "../../schema/json-schema.ts";
import { decisionWords } from "./forms/decision.ts";
import { severityWords, statusWords } from "./forms/status.ts";
import { routeWords, verdictWords } from "./forms/verdict.ts";

type Properties = Readonly<Record<string, Schema>>;

const number = (description: string): Schema => ({ type: ["number", "null"], description });
const lineOf = (description: string): Schema => ({ ...lineSchema, description });
const flag = (description: string): Schema => ({ type: "boolean", description });

/** The one evidence, as it is declared. */
const evidence = {
  file: text(evidenceWords.file),
  line: lineOf(evidenceWords.line),
  end_line: lineOf(evidenceWords.end_line),
  quote: maybe(evidenceWords.quote),
  why: text(evidenceWords.why),
};
/** The same where nothing of it is needed. */
const placed = { ...evidence, file: maybe(evidenceWords.file), why: maybe(evidenceWords.why) };

const newFindings = list(
  object({
    severity: word(severities, "P0 worst"),
    title: text("the defect in one line"),
    area: maybe("such as security, core-logic"),
    ...placed,
    advice: maybe("what you would do about it"),
  }),
  "new defects; empty when nothing new was found",
);

const statusFindings = list(
  object({
    id: maybe("your own number for it"),
    category: maybe("such as security, core-logic"),
    severity: word(severityWords, "critical and high stand against approval"),
    title: text("the defect in one line"),
    recommendation: maybe("what you would do about it"),
    ...placed,
  }),
  "new defects; empty when nothing new was found",
);

const checked = list(
  object({
    for: {
      type: ["array", "null"],
      items: { type: "string" },
      description:
        "what this is evidence for: criteria such as C1, SOP ids, questions; null: the file itself",
    },
    ...evidence,
  }),
  "what you looked at; an approval needs evidence for everything that is asked",
);

const sopReview = list(
  object({
    sop_id: text("id of the SOP"),
    status: word(
      ["passed", "violated", "not_applicable"],
      "not_applicable names a changed file that the SOP is about, and why it does not apply there",
    ),
    evidence: list(object(evidence), "what shows it, each at a place of the tree"),
    violations: list({ type: "string" }, "what violates it; empty unless violated"),
  }),
  "one entry for every SOP that applies",
);

const priorFindings = list(
  object({
    id: text("an open finding's id, such as F1"),
    status: word(["fixed", "open", "withdrawn"], "what became of it"),
    reason: maybe("needed for withdrawn"),
  }),
  "one for every open finding",
);

const patterns = list(
  object({
    name: text("a short name"),
    pattern: text("the habit in one sentence"),
    applies_to: text("a glob of the files it holds for"),
  }),
  "habits of the project worth remembering; usually empty",
);

const shared: Properties = {
  tree: text("id of the tree you judged, as the prompt gives it"),
  checked,
  prior_findings: priorFindings,
  sop_review: sopReview,
  confidence: number("how sure you are, from 0 to 1; below 0.7 a human decides"),
  patterns,
  findings: newFindings,
};

const own: Readonly<Record<Dialect, Properties>> = {
  findings: {
    summary: text("what you found, and why"),
    ...shared,
    converged: flag("true: no finding is open and nothing is missing any more"),
  },
  decision: {
    decision: word(decisionWords, "GO: nothing stands against it"),
    feedback: text("what is right or must change, and why"),
    quality_checks: object(
      Object.fromEntries(
        checkNames.map((name) => [name, nullable(flag(`${name.replaceAll("_", " ")}; null: not looked at`))]),
      ),
      "GO needs all four to be true",
    ),
    ...shared,
  },
  status: {
    status: word(statusWords, "needs_clarification: only a human can answer the questions"),
    summary: text("what you found, and why"),
    scores: object(
      Object.fromEntries(["security", "quality", "overall"].map((name) => [name, number("from 0 to 10")])),
      "how good it is",
    ),
    blockers: list({ type: "string" }, "what makes it unusable; empty when approved"),
    rejection_type: nullable(
      word(
        routeWords,
        "with needs_changes, null if its author can fix it: the task is misscoped, the design is wrong, or it is too big",
      ),
    ),
    ...shared,
    findings: statusFindings,
    questions: list(
      object({
        question: text("one question that blocks you"),
        options: list({ type: "string" }, "answers you propose; may be empty"),
        context: maybe("why it matters"),
      }),
      "for needs_clarification: what only a human can say",
    ),
  },
  verdict: {
    verdict: word(verdictWords, "approved: nothing stands against it"),
    rejection_type: nullable(
      word(
        routeWords,
        "with rejected: fixable in place, the task is misscoped, the design is wrong, or it is too big",
      ),
    ),
    feedback: text("what is right or must change, in detail"),
    ...shared,
    confidence: { type: "number", description: "how sure you are, from 0 to 1; below 0.7 a human decides" },
  },
  challenge: {
    challenger_approved: flag("true: the output is ready to lock"),
    critique: text("assumptions, gaps and risks, or why there are none"),
    ...shared,
  },
};

/** The properties of a review in this dialect. */
export const reviewProperties = (dialect: Dialect): Properties => own[dialect];

/** The JSON Schema of a review in this dialect. */
export const reviewSchema = (dialect: Dialect): Schema => object(own[dialect]);
