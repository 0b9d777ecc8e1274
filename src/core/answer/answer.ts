// The final answer of a turn without a terminal: the worker's signal (is it ready, does it need something) and what it
// hands in. It becomes the same commands that agents in panes type.
import * as v from "valibot";
import type { ProducerPackage } from "../model/record/package.ts";
import type { Dialect, Verdict } from "../model/review/verdict.ts";
import type { AgentQuestion } from "../model/turn-end.ts";
import { describeField, getDescription } from "../model/value/field.ts";
import { reviewClaim, type VerdictClaim } from "../review/claim.ts";
import { listDialectFields, readReview } from "../review/dialect/read.ts";
import { readJsonAnswer } from "../review/dialect/strict-json.ts";
import { dropAbsent, isObject } from "../schema/absent.ts";
import { handoff, paper, scoring } from "../schema/claim.ts";
import { parseShape } from "../schema/problems.ts";
import { type Signal, type SignalQuestion, signalFields, signals, status } from "../schema/signal.ts";

export { signals } from "../schema/signal.ts";

/** What a turn hands in: changed files with a package, a score of a tree, a paper, or a review in one of the dialects. */
export type AnswerKind = "handoff" | "score" | "paper" | Dialect;

/** A worker that is not ready leaves it out. */
const defineOptionalUntilCompleted = <const S extends v.GenericSchema>(field: S) =>
  describeField(v.optional(field), `${getDescription(field)}; needed when completed`);

const Handoff = v.strictObject({
  status,
  ...signalFields,
  ...handoff,
  summary: defineOptionalUntilCompleted(handoff.summary),
});
type HandoffAnswer = v.InferOutput<typeof Handoff>;

const Score = v.strictObject({
  status,
  ...signalFields,
  summary: defineOptionalUntilCompleted(scoring.summary),
  score: defineOptionalUntilCompleted(scoring.score),
});

const Paper = v.strictObject({
  status,
  ...signalFields,
  summary: defineOptionalUntilCompleted(paper.summary),
  paper: v.optional(paper.paper),
  disputes: paper.disputes,
});

/** The forms of answers that are no reviews. */
export const answerForms = { handoff: Handoff, score: Score, paper: Paper } as const;

export type Understood =
  | { readonly kind: "claim"; readonly claim: AnswerClaim }
  | {
      readonly kind: "asks";
      readonly questions: readonly AgentQuestion[];
      /** Of a review that needs clarification: the tree it is about, "" when it names none. */
      readonly tree?: string;
    }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "unfinished"; readonly message: string }
  | { readonly kind: "garbage"; readonly problem: string };

export type AnswerClaim =
  | ({ readonly type: "pass" } & Pick<HandoffAnswer, "disputes"> & {
        readonly summary: string;
        readonly package?: ProducerPackage;
        readonly noChange?: string;
        readonly checkpoint?: string;
      })
  | { readonly type: "pass"; readonly summary: string; readonly score: number }
  | ({ readonly type: "pass"; readonly summary: string } & Partial<Pick<HandoffAnswer, "disputes">> & {
        readonly paper: Readonly<Record<string, unknown>>;
      })
  | VerdictClaim;

/** What an answer means. Anything that is not exactly an answer of this kind is garbage, with the reason. */
export function understand(kind: AnswerKind, given: unknown): Understood {
  const value = dropAbsent(given);
  if (!isObject(value)) return refuseGarbage(["the answer is no JSON object"]);
  if (kind === "handoff") return readHandoff(value);
  if (kind === "paper") return readPaperAnswer(value);
  return kind === "score" ? readScore(value) : readReviewAnswer(kind, value);
}

type Fields = Readonly<Record<string, unknown>>;

function readHandoff(value: Fields): Understood {
  const result = parseShape(Handoff, value);
  if (!result.ok) return refuseGarbage(result.problems);
  const { summary, disputes, package: pack, no_change: noChange, checkpoint } = result.value;
  const waits = readSignal(result.value, summary);
  if (waits) return waits;
  if (!summary) return refuseGarbage(["status completed needs a summary"]);
  return {
    kind: "claim",
    claim: {
      type: "pass",
      summary,
      disputes,
      ...(pack && Object.keys(pack).length > 0 ? { package: pack } : {}),
      ...(noChange ? { noChange } : {}),
      ...(checkpoint ? { checkpoint } : {}),
    },
  };
}

