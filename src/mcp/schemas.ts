// What the tools take: the fields of the core's claims. The JSON Schema a client sees and the check of what it sends are made
// of the same declarations. Every word is in each request of an agent in a pane, so bounds are left to the check, the parts
// of an argument to their names, and rules to the prompt and to refusals.
import * as v from "valibot";
import { SopEntry } from "../core/model/review/verdict.ts";
import { describeField, getDescription } from "../core/model/value/field.ts";
import { handoff, newFindings, paper, questionFields, refs, review, scoring } from "../core/schema/claim.ts";
import { isAsked, type Node, toSchemaNode } from "../core/schema/json-schema.ts";

export const PassArguments = v.strictObject({
  ...handoff,
  score: describeField(scoring.score, `judge: ${getDescription(scoring.score)}`),
  paper: describeField(paper.paper, `author: ${getDescription(paper.paper)}`),
  refs,
});

/** Who calls a tool can be told at once that the evidence is missing. */
const AnsweredSop = v.strictObject({ ...SopEntry.entries, evidence: v.unwrap(SopEntry.entries.evidence) });

const opinion = {
  answers: review.answers,
  checked: review.checked,
  sop_review: describeField(v.optional(v.array(AnsweredSop)), getDescription(review.sop_review)),
  confidence: review.confidence,
};

export const ReviewArguments = v.strictObject({
  summary: handoff.summary,
  findings: describeField(v.optional(newFindings), getDescription(review.findings)),
  ...opinion,
  review: describeField(
    v.optional(v.record(v.string(), v.unknown())),
    "all of it as one object of the bubble's dialect, instead of the other fields",
  ),
  converged: describeField(v.optional(v.boolean()), "as the tool converged"),
  refs,
});

export const ConvergedArguments = v.strictObject({ summary: handoff.summary, ...opinion, refs });

export const Question = v.strictObject(questionFields);

export const AskArguments = v.strictObject({
  ...questionFields,
  others: describeField(
    v.optional(v.pipe(v.array(Question), v.maxLength(19))),
    "further questions, as objects like this one",
  ),
  refs,
});

/** Lists of objects that another field or tool shows already, by path: only named there, and checked all the same. */
export type Like = Readonly<Record<string, string>>;

/** The JSON Schema that clients are shown: bounds are told by the refusal of what is beyond them. */
export const buildInputSchema = (schema: v.GenericSchema, like: Like = {}): Record<string, unknown> =>
  showNode(toSchemaNode(schema), like, []);

function showNode(node: Node, like: Like, path: readonly string[]): Record<string, unknown> {
  const words = like[path.join(".")];
  if (words !== undefined) return { type: "array", items: { type: "object" }, description: words };
  const { type, enum: choice, items, properties, required, description } = node;
  return {
    ...(choice ? { enum: choice } : {}),
    type,
    ...(items ? { items: showNode(items, like, path) } : {}),
    ...(properties ? { properties: showEach(properties, like, path), required } : {}),
    ...(description && path.length === 1 ? { description } : {}),
  };
}

const showEach = (properties: Readonly<Record<string, Node>>, like: Like, path: readonly string[]) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, inner]) => isAsked(inner))
      .map(([name, inner]) => [name, showNode(inner, like, [...path, name])]),
  );
