// The fields that an answer may have in every dialect, and the form that all dialects are read through.
import * as v from "valibot";
import type { Answer, NewFinding } from "../../../model/review/finding.ts";
import {
  type Clarification,
  NoticedHabit,
  type Opinion,
  type VerdictDecision,
} from "../../../model/review/verdict.ts";
import { defineTextField, describeField } from "../../../model/value/field.ts";
import { isObject } from "../../../schema/absent.ts";
import { review } from "../../../schema/claim.ts";
import { looseQuestions, signalFields } from "../../../schema/signal.ts";

/** The words of a verdict: long enough for every review that a person would read, and more than a sign. */
export const defineWordsField = (about: string) =>
  v.pipe(defineTextField(16_000, about), v.regex(/[\p{L}\p{N}]/u, "says nothing: it has no word"));

/** Names and values, such as scores. A name stands as it is written: two that differ in white space stay two. */
export const defineNamedValues = <T extends v.GenericSchema>(
  value: T,
  names: readonly string[],
  about: string,
) =>
  v.pipe(
    v.custom<Readonly<Record<string, unknown>>>(isNamed, "must be an object of names, each with a value"),
    v.record(v.string(), value),
    v.metadata({ description: about, names }),
  );

/** Names of what every object has anyway would be passed over in silence. */
const isNamed = (given: unknown): boolean =>
  isObject(given) &&
  Object.keys(given).every(
    (name) => name !== "" && name === name.trim() && name.length <= 100 && !(name in Object.prototype),
  );

/** Exactly one of these words; another is named beside those that are allowed. */
export const defineOneOfWords = <const W extends readonly string[]>(words: W) =>
  v.picklist(
    words,
    ({ received }) => `${received} is not known here: it must be exactly ${words.join(" or ")}`,
  );

export const shared = {
  tree: describeField(v.optional(defineTextField(64)), "id of the tree you judged, as the prompt gives it", {
    needed: true,
  }),
  checked: review.checked,
  prior_findings: review.answers,
  sop_review: review.sop_review,
  confidence: review.confidence,
  patterns: describeField(
    v.optional(v.pipe(v.array(NoticedHabit), v.maxLength(50)), []),
    "habits of the project worth remembering; usually empty",
  ),
  findings: review.findings,
  ...signalFields,
  questions: looseQuestions,
};

type SharedSchema = v.StrictObjectSchema<Omit<typeof shared, "findings">, undefined>;
export type SharedFields = v.InferOutput<SharedSchema>;

/** What one dialect's answer means, before what follows from it is added. */
export interface AnswerMeaning extends Pick<Opinion, "route" | "route_word" | "quality_checks" | "scores"> {
  readonly decision: VerdictDecision;
  readonly summary: string;
  /** Findings as they are listed. */
  readonly listed: readonly NewFinding[];
  /** Findings that are said in other fields: blockers, failed checks. */
  readonly implied?: readonly NewFinding[];
  readonly answers?: readonly Answer[];
  readonly questions?: readonly Clarification[];
  readonly converged?: boolean;
}

/** One dialect: its closed schema, what contradicts itself in an answer, and what the answer means. */
export interface DialectForm<T extends SharedFields> {
  readonly schema: v.GenericSchema<unknown, T> & { readonly entries: Readonly<Record<string, unknown>> };
  contradictions(said: T): (string | false)[];
  meant(said: T): AnswerMeaning;
}
