// The append-only log of each bubble: the only truth. Every adapter passes testing/log/contract.ts, whose
// test titles are the promises below.
import type { Envelope } from "../../core/model/record/envelope.ts";
import { Failure } from "../failure.ts";

/**
 * A place in a log: `seq` is dense per bubble (0 = empty), `token` is the adapter's own. Where it begins with a number and a colon,
 * that number grows with each append, and a list compares it with the log's length; all else of it is opaque.
 */
export interface Head {
  readonly seq: number;
  readonly token: string;
}

/** A line that does not count: torn, or the loser of a race. Kept, and shown by `verify`. */
export interface SkippedLine {
  readonly line: number;
  readonly reason: string;
}

/** Why nothing counts from a line on: the file is not as it was written, or a newer version wrote it. */
export interface LogTrouble {
  readonly kind: "damaged" | "newer";
  /** The line where it shows, counted from 1; absent where something beside the file shows it. */
  readonly line?: number;
  readonly reason: string;
  /** From this message on what counts may have been changed: what follows builds on another version of it. */
  readonly suspect?: number;
}

export interface LogBatch {
  readonly envelopes: readonly Envelope[];
  readonly skipped: readonly SkippedLine[];
  readonly head: Head;
  /** The last thing a reading tells, if it tells it: nothing counts behind it. */
  readonly trouble?: LogTrouble;
}

export type AppendResult =
  | { readonly ok: true; readonly head: Head; readonly envelopes: readonly Envelope[] }
  | { readonly ok: false; readonly head: Head };

/**
 * L1 append is all-or-nothing; envelopes get seq expected+1…+n, dense, no gap, immutable
 * L2 for one expected head exactly one append wins, across processes and pauses
 * L3 ok means durable: the lines survive kill -9 of any process and a power cut
 * L4 repeating the same append (same batch id) after a failure returns ok with the first lines, never a second copy
 * L5 read yields in order, gap-free, and sees every append acknowledged before it began; a torn or losing line is skipped, never counted
 * L6 subscribe is at least once, ordered per bubble, resumable from a head, and misses nothing
 * L7 damage and lines of a newer version are reported, never skipped: nothing counts behind them, nothing is appended
 */
export interface EventLog {
  /** Envelopes come without `prev`: the adapter chains them. Throws Failure `log.*` when the disk does not take them. */
  append(bubble: string, expected: Head, envelopes: readonly Omit<Envelope, "prev">[]): Promise<AppendResult>;
  /** Folds nothing, trusts nothing: reads from `from` (default: the start). Throws Failure `log.head-lost` if `from` is not in this log. */
  read(bubble: string, from?: Head, until?: Until): AsyncIterable<LogBatch>;
  /** The hash of the line that a head names, for people to compare; empty for an empty log. */
  hashOf(head: Head): string;
  /** Yields what follows `from`, then waits for more until `signal` aborts. */
  subscribe(bubble: string, from: Head, signal: AbortSignal): AsyncIterable<LogBatch>;
}

/** Where reading stops, though the log continues: no batch counts that reaches this message. */
export interface Until {
  readonly before: number;
}

export const emptyHead: Head = { seq: 0, token: "" };

/** What a command that acts says about a log it cannot build on. */
export function toTroubleFailure(bubble: string, { kind, line, reason }: LogTrouble): Failure {
  const where = line === undefined ? "" : ` line ${line}`;
  if (kind === "newer")
    return new Failure(
      "log.newer",
      `The transcript of ${bubble} was written by a newer Pairflow:${where} ${reason}.`,
      {
        hint: "Update Pairflow on this machine (pairflow --version shows what is here), then repeat the command.",
      },
    );
  return new Failure("log.damaged", `The transcript of ${bubble} is damaged:${where} ${reason}.`, {
    hint: salvageHint(bubble),
  });
}

/** `46 · f3c2 91aa`: a head as people see it on screens and in notifications, to compare by eye or on the phone. */
export function formatHead({ seq }: Pick<Head, "seq">, hash: string): string {
  return hash ? `${seq} · ${hash.slice(0, 4)} ${hash.slice(4, 8)}` : `${seq} · empty`;
}

/** What continues from the good part of a damaged record. */
export const salvageHint = (bubble: string): string => `pairflow bubble salvage --id ${bubble}`;
