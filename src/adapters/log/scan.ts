// Reads a transcript file in pieces and folds it, so that its text is never in memory as a whole.
import { fstatSync, readSync } from "node:fs";
import type { LogBatch } from "../../ports/record/log.ts";
import type { Fold } from "./fold.ts";
import type { HeadPosition } from "./head-position.ts";
import { maxLineBytes } from "./line.ts";

type FileFold = Fold<HeadPosition, number>;

const PIECE_BYTES = 256 * 1024;

export interface ScanEnd {
  /** Whether the file's last byte, when it was read, left a line open. */
  readonly torn: boolean;
}

/** Folds from the fold's head to the size the file has now; yields after each piece, returns how the file ends. */
export function* scan(fd: number, fold: FileFold): Generator<LogBatch, ScanEnd> {
  const size = fstatSync(fd).size;
  // Room for one open line beside the next piece; a longer one is passed over without being kept.
  const left = Math.max(0, size - fold.head.offset);
  const buffer = Buffer.allocUnsafe(Math.min(left, PIECE_BYTES + maxLineBytes) + 1);
  let start = fold.head.offset;
  let kept = 0;
  let overlong = false;
  while (start + kept < size) {
    const wanted = Math.min(PIECE_BYTES, size - start - kept);
    const got = readSync(fd, buffer, kept, wanted, start + kept);
    if (got === 0) break;
    const piece = buffer.subarray(0, kept + got);
    const used = takeLines(fold, piece, start, overlong);
    if (used > 0) overlong = false;
    start += used;
    kept = piece.length - used;
    if (overlong || kept > maxLineBytes) {
      overlong = true;
      start += kept;
      kept = 0;
    } else if (used > 0) buffer.copyWithin(0, used, used + kept);
    const found = fold.drain();
    if (found) yield found;
  }
  const tail = overlong ? "overlong" : kept > 0 ? buffer.subarray(0, kept) : undefined;
  yield* finish(fold, tail);
  return { torn: tail !== undefined };
}

function* finish(fold: FileFold, tail: Buffer | "overlong" | undefined): Generator<LogBatch> {
  fold.end(tail);
  const found = fold.drain();
  if (found) yield found;
}

/** Gives the fold every whole line of the piece; returns the bytes used. */
function takeLines(fold: FileFold, piece: Buffer, at: number, overlong: boolean): number {
  let from = 0;
  for (let to = piece.indexOf(10); to !== -1; to = piece.indexOf(10, from)) {
    if (overlong && from === 0) fold.takeOverlong();
    else fold.take(piece.subarray(from, to), at + from);
    from = to + 1;
  }
  return from;
}

/** Folds to the end and keeps nothing but what the fold itself remembers. */
export function scanToEnd(fd: number, fold: FileFold): ScanEnd {
  const pieces = scan(fd, fold);
  for (;;) {
    const step = pieces.next();
    if (step.done) return step.value;
  }
}
