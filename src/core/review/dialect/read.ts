// One answer of a critic, whatever its dialect, becomes one verdict; or it is refused with everything that is wrong
// with it. Prose is never searched for a verdict, and nothing is guessed.
import { type Dialect, dialects, type Verdict } from "../../model/review/verdict.ts";
import { dropAbsent, isObject } from "../../schema/absent.ts";
import { parseShape } from "../../schema/problems.ts";
import { type Signal, signals } from "../../schema/signal.ts";
import { findEchoes } from "./echo.ts";
import { challenge } from "./forms/challenge.ts";
import { decision } from "./forms/decision.ts";
import type { DialectForm, SharedFields } from "./forms/fields.ts";
import { findings } from "./forms/findings.ts";
import { status, statusWords } from "./forms/status.ts";
import { verdict } from "./forms/verdict.ts";
import { buildVerdict, findReviewContradictions } from "./meaning.ts";
import { maxBytes, readJsonAnswer } from "./strict-json.ts";
import { collectTexts, findForbiddenText } from "./texts.ts";

export type ParsedReview =
  | { readonly ok: true; readonly verdict: Verdict }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      /** Its form is right, and it contradicts itself. */
      readonly contradicts?: boolean;
    };

interface Reading {
  readonly fields: readonly string[];
  read(value: Readonly<Record<string, unknown>>): ParsedReview;
}

const readings: Readonly<Record<Dialect, Reading>> = {
  findings: defineReading("findings", findings),
  decision: defineReading("decision", decision),
  status: defineReading("status", status),
  verdict: defineReading("verdict", verdict),
  challenge: defineReading("challenge", challenge),
};

/** The form of each dialect, for code that must know its fields. */
export const dialectForms = {
  findings: findings.schema,
  decision: decision.schema,
  status: status.schema,
  verdict: verdict.schema,
  challenge: challenge.schema,
} as const satisfies Record<Dialect, object>;

/** The field by which each dialect decides; findings may be listed in all of them. */
const deciding: Readonly<Partial<Record<Dialect, string>>> = {
  decision: "decision",
  status: "status",
  verdict: "verdict",
  challenge: "challenger_approved",
};

/** The fields that an answer in this dialect may have. */
export const listDialectFields = (dialect: Dialect): readonly string[] => readings[dialect].fields;

/** The verdict that a text ends with: one JSON object of this dialect, or why it is none. */
export function parseReview(dialect: Dialect, text: string): ParsedReview {
  const json = readJsonAnswer(text);
  return json.ok ? readReview(dialect, json.value) : { ok: false, problems: [json.problem] };
}

/** The verdict of an answer, or every reason why it is none. */
export function readReview(dialect: Dialect, given: unknown): ParsedReview {
  const leaves = collectTexts(given);
  const copied = leaves ? findEchoes(leaves) : [];
  return copied.length > 0 ? refuseParsing(copied) : readForm(dialect, given);
}

/** The same without asking whether it is copied from the prompt: for the examples themselves. */
export function readForm(dialect: Dialect, given: unknown): ParsedReview {
  const problem = findUnfit(given);
  if (problem) return refuseParsing([problem]);
  const value = dropAbsent(given);
  if (!isObject(value)) return refuseParsing(["the answer is no JSON object"]);
  const foreign = findOtherVerdict(dialect, value) ?? findSignalProblem(dialect, value.status);
  if (foreign) return refuseParsing([foreign]);
  const { status: signal, ...rest } = value;
  return readings[dialect].read(dialect === "status" || signal === undefined ? value : rest);
}

const refuseParsing = (problems: readonly string[]): ParsedReview => ({ ok: false, problems });

function findUnfit(given: unknown): string | undefined {
  const leaves = collectTexts(given);
  if (!leaves) return "the answer is nested too deep or has too many parts";
  const size = leaves.reduce((sum, { text }) => sum + text.length, 0);
  if (size > maxBytes) return `the answer is longer than ${maxBytes / 1024} KiB`;
  const wrong = leaves.find(({ text }) => findForbiddenText(text));
  return wrong && `${wrong.path.join(".") || "the answer"}: ${findForbiddenText(wrong.text)} stands in it`;
}

/** The deciding field of another dialect: beside the own one a second verdict, alone the wrong dialect. */
function findOtherVerdict(dialect: Dialect, value: Readonly<Record<string, unknown>>): string | undefined {
  const other = dialects.find((name) => name !== dialect && hasDecision(name, value));
  if (!other) return undefined;
  const own = deciding[dialect] ?? "findings";
  return own in value
    ? `there are two verdicts in one answer: ${own} and ${deciding[other]}`
    : `it is in the dialect ${other}, and the dialect of this review is ${dialect}: ${own} is missing`;
}

function hasDecision(dialect: Dialect, value: Readonly<Record<string, unknown>>): boolean {
  const field = deciding[dialect];
  if (!field || !(field in value)) return false;
  return field !== "status" || statusWords.some((word) => word === value.status);
}

/** In the other dialects `status` is the worker's signal, and only one that is ready hands over a review. */
function findSignalProblem(dialect: Dialect, said: unknown): string | undefined {
  if (dialect === "status")
    return said !== "completed" && signals.includes(said as Signal)
      ? describeNoReview(String(said))
      : undefined;
  if (said === undefined || said === "completed") return undefined;
  return signals.includes(said as Signal)
    ? describeNoReview(String(said))
    : `status: must be one of ${signals.join(", ")}`;
}

const describeNoReview = (said: string) => `with status ${said} it hands over no review`;

function defineReading<T extends SharedFields>(dialect: Dialect, form: DialectForm<T>): Reading {
  return {
    fields: [...new Set(["status", ...Object.keys(form.schema.entries)])],
    read(value) {
      const result = parseShape(form.schema, value);
      if (!result.ok) return refuseParsing(result.problems);
      const said = result.value;
      const own = form.contradictions(said).filter((problem) => problem !== false);
      const meant = form.meant(said);
      const problems = [...own, ...findReviewContradictions(dialect, said, meant)];
      if (problems.length > 0) return { ok: false, problems, contradicts: true };
      return { ok: true, verdict: buildVerdict(dialect, said, meant) };
    },
  };
}
