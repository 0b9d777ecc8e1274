// The rule by which file order decides: which lines of a transcript count. Readers and writers apply the same
// rule to the same bytes, so they agree on every race without talking to one another.
import { type Envelope, parseEnvelope } from "../../core/model/envelope.ts";
import type { Batch, Skipped } from "../../ports/log.ts";
import { hashOf, maxLineBytes } from "./line.ts";
import { headAt, type Place } from "./place.ts";

const tooLong = `longer than ${maxLineBytes} bytes`;

interface Candidate {
  readonly envelope: Envelope;
  readonly place: Place;
}

/**
 * Takes the lines of one bubble's transcript in file order. A line counts if it parses, is of this bubble, has
 * the next seq and chains to the accepted line before it; the lines of a batch count together or not at all.
 */
export class Fold {
  /** The newest accepted place. */
  head: Place;
  /** The first batch accepted after the start, whatever followed: the winner of the race for that place. */
  winner: { readonly envelopes: readonly Envelope[]; readonly place: Place } | undefined;

  readonly #bubble: string;
  #line: number;
  #batch: Candidate[] = [];
  #envelopes: Envelope[] = [];
  #skipped: Skipped[] = [];

  constructor(bubble: string, start: Place) {
    this.#bubble = bubble;
    this.head = start;
    this.#line = start.line;
  }

  /** One whole line without its newline, which stands at `lineStart` in the file. */
  take(bytes: Buffer, lineStart: number): void {
    this.#line += 1;
    // An empty line is what two writers leave who both set a torn line apart.
    if (bytes.length === 0) this.#dropBatch();
    else {
      const envelope = parse(bytes);
      if (typeof envelope === "string") this.#refuse(envelope);
      else this.#consider(envelope, bytes, lineStart);
    }
  }

  /** A line too long to be held in memory. */
  takeOverlong(): void {
    this.#line += 1;
    this.#refuse(tooLong);
  }

  /** Tells what the end of the file leaves open; it may still be completed by a writer at work. */
  end(hasTornLine: boolean): void {
    this.#dropBatch();
    if (hasTornLine) this.#skipped.push({ line: this.#line + 1, reason: "torn: the line has no end" });
  }

  /** What was found since the last call, or undefined when it was nothing. */
  drain(): Batch | undefined {
    if (this.#envelopes.length === 0 && this.#skipped.length === 0) return undefined;
    const found = { envelopes: this.#envelopes, skipped: this.#skipped, head: headAt(this.head) };
    this.#envelopes = [];
    this.#skipped = [];
    return found;
  }

  #consider(envelope: Envelope, bytes: Buffer, lineStart: number): void {
    const { seq, batch } = envelope;
    if (batch.i === 0) this.#dropBatch();
    const reason = this.#objection(envelope, this.#batch.at(-1));
    if (reason) this.#refuse(reason);
    else {
      const offset = lineStart + bytes.length + 1;
      this.#batch.push({
        envelope,
        place: { seq, offset, lineStart, hash: hashOf(bytes), line: this.#line },
      });
      if (batch.i + 1 === batch.n) this.#accept();
    }
  }

  #objection(envelope: Envelope, before: Candidate | undefined): string | undefined {
    const { batch, bubble_id, seq, prev } = envelope;
    if (bubble_id !== this.#bubble) return `of another bubble: ${JSON.stringify(bubble_id)}`;
    const open = before?.envelope.batch;
    if (batch.i > 0 && (open?.id !== batch.id || open.i + 1 !== batch.i || open.n !== batch.n)) {
      return `part ${batch.i + 1} of ${batch.n} of a batch, without the parts before it`;
    }
    if (batch.i >= batch.n) return `part ${batch.i + 1} of a batch of ${batch.n}`;
    const last = before?.place ?? this.head;
    if (seq !== last.seq + 1) return `seq ${seq} where ${last.seq + 1} is due`;
    if (prev !== last.hash) return "does not follow from the line before it: prev is another hash";
    return undefined;
  }

  #accept(): void {
    const batch = this.#batch;
    this.#batch = [];
    for (const { envelope, place } of batch) {
      this.#envelopes.push(envelope);
      this.head = place;
    }
    this.winner ??= { envelopes: batch.map((one) => one.envelope), place: this.head };
  }

  #refuse(reason: string): void {
    this.#dropBatch();
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

function parse(bytes: Buffer): Envelope | string {
  if (bytes.length > maxLineBytes) return tooLong;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return "not JSON";
  }
  return parseEnvelope(value);
}
