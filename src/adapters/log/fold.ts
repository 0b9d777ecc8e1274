// The rule by which file order decides: which lines of a transcript count, which may be skipped, and which show that
// the file is not as it was written. Readers and writers apply it to the same bytes, so they agree without talking.
//
// Every writer appends one batch behind a line that counts, in one write that may be cut off. So whatever a race or a
// kill leaves behind, each first line of a batch names a counting line above it, and each further line of a batch
// continues the line directly above it. A line of which neither is true shows damage.
import type { Chained, Envelope } from "../../core/model/record/envelope.ts";
import type { LogBatch, LogTrouble, SkippedLine, Until } from "../../ports/record/log.ts";
import { hashOf } from "./line.ts";
import {
  type Fragment,
  hasLostNewline,
  type ReadLine,
  readFragment,
  readLogLine,
  tooLong,
} from "./read-line.ts";
import type { LinePlace, Storage } from "./storage.ts";

interface Candidate<P> {
  readonly envelope: Envelope;
  readonly place: P;
}

/** What the next line may continue: the chain of the line directly above it. */
interface Above {
  readonly chained: Chained;
  readonly hash: string;
}

type Newer = Extract<ReadLine, { kind: "newer" }>;

/**
 * Takes the lines of one bubble's transcript in file order. A line counts if it parses, is of this bubble, has
 * the next seq and chains to the accepted line before it; the lines of a batch count together or not at all.
 * Behind a line that shows damage, or that a newer version wrote, nothing counts.
 */
export class Fold<P extends LinePlace, W> {
  /** The newest accepted place. */
  head: P;
  /** The first batch accepted after the start, whatever followed: the winner of the race for that place. */
  winner: { readonly envelopes: readonly Envelope[]; readonly place: P } | undefined;
  /** Why nothing counts any more. */
  trouble: LogTrouble | undefined;

  readonly #storage: Storage<P, W>;
  readonly #bubble: string;
  readonly #start: number;
  readonly #before: number;
  #isOver = false;
  /** The first message of the newest batch that was accepted. */
  #newest: number | undefined;
  /** Hashes of the accepted lines since the start, and of the start itself. */
  readonly #hashes: string[];
  #line: number;
  #above: Above | "unknown" | undefined;
  #newer: (Above & { readonly line: number; readonly reason: string }) | undefined;
  /** A part of a line that has its newline and behind which nothing was written in the next place. */
  #part: number | undefined;
  readonly #batch: Candidate<P>[] = [];
  #envelopes: Envelope[] = [];
  #skipped: SkippedLine[] = [];
  #told = false;

  constructor(storage: Storage<P, W>, bubble: string, start: P, until?: Until) {
    this.#storage = storage;
    this.#bubble = bubble;
    this.#before = until?.before ?? Number.POSITIVE_INFINITY;
    this.head = start;
    this.#line = start.line;
    this.#start = start.seq;
    this.#hashes = [start.hash];
  }

  /** How many lines there are up to here, those that do not count included. */
  get lines(): number {
    return this.#line;
  }

