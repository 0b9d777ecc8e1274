// The worker's signal: the part of every final answer that says whether the worker is ready, needs something, or failed.
import * as v from "valibot";

export const signals = ["completed", "needs_input", "error", "in_progress"] as const;
export type Signal = (typeof signals)[number];

const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));

const AskedQuestion = v.strictObject({
  id: v.optional(text(60)),
  question: text(4000),
  options: v.optional(v.pipe(v.array(text(200)), v.maxLength(20)), []),
  context: v.optional(text(4000)),
});
export type AskedQuestion = v.InferOutput<typeof AskedQuestion>;

/** A bare text is a question without options. */
const Question = v.pipe(
  v.unknown(),
  v.transform((given) => (typeof given === "string" ? { question: given } : given)),
  AskedQuestion,
);

export const status = v.picklist(signals, `must be one of ${signals.join(", ")}`);

/** What a worker may say beside its status, in every answer. */
export const signalFields = {
  questions: v.optional(v.pipe(v.array(AskedQuestion), v.maxLength(20)), []),
  /** What went wrong, with status error; what is left to do, with in_progress. */
  message: v.optional(text(4000)),
  // Workers say these about themselves; the referee knows them better.
  worker_id: v.optional(v.string()),
  phase: v.optional(v.string()),
  agent_id: v.optional(v.string()),
  timestamp: v.optional(v.string()),
};

/** The same for answers in which a question may also be a bare text. */
export const looseQuestions = v.optional(v.pipe(v.array(Question), v.maxLength(20)), []);
