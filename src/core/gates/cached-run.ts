// A run of the gates on a base commit as it is kept for the next bubble on that base. What cannot be read counts for
// nothing: the gates run then.
import * as v from "valibot";
import { GateResult } from "../model/gate.ts";
import { CleanCheckout } from "../model/record/checkout.ts";

export const KeptRun = v.strictObject({
  ran_at: v.pipe(v.string(), v.isoTimestamp()),
  results: v.array(GateResult),
  clean: CleanCheckout,
  /** Gates that were green once they had the network. */
  needs_network: v.optional(v.array(v.string())),
  /** Everything the gates printed. */
  log: v.string(),
});
export type KeptRun = v.InferOutput<typeof KeptRun>;

export function readKeptRun(text: string | undefined): KeptRun | undefined {
  if (text === undefined) return undefined;
  try {
    const read = v.safeParse(KeptRun, JSON.parse(text));
    return read.success ? read.output : undefined;
  } catch {
    return undefined;
  }
}

/** A run is worth keeping when every gate said something about the tree. */
export function isWorthKeeping(results: readonly GateResult[], clean: CleanCheckout): boolean {
  return clean.problem === undefined && results.every(({ status }) => status !== "error");
}
