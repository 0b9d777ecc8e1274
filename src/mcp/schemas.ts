// What the tools take: the values of the core, with a few words for the model where the name does not say enough. The
// JSON Schema a client sees and the check of what it sends are made of this one declaration. Every word of it is in each
// request of an agent in a pane, so bounds are left to the check, and rules to the prompt and to refusals.
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { Evidence } from "../core/model/evidence.ts";
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

const refs = about(v.optional(v.pipe(v.array(text(1000)), v.maxLength(50))), "files to hand in beside it");

/** The one evidence, as it is declared. */
const evidence = {
  ...Evidence.entries,
  quote: about(Evidence.entries.quote, "text that is there, word for word"),
};

const finding = v.strictObject({
  severity: NewFinding.entries.severity,
  title: NewFinding.entries.title,
  area: about(NewFinding.entries.area, "such as security"),
  file: NewFinding.entries.file,
  line: evidence.line,
  end_line: evidence.end_line,
  quote: NewFinding.entries.quote,
  why: NewFinding.entries.why,
  evidence: about(NewFinding.entries.evidence, "output that proves it"),
  advice: NewFinding.entries.advice,
});

const answer = v.strictObject({
  id: Answer.entries.id,
  status: Answer.entries.status,
  reason: Answer.entries.reason,
});

const looked = v.strictObject({
  for: about(Checked.entries.for, "what it proves: C1, an SOP id, a question; left out for a changed file"),
  ...evidence,
});

const sop = v.strictObject({
  sop_id: SopEntry.entries.sop_id,
  status: SopEntry.entries.status,
  evidence: v.union([v.pipe(v.array(v.strictObject(evidence)), v.maxLength(50)), text(4000)]),
  violations: SopEntry.entries.violations,
});

const answers = about(v.optional(v.array(answer)), "one for each open finding");
const checked = about(v.optional(v.array(looked)), "evidence for what is right");

export const PassArguments = v.strictObject({
  summary: summary("what you did and why; of a judge: why this score"),
  package: about(v.optional(ProducerPackage), "for the human who signs; all five are needed once"),
  disputes: about(
    v.optional(
      v.array(
        v.strictObject({
          id: Dispute.entries.id,
          reason: Dispute.entries.reason,
        }),
      ),
    ),
    "findings that are wrong",
  ),
  no_change: about(v.optional(text(4000)), "why nothing needs to change"),
  checkpoint: about(v.optional(text(200)), "the checkpoint that is reached"),
  score: about(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), "judge: 0 to 1"),
  paper: about(v.optional(v.record(v.string(), v.unknown())), "author: the whole document"),
  refs,
});

const opinion = {
  sop_review: about(v.optional(v.array(sop)), "one for each SOP that applies"),
  confidence: about(Opinion.entries.confidence, "how sure you are, 0 to 1"),
};

export const ReviewArguments = v.strictObject({
  summary: summary("what you found"),
  findings: about(v.optional(v.array(finding)), "new defects; empty: nothing new"),
  answers,
  checked,
  ...opinion,
  review: about(
    v.optional(v.record(v.string(), v.unknown())),
    "all of it as one object of the bubble's dialect, instead of the other fields",
  ),
  converged: about(v.optional(v.boolean()), "as the tool converged"),
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
  question: about(text(4000), "one that blocks you"),
  options: about(v.optional(v.pipe(v.array(option), v.maxLength(20))), "answers to choose from"),
  context: about(v.optional(text(4000)), "why it matters"),
});

export const AskArguments = v.strictObject({
  ...Question.entries,
  others: about(
    v.optional(v.pipe(v.array(Question), v.maxLength(19))),
    "further questions, as objects like this one",
  ),
  refs,
});

type Json = Readonly<Record<string, unknown>>;

/** Lists of objects that another field or tool shows already, by path: only named there, and checked all the same. */
export type Like = Readonly<Record<string, string>>;

/** The JSON Schema that clients are shown. */
export function shown(schema: Schema, like: Like = {}): Record<string, unknown> {
  // Trimming cannot be said in JSON Schema and need not be: it only makes the check milder.
  const { $schema: _, ...rest } = toJsonSchema(schema, { ignoreActions: ["trim"] });
  return shorten(rest, like, "") as Record<string, unknown>;
}

/** Bounds are told by whoever refuses what is beyond them. */
const bounds = new Set([
  ...["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"],
  ...["pattern", "propertyNames", "additionalProperties", "default"],
]);

function shorten(value: unknown, like: Like, path: string): unknown {
  if (Array.isArray(value)) return value.map((one) => shorten(one, like, path));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !bounds.has(key));
  return Object.fromEntries(
    kept.map(([key, one]) => [
      key,
      key === "properties" ? shortenEach(one as Json, like, path) : shorten(one, like, path),
    ]),
  );
}

function shortenEach(properties: Json, like: Like, path: string): Json {
  const each = Object.entries(properties).map(([name, one]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const words = like[at];
    const named = { type: "array", items: { type: "object" }, description: words };
    return [name, words === undefined ? shorten(one, like, at) : named];
  });
  return Object.fromEntries(each);
}
