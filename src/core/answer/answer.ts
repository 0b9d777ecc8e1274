// The final answer of a turn without a terminal: the worker's signal (is it ready, does it need something) and what it
// hands in. It becomes the same commands that agents in panes type.
import * as v from "valibot";
import { Answer, Checked, Dispute, NewFinding } from "../model/finding.ts";
import type { Asking } from "../model/outcome.ts";
import { ProducerPackage } from "../model/package.ts";
import { check, type Issue } from "../model/validate.ts";

export type AnswerKind = "handoff" | "findings";

export const signals = ["completed", "needs_input", "error", "in_progress"] as const;

const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));

const AskedQuestion = v.strictObject({
  id: v.optional(text(60)),
  question: text(4000),
  options: v.optional(v.pipe(v.array(text(200)), v.maxLength(20)), []),
  context: v.optional(text(4000)),
});

const signal = {
  status: v.picklist(signals, `must be one of ${signals.join(", ")}`),
  questions: v.optional(v.pipe(v.array(AskedQuestion), v.maxLength(20)), []),
  /** What went wrong, with status error; what is left to do, with in_progress. */
  message: v.optional(text(4000)),
  // Workers say these about themselves; the referee knows them better.
  worker_id: v.optional(v.string()),
  phase: v.optional(v.string()),
  agent_id: v.optional(v.string()),
  timestamp: v.optional(v.string()),
};

const Handoff = v.strictObject({
  ...signal,
  summary: v.optional(text(16_000)),
  package: v.optional(ProducerPackage),
  disputes: v.optional(v.array(Dispute), []),
  no_change: v.optional(text(4000)),
});

const Findings = v.strictObject({
  ...signal,
  summary: v.optional(text(16_000)),
  findings: v.optional(v.array(NewFinding), []),
  answers: v.optional(v.array(Answer), []),
  checked: v.optional(v.array(Checked), []),
  /** The critic holds that nothing is missing any more. */
  converged: v.optional(v.boolean(), false),
});

export type HandoffAnswer = v.InferOutput<typeof Handoff>;
export type FindingsAnswer = v.InferOutput<typeof Findings>;

export type Understood =
  | { readonly kind: "claim"; readonly claim: AnswerClaim }
  | { readonly kind: "asks"; readonly questions: readonly Asking[] }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "unfinished"; readonly message: string }
  | { readonly kind: "garbage"; readonly problem: string };

export type AnswerClaim =
  | ({ readonly type: "pass" } & Pick<HandoffAnswer, "disputes"> & {
        readonly summary: string;
        readonly package?: ProducerPackage;
        readonly noChange?: string;
      })
  | ({ readonly type: "pass" | "converged" } & Pick<FindingsAnswer, "findings" | "answers" | "checked"> & {
        readonly summary: string;
        readonly noFindings?: boolean;
      });

/** What an answer means. Anything that is not exactly an answer of this kind is garbage, with the reason. */
export function understand(kind: AnswerKind, given: unknown): Understood {
  const value = withoutNulls(given);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return garbage("the answer is no JSON object");
  const result = kind === "handoff" ? check(Handoff, value) : check(Findings, value);
  if (!result.ok) return garbage(sentence(result.issues));
  const { status, questions, message } = result.value;
  if (status !== "needs_input" && questions.length > 0)
    return garbage(`it asks questions, so its status must be needs_input, not ${status}`);
  if (status === "needs_input") return asks(questions);
  if (status === "error")
    return message
      ? { kind: "failed", message }
      : garbage("status error needs a message that says what went wrong");
  if (status === "in_progress")
    return { kind: "unfinished", message: message ?? result.value.summary ?? "it says that it is not ready" };
  if (!result.value.summary) return garbage("status completed needs a summary");
  return claimOf(kind, result.value, result.value.summary);
}

function asks(questions: readonly v.InferOutput<typeof AskedQuestion>[]): Understood {
  if (questions.length === 0) return garbage("status needs_input needs at least one question");
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

function claimOf(kind: AnswerKind, value: HandoffAnswer | FindingsAnswer, summary: string): Understood {
  if (kind === "handoff") {
    const { disputes, package: pack, no_change: noChange } = value as HandoffAnswer;
    return {
      kind: "claim",
      claim: {
        type: "pass",
        summary,
        disputes,
        ...(pack && Object.keys(pack).length > 0 ? { package: pack } : {}),
        ...(noChange ? { noChange } : {}),
      },
    };
  }
  const { findings, answers, checked, converged } = value as FindingsAnswer;
  if (converged && findings.length > 0)
    return garbage("it reports new findings and says converged: it cannot be both");
  const review = { summary, findings, answers, checked };
  return {
    kind: "claim",
    claim: converged
      ? { type: "converged", ...review }
      : { type: "pass", ...review, ...(findings.length === 0 ? { noFindings: true } : {}) },
  };
}

const garbage = (problem: string): Understood => ({ kind: "garbage", problem });

function sentence(issues: readonly Issue[]): string {
  return issues
    .slice(0, 5)
    .map(({ path, message, unknownKey }) =>
      unknownKey
        ? `${path.join(".")} is not a field of this answer`
        : `${path.join(".") || "the answer"}: ${message}`,
    )
    .join("; ");
}

/** No answer is deeper than this; what is, stays as it is and is found out as no answer. */
const deepest = 8;

/** The strict form of some APIs knows no absent property: null or an empty text stands for it there. */
function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > deepest || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => withoutNulls(inner, depth + 1));
  const kept = Object.entries(value).filter(([, inner]) => !isAbsent(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner, depth + 1)]));
}

const isAbsent = (value: unknown) => value === null || (typeof value === "string" && value.trim() === "");
