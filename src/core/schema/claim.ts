// What an agent can say, each field declared once: its form, its bounds and its description. Parsers, the JSON Schemas that
// models answer by, MCP tools, flags of the command line and the tables of the pages are all made of these.
import * as v from "valibot";
import { ProducerPackage } from "../model/record/package.ts";
import { Answer, CheckedEvidence, Dispute, NewFinding } from "../model/review/finding.ts";
import { SopEntry } from "../model/review/verdict.ts";
import { defineTextField, describeField } from "../model/value/field.ts";

const defineList = <const S extends v.GenericSchema>(item: S, max: number) =>
  v.pipe(v.array(item), v.maxLength(max));
const listSchema = <const S extends v.GenericSchema>(item: S, max: number, about: string) =>
  describeField(v.optional(defineList(item, max), []), about);

/** From 0 to this number. */
export const numberInRange = (max: number, what: string) => {
  const words = `${what} is a number from 0 to ${max}`;
  return v.pipe(v.number(words), v.minValue(0, words), v.maxValue(max, words));
};

const disputes = listSchema(Dispute, 500, "findings you hold to be wrong, each with a reason; usually none");

/** A producer hands over its files. */
export const handoff = {
  summary: defineTextField(16_000, "what you did or found, and why"),
  package: describeField(v.optional(ProducerPackage), "for the human who signs; all five are needed once"),
  disputes,
  no_change: v.optional(
    defineTextField(4000, "why nothing needs to change, with evidence; left out when you changed files"),
  ),
  checkpoint: v.optional(defineTextField(200, "the name of the checkpoint that is reached with this")),
};

/** A judge scores a tree. */
export const scoring = {
  summary: defineTextField(16_000, "why it deserves this score, with places"),
  score: describeField(v.optional(numberInRange(1, "a score")), "0 (worthless) to 1 (ready)"),
};

/** An author hands in a paper. What stands in it is checked by the code of its kind. */
export const paper = {
  summary: defineTextField(16_000, "what the paper says and why"),
  paper: describeField(
    v.optional(v.record(v.string(), v.unknown(), "must be an object")),
    "the whole document",
  ),
  disputes,
};

export const newFindings = defineList(NewFinding, 200);
export const answers = defineList(Answer, 500);

/** A reviewer's words, in whatever dialect. */
export const review = {
  findings: describeField(v.optional(newFindings, []), "new defects; empty when nothing new was found"),
  answers: describeField(v.optional(answers), "one for every open finding", { needed: true }),
  checked: listSchema(
    CheckedEvidence,
    500,
    "what you looked at, and `for` what: C1, an SOP id, a question; an approval needs evidence for all that is asked",
  ),
  sop_review: listSchema(SopEntry, 500, "one entry for every SOP that applies"),
  confidence: describeField(
    v.optional(numberInRange(1, "confidence")),
    "how sure you are, from 0 to 1; below 0.7 a human decides",
  ),
};

/** One question to the human. */
export const questionFields = {
  question: defineTextField(4000, "one question that blocks you"),
  options: listSchema(defineTextField(200), 20, "answers you propose, if any"),
  context: v.optional(defineTextField(4000, "why it matters")),
};

/** Files beside a claim, by path. An answer has none: its turn has a folder for them. */
export const refs = describeField(
  v.optional(defineList(defineTextField(1000), 50)),
  "files to hand in beside it",
);
