// Lines as bytes: which of those that are stored count, by the one rule there is, and whether given ones may follow a place.
import { Failure } from "../../../ports/failure.ts";
import { toTroubleFailure } from "../../../ports/record/log.ts";
import type { RawBatch } from "../../../ports/record/raw-log.ts";
import type { Fold } from "../fold.ts";
import { hashOf, type TranscriptLine } from "../line.ts";
import { readLogLine } from "../read-line.ts";
import type { LinePlace } from "../storage.ts";

/** Takes lines in their order and gives back the bytes of each command that counts. */
export class RawFold<P extends LinePlace, W> {
  readonly #fold: Fold<P, W>;
  readonly #bubble: string;
  /** The newest lines: those of a batch stand directly below one another. */
  #recent: Uint8Array[] = [];

  constructor(fold: Fold<P, W>, bubble: string) {
    this.#fold = fold;
    this.#bubble = bubble;
  }

  take(bytes: Buffer, where: W): RawBatch | undefined {
    this.#recent.push(Uint8Array.from(bytes));
    this.#fold.take(bytes, where);
    const found = this.#fold.drain();
    if (found?.trouble) throw toTroubleFailure(this.#bubble, found.trouble);
    if (!found || found.envelopes.length === 0) return undefined;
    const lines = this.#recent.slice(-found.envelopes.length);
    this.#recent = [];
    return { lines, head: found.head };
  }

  /** Nothing follows; what no newline ends does not count. */
  end(): void {
    this.#fold.end(undefined);
    const trouble = this.#fold.drain()?.trouble;
    if (trouble) throw toTroubleFailure(this.#bubble, trouble);
  }
}

/** The lines of one command that build on a place; a reader gets them back as they are. */
export function chainRawLines(
  bubble: string,
  lines: readonly Uint8Array[],
  after: Pick<LinePlace, "seq" | "hash">,
): TranscriptLine[] {
  const chained: TranscriptLine[] = [];
  for (const [i, line] of lines.entries()) {
    const bytes = Buffer.from(line);
    const read = readLogLine(bytes);
    const prev = chained.at(-1)?.hash ?? after.hash;
    const isNext =
      read.kind === "envelope" &&
      read.envelope.bubble_id === bubble &&
      read.envelope.seq === after.seq + i + 1 &&
      read.envelope.prev === prev &&
      read.envelope.batch.i === i &&
      read.envelope.batch.n === lines.length;
    if (!isNext) throw toNotChained(bubble, after.seq + i + 1);
    chained.push({ bytes, hash: hashOf(bytes), envelope: read.envelope });
  }
  return chained;
}

const toNotChained = (bubble: string, seq: number): Failure =>
  new Failure("import.not-chained", `Line ${seq} of ${bubble} does not build on the line before it.`, {
    hint: `pairflow verify --id ${bubble}`,
  });
