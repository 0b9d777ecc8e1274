// What a turn used, by the CLI's own figures. Unknown stays unknown: a figure nobody reported is left out.
import * as v from "valibot";

const amount = v.pipe(v.number(), v.finite(), v.minValue(0));

export const Usage = v.strictObject({
  /** Tokens the model read, those from its cache included. */
  input: amount,
  /** Of these, how many came from the cache. */
  cached: v.optional(amount),
  output: amount,
  /** Money, only where the CLI reports it or a rate is configured. */
  usd: v.optional(amount),
  /** How full the model's window was at the end, 0 to 1, where the CLI reports it. */
  context: v.optional(amount),
  /** Not every request to the model is in these figures: it used this much or more. */
  at_least: v.optional(v.literal(true)),
});
export type Usage = v.InferOutput<typeof Usage>;

/** What somebody has used so far, in every unit a budget knows. */
export interface UsedBudget {
  readonly total: Usage;
  readonly minutes: number;
}