  /** One whole line without its newline, and where it is stored. */
  take(bytes: Buffer, where: W): void {
    this.#line += 1;
    if (this.trouble || this.#isOver) return;
    // An empty line is what two writers leave who both set a torn line apart.
    if (bytes.length === 0) {
      this.#dropBatch();
      this.#above = undefined;
      return;
    }
    const read = readLogLine(bytes);
    if (this.#newer) this.#settleNewer(read);
    else if (read.kind === "envelope") this.#consider(read.envelope, bytes, where);
    else if (read.kind === "fragment") this.#takeFragment(read);
    else if (read.kind === "newer") this.#takeNewer(read, bytes);
    else this.#damage(`is no line of this log (${read.reason})`);
  }

  /** A line too long to be held in memory. */
  takeOverlong(): void {
    this.#line += 1;
    if (this.trouble || this.#isOver) return;
    this.#takeFragment({ kind: "fragment", reason: tooLong });
    this.#above = "unknown";
  }

  /** Lines that say nothing, wherever they came from. */
  skip(reason: string): void {
    this.#line += 1;
    if (!this.trouble && !this.#isOver) this.#skip(reason);
  }

  /** Tells what the end of the file leaves open; it may still be completed by a writer at work. */
  end(tail: Buffer | "overlong" | undefined): void {
    if (this.trouble || this.#isOver) return;
    const newer = this.#newer;
    if (newer) this.#stop({ kind: "newer", line: newer.line, reason: newer.reason });
    else if (tail !== undefined) this.#takeTail(tail);
    else if (this.#part !== undefined)
      this.#damage("has its newline and cannot be read, and nothing continues behind it", this.#part);
    this.#dropBatch();
  }

  /** What was found since the last call, or undefined when it was nothing. */
  drain(): LogBatch | undefined {
    const { trouble } = this;
    const isNews = trouble !== undefined && !this.#told;
    if (this.#envelopes.length === 0 && this.#skipped.length === 0 && !isNews) return undefined;
    const found = {
      ...{ envelopes: this.#envelopes, skipped: this.#skipped, head: this.#storage.head(this.head) },
      ...(isNews ? { trouble } : {}),
    };
    this.#told = trouble !== undefined;
    [this.#envelopes, this.#skipped] = [[], []];
    return found;
  }

  #consider(envelope: Envelope, bytes: Buffer, where: W): void {
    if (envelope.batch.i === 0) this.#dropBatch();
    const wrong = this.#objection(envelope);
    if (wrong) this.#damage(wrong, this.#line, envelope);
    else this.#placeLine(envelope, bytes, where);
  }

  /** A line that may stand here counts in its place, once its batch is whole; anywhere else it has lost. */
  #placeLine(envelope: Envelope, bytes: Buffer, where: W): void {
    const { seq, batch } = envelope;
    const hash = hashOf(bytes);
    const before = this.#batch.at(-1)?.place ?? this.head;
    const refused = this.#storage.refuse?.(envelope, where);
    if (refused) this.#skip(refused);
    else if (seq === before.seq + 1 && this.#batch.length === batch.i) {
      const place = this.#storage.place({ seq, hash, line: this.#line }, where, bytes.length);
      this.#batch.push({ envelope, place });
      this.#part = undefined;
      if (batch.i + 1 === batch.n) this.#accept();
    } else this.#skip(this.#whyLost(envelope));
    this.#above = { chained: envelope, hash };
  }

  /** What no race and no kill explains about a line; undefined when it may stand here, counting or not. */
  #objection(chained: Chained): string | undefined {
    const { bubble_id, batch } = chained;
    if (bubble_id !== this.#bubble) return `is of another bubble: ${JSON.stringify(bubble_id)}`;
    if (batch.i >= batch.n) return `is part ${batch.i + 1} of a batch of ${batch.n}`;
    return batch.i === 0 ? this.#ungrounded(chained) : this.#unconnected(chained);
  }

  /** The first line of a batch was written behind a line that counted then, and counts still. */
  #ungrounded({ seq, prev }: Chained): string | undefined {
    const { head } = this;
    if (seq > head.seq + 1) return `builds on line ${seq - 1} of the record, where ${head.seq} is the newest`;
    const known = this.#hashes[seq - 1 - this.#start];
    // What was there before the start is not known here; a reader from the first byte knows it.
    if (seq - 1 < this.#start || known === prev) return undefined;
    return `builds on another line ${seq - 1} of the record than the one above it`;
  }

  /** A further line of a batch stands directly below the one before it. */
  #unconnected({ seq, prev, batch }: Chained): string | undefined {
    const above = this.#above;
    if (above === "unknown") return undefined;
    const it = above?.chained;
    const continues =
      it?.batch.id === batch.id &&
      it.batch.i + 1 === batch.i &&
      it.batch.n === batch.n &&
      it.seq + 1 === seq &&
      above?.hash === prev;
    return continues
      ? undefined
      : `is part ${batch.i + 1} of ${batch.n} of a batch, without the parts before it`;
  }

  #whyLost({ seq, batch }: Chained): string {
    return batch.i > 0
      ? `part ${batch.i + 1} of ${batch.n} of a batch, without the parts before it`
      : `seq ${seq} where ${this.head.seq + 1} is due`;
  }

  #accept(): void {
    const batch = this.#batch.splice(0);
    this.#isOver = (batch.at(-1)?.place.seq ?? 0) >= this.#before;
    if (this.#isOver) return;
    this.#newest = this.head.seq + 1;
    for (const { envelope, place } of batch) {
      this.#envelopes.push(envelope);
      this.#hashes.push(place.hash);
      this.head = place;
    }
    this.winner ??= { envelopes: batch.map((one) => one.envelope), place: this.head };
  }

  /** The rest of a write that was cut off; the write behind it may be glued to it. */
  #takeFragment(fragment: Fragment): void {
    const wrong = this.#misplaced(fragment);
    if (wrong) {
      this.#damage(wrong);
      return;
    }
    this.#dropBatch();
    this.#skip(fragment.reason);
    this.#above = fragment.glued;
    // The writer that sets a part apart writes behind it in the same write.
    this.#part = fragment.glued ? undefined : this.#line;
  }

  #misplaced({ seq, glued }: Fragment): string | undefined {
    const above = this.#above;
    const continues = above === "unknown" || above?.chained.seq === (seq ?? 0) - 1;
    if (seq !== undefined && seq > this.head.seq + 1 && !continues)
      return `builds on line ${seq - 1} of the record, where ${this.head.seq} is the newest`;
    if (!glued) return undefined;
    return glued.chained.batch.i === 0 ? this.#objection(glued.chained) : "has the middle of a batch in it";
  }

  #takeTail(tail: Buffer | "overlong"): void {
    const line = this.#line + 1;
    const wrong = tail === "overlong" ? undefined : this.#wrongTail(tail);
    this.#dropBatch();
    if (wrong) this.#damage(wrong, line);
    else this.#skipped.push({ line, reason: "torn: the line has no end" });
  }

  #wrongTail(tail: Buffer): string | undefined {
    return hasLostNewline(tail) ? "has lost its newline" : this.#misplaced(readFragment(tail));
  }

  #takeNewer({ reason, chained }: Newer, bytes: Buffer): void {
    const wrong = chained && this.#objection(chained);
    const hash = hashOf(bytes);
    if (wrong) this.#damage(wrong);
    else if (!chained) this.#stop({ kind: "newer", line: this.#line, reason });
    else if (chained.seq > this.head.seq) this.#newer = { chained, hash, line: this.#line, reason };
    else {
      this.#skip(this.#whyLost(chained));
      this.#above = { chained, hash };
    }
  }

