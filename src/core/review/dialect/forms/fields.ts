// The fields that an answer may have in every dialect, and the form that all dialects are read through.
import * as v from "valibot";
import { Answer, Checked, NewFinding } from "../../../model/finding.ts";
import {
  type Clarification,
  type Decision,
  type Opinion,
  Pattern,
  SopEntry,
} from "../../../model/verdict.ts";
import { isObject } from "../../../schema/absent.ts";
import { looseQuestions, signalFields } from "../../../schema/signal.ts";

export const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));
const many = <T extends v.GenericSchema>(item: T, max: number) => v.pipe(v.array(item), v.maxLength(max));

/** The words of a verdict: long enough for every review that a person would read, and more than a sign. */
export const summary = v.pipe(text(16_000), v.regex(/[\p{L}\p{N}]/u, "says nothing: it has no word"));
export const newFindings = many(NewFinding, 200);
export const sopReview = many(SopEntry, 500);
const answers = many(Answer, 500);
/** `answers`: the older name of the same list. */
export const olderAnswers = v.optional(answers);

const inRange = (max: number, what: string) => {
  const words = `${what} is a number from 0 to ${max}`;
  return v.pipe(v.number(words), v.minValue(0, words), v.maxValue(max, words));
};
export const score = inRange(10, "a score");

/** Names and values, such as scores. A name stands as it is written: two that differ in white space stay two. */
export const named = <T extends v.GenericSchema>(value: T) =>
  v.pipe(
    v.custom<Readonly<Record<string, unknown>>>(isNamed, "must be an object of names, each with a value"),
    v.record(v.string(), value),
  );

/** Names of what every object has anyway would be passed over in silence. */
const isNamed = (given: unknown): boolean =>
  isObject(given) &&
  Object.keys(given).every(
    (name) => name !== "" && name === name.trim() && name.length <= 100 && !(name in Object.prototype),
  );

/** Exactly one of these words; another is named beside those that are allowed. */
export const exactly = <const W extends readonly string[]>(words: W) =>
  v.picklist(
    words,
    ({ received }) => `${received} is not known here: it must be exactly ${words.join(" or ")}`,
  );

export const shared = {
  ...signalFields,
  questions: looseQuestions,
  /** The tree that was judged. */
  tree: v.optional(text(64)),
  checked: v.optional(many(Checked, 500), []),
  sop_review: v.optional(sopReview, []),
  prior_findings: v.optional(answers),
  confidence: v.optional(inRange(1, "confidence")),
  patterns: v.optional(many(Pattern, 50), []),
  findings: v.optional(newFindings, []),
};

type SharedSchema = v.StrictObjectSchema<Omit<typeof shared, "findings">, undefined>;
export type Shared = v.InferOutput<SharedSchema>;

/** What one dialect's answer means, before what follows from it is added. */
export interface Meant extends Pick<Opinion, "route" | "route_word" | "quality_checks" | "scores"> {
  readonly decision: Decision;
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
export interface Form<T extends Shared> {
  readonly schema: v.GenericSchema<unknown, T> & { readonly entries: Readonly<Record<string, unknown>> };
  contradictions(said: T): (string | false)[];
  meant(said: T): Meant;
}
