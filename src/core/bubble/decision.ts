// What deciding a command gives.
import type { Draft } from "../model/record/envelope.ts";
import type { Refusal } from "../model/refusal.ts";

/** What follows: lines to append, and/or a refusal. A refused claim may leave a warning on the record. */
export interface RefereeDecision {
  readonly drafts: readonly Draft[];
  readonly refusal?: Refusal;
  /** The same verb was accepted before in this turn; its first outcome stands. */
  readonly repeats?: number;
}