/** A judge that is ready gives a number; it is never looked for in its words. */
function readScore(value: Fields): Understood {
  const result = parseShape(Score, value);
  if (!result.ok) return refuseGarbage(result.problems);
  const { summary, score } = result.value;
  const waits = readSignal(result.value, summary);
  if (waits) return waits;
  if (!summary) return refuseGarbage(["status completed needs a summary"]);
  if (score === undefined) return refuseGarbage(["status completed needs a score from 0 to 1"]);
  return { kind: "claim", claim: { type: "pass", summary, score } };
}

/** The paper as it was written; whether it is one is the referee's to say. */
function readPaperAnswer(value: Fields): Understood {
  const result = parseShape(Paper, value);
  if (!result.ok) return refuseGarbage(result.problems);
  const { summary, paper, disputes } = result.value;
  const waits = readSignal(result.value, summary);
  if (waits) return waits;
  if (!summary) return refuseGarbage(["status completed needs a summary"]);
  if (!paper) return refuseGarbage(["status completed needs the paper"]);
  const objects = disputes.length > 0 ? { disputes } : {};
  return { kind: "claim", claim: { type: "pass", summary, paper, ...objects } };
}

/** What an answer means that came as text; what may stand around it is the same for all. */
export function understandText(kind: AnswerKind, text: string, found: unknown): Understood {
  if (kind === "handoff" || kind === "paper") return understand(kind, found);
  const json = readJsonAnswer(text);
  return json.ok ? understand(kind, json.value) : refuseGarbage([json.problem]);
}

function readReviewAnswer(dialect: Dialect, value: Fields): Understood {
  if (isWaiting(value.status)) return readWaiting(dialect, value);
  const parsed = readReview(dialect, value);
  if (!parsed.ok) return refuseGarbage(parsed.problems);
  if (parsed.verdict.decision === "clarify") return understandClarification(parsed.verdict);
  return { kind: "claim", claim: reviewClaim(parsed.verdict) };
}

function understandClarification({ questions, tree = "" }: Verdict): Understood {
  const asked = understandQuestions(
    questions.map(({ options = [], ...question }) => ({ ...question, options: [...options] })),
  );
  return asked.kind === "asks" ? { ...asked, tree } : asked;
}

const isWaiting = (said: unknown) => said !== "completed" && signals.includes(said as Signal);

/** A critic that hands in nothing yet: only its signal is looked at, and that no field is unknown. */
function readWaiting(dialect: Dialect, value: Fields): Understood {
  const names = ["summary", ...listDialectFields(dialect)];
  const others = Object.fromEntries(names.map((name) => [name, v.optional(v.unknown())]));
  const result = parseShape(v.strictObject({ ...others, status, ...signalFields }), value);
  if (!result.ok) return refuseGarbage(result.problems);
  const words = [value.summary, value.feedback, value.critique].find((said) => typeof said === "string");
  return readSignal(result.value, words) ?? refuseGarbage(["it hands over nothing"]);
}

interface Signalled {
  readonly status: Signal;
  readonly questions: readonly SignalQuestion[];
  readonly message?: string | undefined;
}

/** What a signal other than completed means; undefined: the worker is ready. */
function readSignal(
  { status: said, questions, message }: Signalled,
  summary?: string,
): Understood | undefined {
  if (said !== "needs_input" && questions.length > 0)
    return refuseGarbage([`it asks questions, so its status must be needs_input, not ${said}`]);
  if (said === "needs_input") return understandQuestions(questions);
  if (said === "error")
    return message
      ? { kind: "failed", message }
      : refuseGarbage(["status error needs a message that says what went wrong"]);
  if (said === "in_progress")
    return { kind: "unfinished", message: message ?? summary ?? "it says that it is not ready" };
  return undefined;
}

function understandQuestions(questions: readonly SignalQuestion[]): Understood {
  if (questions.length === 0) return refuseGarbage(["status needs_input needs at least one question"]);
  return {
    kind: "asks",
    questions: questions.map(({ id, question, options, context }, i) => ({
      id: id ?? `q${i + 1}`,
      question,
      ...(options.length > 0 ? { options } : {}),
      ...(context ? { context } : {}),
    })),
  };
}

const refuseGarbage = (problems: readonly string[]): Understood => ({
  kind: "garbage",
  problem: problems.slice(0, 5).join("; "),
});
