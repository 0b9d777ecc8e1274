// The append-only log of each bubble: the only truth. Every adapter passes testing/log-contract.ts, whose
// test titles are the promises below.
import type { Envelope } from "../core/model/envelope.ts";

/** A place in a log: `seq` is dense per bubble (0 = empty), `token` is the adapter's own and opaque. */
export interface Head {
  readonly seq: number;
  readonly token: string;
}

/** A line that does not count: torn, out of place, or the loser of a race. Kept, and shown by `verify`. */
export interface Skipped {
  readonly line: number;
  readonly reason: string;
}

export interface Batch {
  readonly envelopes: readonly Envelope[];
  readonly skipped: readonly Skipped[];
  readonly head: Head;
}

export type Appended =
  | { readonly ok: true; readonly head: Head; readonly envelopes: readonly Envelope[] }
  | { readonly ok: false; readonly head: Head };

/**
 * L1 append is all-or-nothing; envelopes get seq expected+1…+n, dense, no gap, immutable
 * L2 for one expected head exactly one append wins, across processes and pauses
 * L3 ok means durable: the lines survive kill -9 of any process and a power cut
 * L4 repeating the same append (same batch id) after a failure returns ok with the first lines, never a second copy
 * L5 read yields in order, gap-free, up to the head at the call; a torn or losing line is skipped, never counted
 * L6 subscribe is at least once, ordered per bubble, resumable from a head, and misses nothing
 */
export interface EventLog {
  /** Envelopes come without `prev`: the adapter chains them. Throws Failure `log.*` when the disk does not take them. */
  append(bubble: string, expected: Head, envelopes: readonly Omit<Envelope, "prev">[]): Promise<Appended>;
  /** Folds nothing, trusts nothing: reads from `from` (default: the start). Throws Failure `log.head-lost` if `from` is not in this log. */
  read(bubble: string, from?: Head): AsyncIterable<Batch>;
  /** Yields what follows `from`, then waits for more until `signal` aborts. */
  subscribe(bubble: string, from: Head, signal: AbortSignal): AsyncIterable<Batch>;
}

export const emptyHead: Head = { seq: 0, token: "" };
