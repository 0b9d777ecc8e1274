// The envelopes of one command while it is decided. Each is folded at once, so that later rules of the same command see
// what earlier ones did.
import type { Draft, EnvelopeType, PayloadOf } from "../model/record/envelope.ts";
import type { State } from "../model/state.ts";

export interface DecisionBatch {
  readonly state: State;
  readonly drafts: readonly Draft[];
  readonly at: string;
  write<T extends EnvelopeType>(type: T, payload: PayloadOf<T>, address?: Address): void;
}

/** What a type of line does not say by itself: another sender or recipient than usual, and the files it names. */
export interface Address {
  readonly from?: string;
  readonly to?: string;
  readonly refs?: readonly string[];
}
