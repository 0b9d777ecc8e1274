// One bubble's messages folded into lines that count. Reading and appending share it, so that they agree on who was first.
import type { StoredMsg } from "@nats-io/jetstream";
import type { LogBatch, Until } from "../../../ports/record/log.ts";
import type { RawBatch } from "../../../ports/record/raw-log.ts";
import { toHeadLost } from "../failures.ts";
import { Fold } from "../fold.ts";
import { hashOf } from "../line.ts";
import { RawFold } from "../raw/fold.ts";
import { type Found, type StreamPlace, startPlace, streamStorage } from "./place.ts";
import { isPublished, type LogSubjects, type Writer } from "./subjects.ts";
import type { TailReader } from "./tail.ts";

export interface StreamRecords {
  /** Folds what follows a place; yields after each message that tells something. */
  fold(walk: StreamFold): AsyncGenerator<LogBatch>;
  /** Begins a fold behind a place. Throws `log.head-lost` when the place is not in this record. */
  begin(bubble: string, from: StreamPlace, until?: Until): Promise<StreamFold>;
  /** The bytes of each command that counts, from the record's beginning. */
  readRaw(bubble: string): AsyncGenerator<RawBatch>;
  /** From now on this place is known to be there. */
  trust(bubble: string, place: StreamPlace): void;
  /** Nothing is known any more: another server may have answered, or one that was restored. */
  distrust(): void;
}

/** A fold on its way, with the newest message it has met: the one an append must follow. */
export interface StreamFold {
  readonly bubble: string;
  readonly rule: Fold<StreamPlace, Found>;
  last: number;
  /** The end of the newest message, if no newline ends it. */
  open?: { readonly bytes: Buffer; readonly found: Found } | undefined;
}

const NEWLINE = 10;

export function createStreamRecords(tail: TailReader, subjects: LogSubjects): StreamRecords {
  /** The newest place of each bubble whose message this process has seen on this connection. */
  const seen = new Map<string, string>();
  const keyOf = ({ sequence, hash }: StreamPlace) => `${sequence}:${hash}`;

  const checkStillThere = async (bubble: string, place: StreamPlace) => {
    if (place.seq === 0 || seen.get(bubble) === keyOf(place)) return;
    const message = await tail.find(bubble, place.sequence);
    if (!message || !splitLines(message.data).lines.some((line) => hashOf(line) === place.hash))
      throw toHeadLost(bubble, place.seq);
    seen.set(bubble, keyOf(place));
  };

  return {
    async begin(bubble, from, until) {
      await checkStillThere(bubble, from);
      const last = from.seq === 0 ? await tail.findEnd(bubble) : from.sequence;
      return { bubble, rule: new Fold(streamStorage, bubble, from, until), last };
    },
    async *fold(walk) {
      const { bubble, rule } = walk;
      for await (const message of tail.read(bubble, walk.last)) {
        // What was folded so far belongs to a record that has been closed meanwhile.
        const writer = findWriter(message, subjects);
        if (writer === "end") throw toHeadLost(bubble, rule.head.seq);
        if (writer) takeMessage(walk, message, writer);
        else passOver(walk, message);
        yield* drain(rule);
      }
      rule.end(walk.open?.bytes);
      yield* drain(rule);
      seen.set(bubble, keyOf(rule.head));
    },
    async *readRaw(bubble) {
      const rule = new Fold(streamStorage, bubble, startPlace);
      const raw = new RawFold(rule, bubble);
      for await (const message of tail.read(bubble, await tail.findEnd(bubble))) {
        const writer = findWriter(message, subjects);
        if (writer === "end") throw toHeadLost(bubble, rule.head.seq);
        if (writer) yield* takeRaw(raw, message, writer);
      }
      raw.end();
    },
    trust: (bubble, place) => void seen.set(bubble, keyOf(place)),
    distrust: () => seen.clear(),
  };
}

/** By which door a message came; undefined when it came by none. */
function findWriter(message: StoredMsg, subjects: LogSubjects): Writer | "end" | undefined {
  const door = message.subject.slice(message.subject.lastIndexOf(".") + 1) as Writer | "end";
  return door === "w" || isPublished(message, subjects) ? door : undefined;
}

/** A message that nobody published: it is on the stream, so that the next one must follow it, and says nothing. */
function passOver(walk: StreamFold, { seq, subject }: StoredMsg): void {
  walk.rule.skip(`a message on ${subject} that was passed on by the server, and published by nobody who may`);
  walk.last = seq;
}

function* takeRaw(
  raw: RawFold<StreamPlace, Found>,
  { seq, data }: StoredMsg,
  writer: Writer,
): Generator<RawBatch> {
  for (const line of splitLines(data).lines) {
    const found = raw.take(line, { sequence: seq, writer });
    if (found) yield found;
  }
}

function takeMessage(walk: StreamFold, { seq, data }: StoredMsg, writer: Writer): void {
  const { rule, open } = walk;
  const found = { sequence: seq, writer };
  const { lines, rest } = splitLines(data);
  if (open) rule.take(open.bytes, open.found);
  for (const line of lines) rule.take(line, found);
  walk.last = seq;
  walk.open = rest.length > 0 ? { bytes: rest, found } : undefined;
}

function* drain(rule: StreamFold["rule"]): Generator<LogBatch> {
  const news = rule.drain();
  if (news) yield news;
}

/** The whole lines of a message; `rest` is what no newline ends, which no writer of this log leaves. */
function splitLines(data: Uint8Array): { lines: Buffer[]; rest: Buffer } {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const lines: Buffer[] = [];
  let from = 0;
  for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
    lines.push(bytes.subarray(from, to));
    from = to + 1;
  }
  return { lines, rest: bytes.subarray(from) };
}
