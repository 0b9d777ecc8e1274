// The worker's signal: the part of every final answer that says whether the worker is ready, needs something, or failed.
import * as v from "valibot";
import { defineTextField, describeField } from "../model/value/field.ts";
import { questionFields } from "./claim.ts";

export const signals = ["completed", "needs_input", "error", "in_progress"] as const;
export type Signal = (typeof signals)[number];

export const waits = "needs_input: only a human can decide the questions; error; in_progress: not ready";

export const status = describeField(
  v.picklist(signals, `must be one of ${signals.join(", ")}`),
  `completed: you hand over; ${waits}`,
);

const SignalQuestion = v.strictObject({
  id: describeField(v.optional(defineTextField(60)), "q1, q2 …", { needed: true }),
  ...questionFields,
});
export type SignalQuestion = v.InferOutput<typeof SignalQuestion>;

/** A bare text is a question without options; the referee numbers them. */
const LooseQuestion = v.pipe(
  v.unknown(),
  v.transform((given) => (typeof given === "string" ? { question: given } : given)),
  v.strictObject({ id: v.optional(defineTextField(60)), ...questionFields }),
);

const most = 20;

/** What a worker may say beside its status, in every answer. */
export const signalFields = {
  questions: describeField(
    v.optional(v.pipe(v.array(SignalQuestion), v.maxLength(most)), []),
    "empty unless needs_input",
  ),
  message: v.optional(defineTextField(4000, "with error: what went wrong; with in_progress: what is left")),
  // Workers say these about themselves; the referee knows them better.
  worker_id: v.optional(v.string()),
  phase: v.optional(v.string()),
  agent_id: v.optional(v.string()),
  timestamp: v.optional(v.string()),
};

/** The questions of a review, which may also be bare texts. */
export const looseQuestions = describeField(
  v.optional(v.pipe(v.array(LooseQuestion), v.maxLength(most)), []),
  "for needs_clarification: what only a human can say",
);
