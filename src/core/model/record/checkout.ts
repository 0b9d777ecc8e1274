// How a clean checkout was made ready for gates: what was run in it, what was copied into it, and from where. It stands
// on the record beside the results, so that the person who signs sees what they rest on.
import * as v from "valibot";

const defineText = (max: number) => v.pipe(v.string(), v.maxLength(max));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A file that `.worktreeinclude` names, as it was in the person's checkout. */
export const IncludedFile = v.strictObject({ path: defineText(1000), sha256: defineText(64) });
export type IncludedFile = v.InferOutput<typeof IncludedFile>;

export const CleanCheckout = v.strictObject({
  /** The command that prepared it. */
  setup: v.optional(defineText(4000)),
  included: v.array(IncludedFile),
  /** How many there were, where a line has no room for all. */
  included_total: v.optional(count),
  notes: v.optional(v.array(defineText(500))),
  /** Why it could not be made ready: no gate ran. */
  problem: v.optional(defineText(2000)),
});
export type CleanCheckout = v.InferOutput<typeof CleanCheckout>;

/** What is known of a run on the untouched base beside its results. */
export const BaseRun = v.strictObject({
  /** When the gates ran, where an earlier bubble on the same base had them run. */
  ran_at: v.optional(defineText(40)),
  /** Gates that are green on the clean checkout and red in the worktree of the same tree: its path decides. */
  red_in_worktree: v.optional(v.array(defineText(60))),
  /** Gates that are red in their sandbox and green there with the network. */
  needs_network: v.optional(v.array(defineText(60))),
});
export type BaseRun = v.InferOutput<typeof BaseRun>;
