// One answer of a critic, whatever its dialect, becomes one verdict; or it is refused with everything that is wrong
// with it. Prose is never searched for a verdict, and nothing is guessed.

import { type Dialect, dialects, type Verdict } from "../../model/verdict.ts";
import { isObject, withoutAbsent } from "../../schema/absent.ts";
import { shaped } from "../../schema/problems.ts";
import { type Signal, signals } from "../../schema/signal.ts";
import { echoesIn } from "./echo.ts";
import { challenge } from "./forms/challenge.ts";
import { decision } from "./forms/decision.ts";
import type { Form, Shared } from "./forms/fields.ts";
import { findings } from "./forms/findings.ts";
import { status, statusWords } from "./forms/status.ts";
import { verdict } from "./forms/verdict.ts";
import { contradictions, verdictOf } from "./meaning.ts";
import { maxBytes } from "./strict-json.ts";
import { leavesOf, unfit } from "./texts.ts";

export type Parsed =
  | { readonly ok: true; readonly verdict: Verdict }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      /** Its form is right, and it contradicts itself. */
      readonly contradicts?: boolean;
    };

interface Reading {
  readonly fields: readonly string[];
  read(value: Readonly<Record<string, unknown>>): Parsed;
}

const readings: Readonly<Record<Dialect, Reading>> = {
  findings: reading("findings", findings),
  decision: reading("decision", decision),
  status: reading("status", status),
  verdict: reading("verdict", verdict),
  challenge: reading("challenge", challenge),
};

/** The form of each dialect, for whoever must know its fields. */
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
export const fieldsOf = (dialect: Dialect): readonly string[] => readings[dialect].fields;

/** The verdict of an answer, or every reason why it is none. */
export function readReview(dialect: Dialect, given: unknown): Parsed {
  const leaves = leavesOf(given);
  const copied = leaves ? echoesIn(leaves) : [];
  return copied.length > 0 ? refused(copied) : readForm(dialect, given);
}

/** The same without asking whether it is copied from the prompt: for the examples themselves. */
export function readForm(dialect: Dialect, given: unknown): Parsed {
  const problem = unfitIn(given);
  if (problem) return refused([problem]);
  const value = withoutAbsent(given);
  if (!isObject(value)) return refused(["the answer is no JSON object"]);
  const foreign = otherVerdict(dialect, value) ?? signalProblem(dialect, value.status);
  if (foreign) return refused([foreign]);
  const { status: signal, ...rest } = value;
  return readings[dialect].read(dialect === "status" || signal === undefined ? value : rest);
}

const refused = (problems: readonly string[]): Parsed => ({ ok: false, problems });

function unfitIn(given: unknown): string | undefined {
  const leaves = leavesOf(given);
  if (!leaves) return "the answer is nested too deep or has too many parts";
  const size = leaves.reduce((sum, { text }) => sum + text.length, 0);
  if (size > maxBytes) return `the answer is longer than ${maxBytes / 1024} KiB`;
  const wrong = leaves.find(({ text }) => unfit(text));
  return wrong && `${wrong.path.join(".") || "the answer"}: ${unfit(wrong.text)} stands in it`;
}

/** The deciding field of another dialect: beside the own one a second verdict, alone the wrong dialect. */
function otherVerdict(dialect: Dialect, value: Readonly<Record<string, unknown>>): string | undefined {
  const other = dialects.find((name) => name !== dialect && decides(name, value));
  if (!other) return undefined;
  const own = deciding[dialect] ?? "findings";
  return own in value
    ? `there are two verdicts in one answer: ${own} and ${deciding[other]}`
    : `it is in the dialect ${other}, and the dialect of this review is ${dialect}: ${own} is missing`;
}

function decides(dialect: Dialect, value: Readonly<Record<string, unknown>>): boolean {
  const field = deciding[dialect];
  if (!field || !(field in value)) return false;
  return field !== "status" || statusWords.some((word) => word === value.status);
}

/** In the other dialects `status` is the worker's signal, and only one that is ready hands over a review. */
function signalProblem(dialect: Dialect, said: unknown): string | undefined {
  if (dialect === "status") {
    return said !== "completed" && signals.includes(said as Signal) ? noReview(String(said)) : undefined;
  }
  if (said === undefined || said === "completed") return undefined;
  return signals.includes(said as Signal)
    ? noReview(String(said))
    : `status: must be one of ${signals.join(", ")}`;
}

const noReview = (said: string) => `with status ${said} it hands over no review`;

function reading<T extends Shared>(dialect: Dialect, form: Form<T>): Reading {
  return {
    fields: [...new Set(["status", ...Object.keys(form.schema.entries)])],
    read(value) {
      const result = shaped(form.schema, value);
      if (!result.ok) return refused(result.problems);
      const said = result.value;
      const own = form.contradictions(said).filter((problem) => problem !== false);
      const meant = form.meant(said);
      const problems = [...own, ...contradictions(dialect, said, meant)];
      if (problems.length > 0) return { ok: false, problems, contradicts: true };
      return { ok: true, verdict: verdictOf(dialect, said, meant) };
    },
  };
}
