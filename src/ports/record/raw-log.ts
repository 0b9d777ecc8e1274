// The lines of a log as they are stored. Who copies a record copies bytes: written anew from what was read, a line would have another
// hash, and everything behind it would build on another one.
import type { AppendResult, Head } from "./log.ts";

/** The lines of one command, without their newlines. */
export interface RawBatch {
  readonly lines: readonly Uint8Array[];
  /** Behind them. */
  readonly head: Head;
}

export interface RawLog {
  /** Every command that counts, in order. Throws Failure `log.damaged` or `log.newer` where nothing counts any more. */
  readRaw(bubble: string): AsyncIterable<RawBatch>;
  /** The lines of one command behind `expected`, as they are. Throws Failure `import.not-chained` when they do not build on it. */
  appendRaw(bubble: string, expected: Head, lines: readonly Uint8Array[]): Promise<AppendResult>;
}
