// What the tools take: the values of the core, each with a sentence for the model that fills it in. The JSON Schema a
// client sees and the check of what it sends are made of this one declaration.
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { Evidence, evidenceWords } from "../core/model/evidence.ts";
import { Answer, Checked, Dispute, NewFinding } from "../core/model/finding.ts";
import { ProducerPackage } from "../core/model/package.ts";
import { QuestionOption } from "../core/model/payloads.ts";
import { Opinion, SopEntry } from "../core/model/verdict.ts";

type Schema = v.GenericSchema<unknown, unknown>;

/** The same schema, explained to the model. */
const about = <const S extends Schema>(schema: S, sentence: string) =>
  v.pipe(schema, v.description(sentence));

const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));

const summary = (sentence: string) => about(text(16_000), sentence);

const refs = about(
  v.optional(v.pipe(v.array(text(1000)), v.maxLength(50))),
  "files this message points to: in the worktree, or in the folder your prompt names for files you hand in",
);

const where = {
  line: about(Evidence.entries.line, evidenceWords.line),
  end_line: about(Evidence.entries.end_line, evidenceWords.end_line),
  quote: about(Evidence.entries.quote, evidenceWords.quote),
};
/** The one evidence, as it is declared. */
const evidence = {
  file: about(Evidence.entries.file, evidenceWords.file),
  ...where,
  why: about(Evidence.entries.why, evidenceWords.why),
};

const finding = v.strictObject({
  severity: about(
    NewFinding.entries.severity,
    "P0 breaks production or loses data; P1 wrong or unsafe; P2 should be mended; P3 taste",
  ),
  title: about(NewFinding.entries.title, "the defect in one line"),
  area: about(NewFinding.entries.area, "such as security or core-logic"),
  file: about(NewFinding.entries.file, evidenceWords.file),
  ...where,
  why: about(NewFinding.entries.why, evidenceWords.why),
  evidence: about(NewFinding.entries.evidence, "output that proves it, where no line of the tree does"),
  advice: about(NewFinding.entries.advice, "what you would do about it"),
});

const answer = v.strictObject({
  id: about(Answer.entries.id, "the finding, such as F1"),
  status: about(
    Answer.entries.status,
    "fixed, still open (or open again), or withdrawn because it was wrong",
  ),
  reason: about(Answer.entries.reason, "needed for withdrawn"),
});

const looked = v.strictObject({
  for: about(
    Checked.entries.for,
    "what it proves: criteria (C1), SOPs by id, questions of this pass; leave it out where changed files are asked for",
  ),
  ...evidence,
});

const sop = v.strictObject({
  sop_id: about(SopEntry.entries.sop_id, "the SOP's id"),
  status: about(
    SopEntry.entries.status,
    "passed, violated, or not_applicable: names a changed file that the SOP is about, and why it does not apply there",
  ),
  evidence: about(
    v.union([v.pipe(v.array(v.strictObject(evidence)), v.maxLength(50)), text(4000)]),
    "what shows it, each at a place of the tree",
  ),
  violations: about(SopEntry.entries.violations, "needed for violated"),
});

const answers = about(v.optional(v.array(answer)), "one for every open finding of earlier rounds");
const checked = about(v.optional(v.array(looked)), "what you looked at and why it is right");

const parts = v.strictObject({
  what: about(ProducerPackage.entries.what, "what changed"),
  why: about(ProducerPackage.entries.why, "why"),
  risks: about(ProducerPackage.entries.risks, "tradeoffs and residual risks"),
  test_plan: about(ProducerPackage.entries.test_plan, "how to try it by hand"),
  commit_message: about(ProducerPackage.entries.commit_message, "suggested commit message"),
});

export const PassArguments = v.strictObject({
  summary: summary("what you did and why; of a judge: why this score"),
  package: about(
    v.optional(parts),
    "for the human who approves; all five parts are needed before anything can converge, later passes replace single parts",
  ),
  disputes: about(
    v.optional(
      v.array(
        v.strictObject({
          id: about(Dispute.entries.id, "the finding, such as F1"),
          reason: about(Dispute.entries.reason, "a reason that can be checked"),
        }),
      ),
    ),
    "findings you hold to be wrong",
  ),
  no_change: about(v.optional(text(4000)), "nothing needs to change, and why, with evidence"),
  checkpoint: about(v.optional(text(200)), "producer: the name of the checkpoint that is reached with this"),
  score: about(
    v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    "judge: how good this tree is, 0 to 1; only when your prompt asks for a score",
  ),
  paper: about(
    v.optional(v.record(v.string(), v.unknown())),
    "author: the document that your prompt asks for, as an object; only when it asks for one",
  ),
  refs,
});

const opinion = {
  sop_review: about(v.optional(v.array(sop)), "one for every SOP that applies"),
  confidence: about(Opinion.entries.confidence, "how sure you are, 0 to 1"),
};

export const ReviewArguments = v.strictObject({
  summary: summary("what you found"),
  findings: about(
    v.optional(v.array(finding)),
    "new defects; an empty list says that nothing new was found; needed unless review says it",
  ),
  answers,
  checked,
  ...opinion,
  review: about(
    v.optional(v.record(v.string(), v.unknown())),
    "the whole review as an object of the bubble's dialect, instead of all other fields but the summary",
  ),
  converged: about(
    v.optional(v.boolean()),
    "true: this is the last clean review and nothing is missing any more; the same as the tool converged",
  ),
  refs,
});

export const ConvergedArguments = v.strictObject({
  summary: summary("why this is ready"),
  answers,
  checked,
  ...opinion,
  refs,
});

const option = v.pipe(QuestionOption.entries.key, v.trim(), v.minLength(1));
export const Question = v.strictObject({
  question: about(text(4000), "one question that blocks you and only a human can decide"),
  options: about(v.optional(v.pipe(v.array(option), v.maxLength(20))), "short answers to choose from"),
  context: about(v.optional(text(4000)), "what the human needs to know to decide"),
});

export const AskArguments = v.strictObject({
  ...Question.entries,
  others: about(
    v.optional(v.pipe(v.array(Question), v.maxLength(19))),
    "further questions of the same go; you go on when all are answered",
  ),
  refs,
});

/** The JSON Schema that clients are shown. */
export function shown(schema: Schema): Record<string, unknown> {
  // Trimming cannot be said in JSON Schema and need not be: it only makes the check milder.
  const { $schema: _, ...rest } = toJsonSchema(schema, { ignoreActions: ["trim"] });
  return rest;
}
