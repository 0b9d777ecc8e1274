// The write path of the file log: look, write once, sync, look again. Synchronous from end to end, because a
// cold `pairflow pass` pays for every turn of the event loop.
import { closeSync, constants, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { type AppendResult, toTroubleFailure } from "../../ports/record/log.ts";
import { toDiskFull, toHeadLost, toUnconfirmedWrite, toUnknownWrite, writeFailure } from "./failures.ts";
import { Fold } from "./fold.ts";
import { buildLogHead, fileStorage, type HeadPosition, isLineIntact } from "./head-position.ts";
import type { TranscriptLine } from "./line.ts";
import { markDoubt, proveFile, proveRange, settleDoubt } from "./prove.ts";
import { scanToEnd } from "./scan.ts";

type FileFold = Fold<HeadPosition, number>;

const WRITES = 4;
const newline = Buffer.from("\n");

export interface Append {
  readonly bubble: string;
  readonly root: string;
  readonly path: string;
  readonly expected: HeadPosition;
  readonly lines: readonly TranscriptLine[];
  readonly crashPoint: CrashPoint;
}

/** Appends the lines behind `expected` unless somebody else's stand there; durable when it says ok. */
export function appendLines(append: Append): AppendResult {
  const { path, root, expected } = append;
  const isFirst = expected.seq === 0;
  try {
    if (isFirst) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const flags = constants.O_RDWR | constants.O_APPEND | (isFirst ? constants.O_CREAT : 0);
    const fd = openSync(path, flags, 0o600);
    try {
      // The folders go to disk before the first byte, so that a reader of a line may rely on its file's name.
      if (isFirst) syncFolders(root, dirname(path));
      settleEarlierDoubt(path, fd);
      return compete(fd, append);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw isGone ? toHeadLost(append.bubble, expected.seq) : writeFailure(path, error);
  }
}

/**
 * Writes until somebody holds the place behind `expected`. One write settles it, unless it landed behind a line
 * that another writer tore at that very moment; then nobody's line counts, and the same lines are written again.
 */
function compete(fd: number, append: Append): AppendResult {
  const { bubble, expected, crashPoint } = append;
  for (let writes = 0; ; writes += 1) {
    const fold = new Fold(fileStorage, bubble, expected);
    if (!isLineIntact(fd, expected)) throw toHeadLost(bubble, expected.seq);
    const { torn } = scanToEnd(fd, fold);
    if (fold.winner) return settle(append, fold, writes > 0);
    if (fold.trouble) throw toTroubleFailure(bubble, fold.trouble);
    if (writes === WRITES) throw new Error(`${WRITES} writes in a row landed behind a torn line`);
    write(fd, append, torn);
    crashPoint("log.after-write");
    try {
      fsyncSync(fd);
    } catch (error) {
      markDoubt(append.path, fd);
      return settleAnew(append, error);
    }
    crashPoint("log.after-fsync");
    crashPoint("log.before-reread");
  }
}

function write(fd: number, { path, lines, crashPoint }: Append, behindTornLine: boolean): void {
  const parts = lines.flatMap((line) => [line.bytes, newline]);
  if (behindTornLine) parts.unshift(newline);
  const bytes = Buffer.concat(parts);
  crashPoint("log.before-write");
  // A short write is not continued: another writer's lines may already stand behind it.
  if (writeSync(fd, bytes) < bytes.length) throw toDiskFull(path);
}

function settle({ bubble, path, expected, lines }: Append, fold: FileFold, isSynced: boolean): AppendResult {
  const { winner, head } = fold;
  const isMine = winner && winner.envelopes[0]?.batch.id === lines[0]?.envelope.batch.id;
  if (!winner || !isMine) return { ok: false, head: buildLogHead(head) };
  // An earlier try may have been cut off between its write and its sync, or its sync may have failed.
  try {
    if (!isSynced) proveRange(path, { from: expected.offset, to: winner.place.offset });
  } catch (error) {
    throw toUnknownWrite(path, bubble, error);
  }
  return { ok: true, head: buildLogHead(winner.place), envelopes: winner.envelopes };
}

/**
 * After a sync that failed: the file is opened and read again, and what it holds is written anew. What cannot be proven
 * even then is said; whether the command counted is found out by the next one.
 */
function settleAnew(append: Append, cause: unknown): AppendResult {
  const { bubble, path, expected } = append;
  try {
    const fd = openSync(path, constants.O_RDONLY);
    try {
      proveFile(path, fd);
      const fold = new Fold(fileStorage, bubble, expected);
      if (!isLineIntact(fd, expected)) throw toHeadLost(bubble, expected.seq);
      scanToEnd(fd, fold);
      if (fold.winner) return settle(append, fold, true);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The first reason is the one to tell.
  }
  throw toUnknownWrite(path, bubble, cause);
}

function settleEarlierDoubt(path: string, fd: number): void {
  try {
    settleDoubt(path, fd);
  } catch (error) {
    throw toUnconfirmedWrite(path, error);
  }
}

/** Makes the names of the folders from `root` down to `folder` durable. */
function syncFolders(root: string, folder: string): void {
  let path = root;
  syncFolder(path);
  for (const name of relative(root, folder).split(sep)) {
    path = join(path, name);
    syncFolder(path);
  }
}

function syncFolder(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY);
  } catch (error) {
    // A folder one may pass through but not list: its names are as durable as its owner made them.
    if ((error as NodeJS.ErrnoException).code === "EACCES") return;
    throw error;
  }
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
