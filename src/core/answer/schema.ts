// The JSON Schema that is sent to models for the final answer. In the strict form that every vendor takes: each
// property is required, unused ones are null, nothing else is allowed.
import type { Dialect } from "../model/review/verdict.ts";
import type { PaperKind } from "../paper/kind.ts";
import { buildPaperSchema } from "../paper/strict-form.ts";
import { statusWords } from "../review/dialect/forms/status.ts";
import { buildReviewProperties } from "../review/dialect/schema.ts";
import {
  allowNull,
  buildObjectSchema,
  buildStrictProperties,
  buildStrictSchema,
  type Properties,
  type Schema,
} from "../schema/json-schema.ts";
import { signals, waits } from "../schema/signal.ts";
import { type AnswerKind, answerForms } from "./answer.ts";

/** What a critic leaves out while it is not ready. */
const decisive = new Set([
  ...["decision", "verdict", "challenger_approved"],
  ...["summary", "feedback", "critique", "tree", "confidence"],
]);

/** The review of a critic that may also ask, fail or not be ready. */
function review(dialect: Dialect): Schema {
  const { status, questions, message } = buildStrictProperties(answerForms.handoff);
  const own = Object.entries(buildReviewProperties(dialect)).map(([name, schema]) => [
    name,
    decisive.has(name) ? allowNull(schema) : schema,
  ]);
  const signal = { status, questions, message } as Properties;
  return buildObjectSchema({
    ...Object.fromEntries(own),
    ...(dialect === "status" ? mergeStatusWords(signal) : signal),
  });
}

/** In the dialect `status` the critic's word and the worker's signal are one field. */
const mergeStatusWords = ({ status, questions, message }: Properties): Properties => ({
  status: {
    ...status,
    enum: [...statusWords, ...signals.filter((said) => said !== "completed")],
    description: `approved, needs_changes or needs_clarification when you hand over; ${waits}`,
  },
  questions: { ...questions, description: "empty unless needs_clarification or needs_input" },
  message: message ?? {},
});

function buildHandoff(): Schema {
  const { checkpoint: _, ...asked } = buildStrictProperties(answerForms.handoff);
  return buildObjectSchema(asked);
}

/** The form of the final answer, by what a turn hands in; that of a paper depends on its kind. */
export function buildAnswerSchema(kind: AnswerForm): Schema {
  const schema = built.get(kind) ?? buildForm(kind);
  built.set(kind, schema);
  return schema;
}

type AnswerForm = Exclude<AnswerKind, "paper">;

/** Every turn asks for one of a few, and none of them ever changes. */
const built = new Map<AnswerForm, Schema>();

function buildForm(kind: AnswerForm): Schema {
  if (kind === "handoff") return buildHandoff();
  return kind === "score" ? buildStrictSchema(answerForms.score) : review(kind);
}

/** Where the producer itself says that a checkpoint is reached; elsewhere it is not asked for one. */
export const buildCheckpointSchema = (): Schema => buildStrictSchema(answerForms.handoff);

/** The answer of a turn that hands in a paper of this kind. */
export function buildPaperAnswerSchema(kind: PaperKind): Schema {
  const { disputes, ...asked } = buildStrictProperties(answerForms.paper);
  return buildObjectSchema({
    ...asked,
    paper: allowNull(buildPaperSchema(kind)),
    ...(disputes ? { disputes } : {}),
  });
}