  /** Bytes that the next line does not build on were changed, whatever they say about their version. */
  #settleNewer(next: ReadLine): void {
    const newer = this.#newer;
    if (!newer) return;
    const chained =
      next.kind === "envelope" ? next.envelope : next.kind === "newer" ? next.chained : undefined;
    const isNext = chained?.seq === newer.chained.seq + 1;
    if (isNext && chained.prev !== newer.hash)
      this.#damage(
        `cannot be read (${newer.reason}), and line ${this.#line} builds on another version of it`,
        newer.line,
      );
    else this.#stop({ kind: "newer", line: newer.line, reason: newer.reason });
  }

  #damage(reason: string, line = this.#line, chained?: Chained): void {
    const isNext = chained?.batch.i === 0 && chained.seq === this.head.seq + 1;
    const suspect = isNext && chained.bubble_id === this.#bubble ? this.#newest : undefined;
    this.#stop({ kind: "damaged", line, reason, ...(suspect === undefined ? {} : { suspect }) });
  }

  #stop(trouble: LogTrouble): void {
    this.#dropBatch();
    this.trouble = trouble;
  }

  #skip(reason: string): void {
    this.#skipped.push({ line: this.#line, reason });
  }

  #dropBatch(): void {
    for (const { envelope, place } of this.#batch) {
      const { i, n } = envelope.batch;
      this.#skipped.push({
        line: place.line,
        reason: `torn: part ${i + 1} of ${n} of a batch that is not whole`,
      });
    }
    this.#batch.length = 0;
  }
}
