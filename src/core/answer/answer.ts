// The final answer of a turn without a terminal: the worker's signal (is it ready, does it need something) and what it
// hands in. It becomes the same commands that agents in panes type.
import * as v from "valibot";
import { Dispute } from "../model/finding.ts";
import type { Asking } from "../model/outcome.ts";
import { ProducerPackage } from "../model/package.ts";
import type { Dialect, Verdict } from "../model/verdict.ts";
import { reviewClaim, type VerdictClaim } from "../review/claim.ts";
import { fieldsOf, readReview } from "../review/dialect/read.ts";
import { readAnswer } from "../review/dialect/strict-json.ts";
import { isObject, withoutAbsent } from "../schema/absent.ts";
import { shaped } from "../schema/problems.ts";
import { type AskedQuestion, type Signal, signalFields, signals, status } from "../schema/signal.ts";

export { signals } from "../schema/signal.ts";

/** What a turn hands in: changed files with a package, a score of a tree, a paper, or a review in one of the dialects. */
export type AnswerKind = "handoff" | "score" | "paper" | Dialect;

const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));

const Handoff = v.strictObject({
  status,
  ...signalFields,
  summary: v.optional(text(16_000)),
  package: v.optional(ProducerPackage),
  disputes: v.optional(v.array(Dispute), []),
  no_change: v.optional(text(4000)),
  checkpoint: v.optional(text(200)),
});
type HandoffAnswer = v.InferOutput<typeof Handoff>;

const Score = v.strictObject({
  status,
  ...signalFields,
  summary: v.optional(text(16_000)),
  score: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
});

/** What stands in the paper is looked at by whoever knows its kind. */
const Paper = v.strictObject({
  status,
  ...signalFields,
  summary: v.optional(text(16_000)),
  paper: v.optional(v.record(v.string(), v.unknown(), "must be an object")),
  disputes: v.optional(v.array(Dispute), []),
});

/** The forms of answers that are no reviews. */
export const answerForms = { handoff: Handoff, score: Score, paper: Paper } as const;

export type Understood =
  | { readonly kind: "claim"; readonly claim: AnswerClaim }
  | {
      readonly kind: "asks";
      readonly questions: readonly Asking[];
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
  const value = withoutAbsent(given);
  if (!isObject(value)) return garbage(["the answer is no JSON object"]);
  if (kind === "handoff") return handedOver(value);
  if (kind === "paper") return handedIn(value);
  return kind === "score" ? scored(value) : reviewed(kind, value);
}

type Fields = Readonly<Record<string, unknown>>;

function handedOver(value: Fields): Understood {
  const result = shaped(Handoff, value);
  if (!result.ok) return garbage(result.problems);
  const { summary, disputes, package: pack, no_change: noChange, checkpoint } = result.value;
  const waits = signalled(result.value, summary);
  if (waits) return waits;
  if (!summary) return garbage(["status completed needs a summary"]);
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
function scored(value: Fields): Understood {
  const result = shaped(Score, value);
  if (!result.ok) return garbage(result.problems);
  const { summary, score } = result.value;
  const waits = signalled(result.value, summary);
  if (waits) return waits;
  if (!summary) return garbage(["status completed needs a summary"]);
  if (score === undefined) return garbage(["status completed needs a score from 0 to 1"]);
  return { kind: "claim", claim: { type: "pass", summary, score } };
}

/** The paper as it was written; whether it is one is the referee's to say. */
function handedIn(value: Fields): Understood {
  const result = shaped(Paper, value);
  if (!result.ok) return garbage(result.problems);
  const { summary, paper, disputes } = result.value;
  const waits = signalled(result.value, summary);
  if (waits) return waits;
  if (!summary) return garbage(["status completed needs a summary"]);
  if (!paper) return garbage(["status completed needs the paper"]);
  const objects = disputes.length > 0 ? { disputes } : {};
  return { kind: "claim", claim: { type: "pass", summary, paper, ...objects } };
}

/** What an answer means that came as text; what may stand around it is the same for all. */
export function understandText(kind: AnswerKind, text: string, found: unknown): Understood {
  if (kind === "handoff" || kind === "paper") return understand(kind, found);
  const json = readAnswer(text);
  return json.ok ? understand(kind, json.value) : garbage([json.problem]);
}

function reviewed(dialect: Dialect, value: Fields): Understood {
  if (isWaiting(value.status)) return waiting(dialect, value);
  const parsed = readReview(dialect, value);
  if (!parsed.ok) return garbage(parsed.problems);
  if (parsed.verdict.decision === "clarify") return clarifies(parsed.verdict);
  return { kind: "claim", claim: reviewClaim(parsed.verdict) };
}

function clarifies({ questions, tree = "" }: Verdict): Understood {
  const asked = asks(
    questions.map(({ options = [], ...question }) => ({ ...question, options: [...options] })),
  );
  return asked.kind === "asks" ? { ...asked, tree } : asked;
}

const isWaiting = (said: unknown) => said !== "completed" && signals.includes(said as Signal);

/** A critic that hands in nothing yet: only its signal is looked at, and that no field is unknown. */
function waiting(dialect: Dialect, value: Fields): Understood {
  const names = ["summary", ...fieldsOf(dialect)];
  const others = Object.fromEntries(names.map((name) => [name, v.optional(v.unknown())]));
  const result = shaped(v.strictObject({ ...others, status, ...signalFields }), value);
  if (!result.ok) return garbage(result.problems);
  const words = [value.summary, value.feedback, value.critique].find((said) => typeof said === "string");
  return signalled(result.value, words) ?? garbage(["it hands over nothing"]);
}

interface Signalled {
  readonly status: Signal;
  readonly questions: readonly AskedQuestion[];
  readonly message?: string | undefined;
}

/** What a signal other than completed means; undefined: the worker is ready. */
function signalled(
  { status: said, questions, message }: Signalled,
  summary?: string,
): Understood | undefined {
  if (said !== "needs_input" && questions.length > 0)
    return garbage([`it asks questions, so its status must be needs_input, not ${said}`]);
  if (said === "needs_input") return asks(questions);
  if (said === "error")
    return message
      ? { kind: "failed", message }
      : garbage(["status error needs a message that says what went wrong"]);
  if (said === "in_progress")
    return { kind: "unfinished", message: message ?? summary ?? "it says that it is not ready" };
  return undefined;
}

function asks(questions: readonly AskedQuestion[]): Understood {
  if (questions.length === 0) return garbage(["status needs_input needs at least one question"]);
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

const garbage = (problems: readonly string[]): Understood => ({
  kind: "garbage",
  problem: problems.slice(0, 5).join("; "),
});
