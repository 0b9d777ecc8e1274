// The JSON Schema that is sent to models for the final answer. In the strict form that every vendor takes: each
// property is required, unused ones are null, nothing else is allowed.
import { packageParts } from "../model/package.ts";
import { type Dialect, dialects } from "../model/verdict.ts";
import type { PaperKind } from "../paper/kind.ts";
import { statusWords } from "../review/dialect/forms/status.ts";
import { reviewProperties } from "../review/dialect/schema.ts";
import { list, maybe, nullable, object, type Schema, text, word } from "../schema/json-schema.ts";
import { signals } from "../schema/signal.ts";
import type { AnswerKind } from "./answer.ts";

const waits = "needs_input: only a human can decide the questions; error; in_progress: not ready";

const signal = {
  status: word(signals, `completed: you hand over; ${waits}`),
  questions: list(
    object({
      id: text("q1, q2 …"),
      question: text("one question that blocks you"),
      options: list({ type: "string" }, "answers you propose; may be empty"),
      context: maybe("why it matters"),
    }),
    "empty unless needs_input",
  ),
  message: maybe("with error: what went wrong; with in_progress: what is left"),
};

const disputes = list(
  object({ id: text("a finding's id"), reason: text("a reason that can be checked") }),
  "findings you hold to be wrong; usually empty",
);

const handedOver = {
  ...signal,
  summary: maybe("what you did or found, and why; needed when completed"),
  package: nullable(
    object(Object.fromEntries(packageParts.map((part) => [part, maybe(part.replace("_", " "))]))),
  ),
  disputes,
  no_change: maybe("why nothing needs to change, with evidence; null when you changed files"),
};

const handoff = object(handedOver);

const score = object({
  ...signal,
  summary: maybe("why it deserves this score, with places; needed when completed"),
  score: { type: ["number", "null"], description: "0 (worthless) to 1 (ready); needed when completed" },
});

const reviewStatus = word(
  [...statusWords, ...signals.filter((said) => said !== "completed")],
  `approved, needs_changes or needs_clarification when you hand over; ${waits}`,
);

/** What a critic leaves out while it is not ready. */
const decisive = new Set([
  "decision",
  "verdict",
  "challenger_approved",
  "summary",
  "feedback",
  "critique",
  "tree",
  "confidence",
]);

/** The review of a critic that may also ask, fail or not be ready. */
function review(dialect: Dialect): Schema {
  const own = Object.entries(reviewProperties(dialect)).map(([name, schema]) => [
    name,
    decisive.has(name) ? nullable(schema) : schema,
  ]);
  const words =
    dialect === "status"
      ? {
          status: reviewStatus,
          questions: { ...signal.questions, description: "empty unless needs_clarification or needs_input" },
        }
      : {};
  return object({ ...Object.fromEntries(own), ...signal, ...words });
}

const reviews = Object.fromEntries(dialects.map((dialect) => [dialect, review(dialect)])) as Readonly<
  Record<Dialect, Schema>
>;

/** The form of the final answer, by what a turn hands in; that of a paper depends on its kind. */
export const answerSchemas: Readonly<Record<Exclude<AnswerKind, "paper">, Schema>> = {
  handoff,
  score,
  ...reviews,
};

/** Where the producer itself says that a checkpoint is reached; elsewhere it is not asked for one. */
export const checkpointSchema: Schema = object({
  ...handedOver,
  checkpoint: maybe("the name of the checkpoint that is reached with this; null when none is"),
});

/** The answer of a turn that hands in a paper of this kind. */
export const paperAnswerSchema = ({ json }: Pick<PaperKind, "json">): Schema =>
  object({
    ...signal,
    summary: maybe("what the paper says and why; needed when completed"),
    paper: nullable(json),
    disputes,
  });
