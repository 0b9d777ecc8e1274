// Where a head stands in a transcript file: the token of ports/record/log.ts, opened up. A place is found again by the
// hash of its line, so that a cut or rewritten file is noticed before anything is built on it.
import { readSync } from "node:fs";
import type { Head } from "../../ports/record/log.ts";
import { hashOf, maxLineBytes } from "./line.ts";
import type { LinePlace, Storage } from "./storage.ts";

export interface HeadPosition extends LinePlace {
  /** The byte after the accepted line's newline. */
  readonly offset: number;
  readonly lineStart: number;
}

export const startPlace: HeadPosition = { seq: 0, offset: 0, lineStart: 0, hash: "", line: 0 };

/** The token begins with the byte offset; adapters/records reads that number to see whether a cache is behind. */
export function buildLogHead({ seq, offset, lineStart, hash, line }: HeadPosition): Head {
  return seq === 0 ? { seq: 0, token: "" } : { seq, token: `${offset}:${lineStart}:${hash}:${line}` };
}

/** Places in a file: a line is found at the byte where it begins. */
export const fileStorage: Storage<HeadPosition, number> = {
  place: (line, lineStart, bytes) => ({ ...line, lineStart, offset: lineStart + bytes + 1 }),
  head: buildLogHead,
};

/** The place a head names, or undefined when its token was not made by this adapter. */
export function parseHead(head: Head): HeadPosition | undefined {
  if (head.seq === 0) return startPlace;
  const [, offset, lineStart, hash, line] = /^(\d+):(\d+):([0-9a-f]{64}):(\d+)$/.exec(head.token) ?? [];
  if (!hash) return undefined;
  return { seq: head.seq, offset: Number(offset), lineStart: Number(lineStart), hash, line: Number(line) };
}

/** Whether the line that a place names is still there, byte for byte. */
export function isLineIntact(fd: number, place: HeadPosition): boolean {
  if (place.seq === 0) return true;
  const length = place.offset - place.lineStart;
  if (length < 2 || length > maxLineBytes + 1) return false;
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(fd, bytes, 0, length, place.lineStart) !== length) return false;
  const line = bytes.subarray(0, -1);
  return (
    bytes[length - 1] === 10 &&
    hashOf(line) === place.hash &&
    (JSON.parse(line.toString("utf8")) as { seq?: unknown } | null)?.seq === place.seq
  );
}
