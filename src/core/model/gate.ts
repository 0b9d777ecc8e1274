// A gate is a command the referee runs itself on one git tree; its result is evidence for that tree alone.
import * as v from "valibot";

export const Gate = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9:_-]{0,39}$/i, "must be a short word")),
  command: v.pipe(v.string(), v.minLength(1), v.maxLength(4000)),
  required: v.boolean(),
  timeout_seconds: v.optional(v.pipe(v.number(), v.minValue(1)), 600),
});
export type Gate = v.InferOutput<typeof Gate>;

/** The test profile of a bubble: the resolved gate list, or a human's word that there is none. */
export const Profile = v.strictObject({
  gates: v.array(Gate),
  /** How the list came about, for people: "detected (typescript)", "given by flag", … */
  source: v.string(),
  /** A human (or a flag that speaks for one) confirmed it. */
  confirmed: v.boolean(),
  /** Set when a human said that no test command exists, and why. */
  not_available: v.optional(v.string()),
});
export type Profile = v.InferOutput<typeof Profile>;

export const GateStatus = v.picklist(["passed", "failed", "timeout", "error"]);

export const GateResult = v.strictObject({
  name: v.string(),
  command: v.string(),
  required: v.boolean(),
  status: GateStatus,
  exit_code: v.nullable(v.number()),
  duration_ms: v.number(),
  /** Head and tail of the output, for prompts; the whole is in the artifact. */
  excerpt: v.pipe(v.string(), v.maxLength(8000)),
  hint: v.optional(v.string()),
});
export type GateResult = v.InferOutput<typeof GateResult>;
