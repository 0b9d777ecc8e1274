// The log as plain files, one transcript.ndjson a bubble. There is no server, and no lock that matters: every
// writer appends in one write, and the order of the lines in the file decides who was first.
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { type EventLog, emptyHead, type Head, type LogBatch, type Until } from "../../ports/record/log.ts";
import type { RawLog } from "../../ports/record/raw-log.ts";
import type { Locks } from "../../ports/system/lock.ts";
import { appendLines } from "./append.ts";
import { readFailure, toHeadLost } from "./failures.ts";
import { Fold } from "./fold.ts";
import { follow } from "./follow.ts";
import { fileStorage, type HeadPosition, isLineIntact, parseHead } from "./head-position.ts";
import { chainLines, type TranscriptLine } from "./line.ts";
import { readRawFile } from "./raw/file.ts";
import { chainRawLines } from "./raw/fold.ts";
import { scan } from "./scan.ts";

const PIECES_IN_A_ROW = 16;

export interface FileLogOptions {
  /** The repository whose `.pairflow/bubbles` holds the transcripts. */
  readonly root: string;
  readonly locks: Locks;
  readonly crashPoint?: CrashPoint;
}

/** The file log of a repository; keeps L1–L6 on a local file system. */
export function createFileLog({ root, locks, crashPoint = () => {} }: FileLogOptions): EventLog & RawLog {
  const pathOf = (bubble: string) => join(root, ".pairflow", "bubbles", bubble, "transcript.ndjson");
  /** Where this process wrote last: who continues from there has most likely no rival to wait for. */
  const own = new Map<string, string>();
  const kept = createKeptLocks();

  const write = async (bubble: string, expected: Head, chain: (place: HeadPosition) => TranscriptLine[]) => {
    const place = parseHead(expected);
    if (!place) throw toHeadLost(bubble, expected.seq);
    const lines = chain(place);
    const isAlone = own.get(bubble) === expected.token;
    const release = isAlone ? undefined : (kept.take(bubble) ?? (await locks.take(bubble)));
    let hasLost = false;
    try {
      crashPoint("log.locked");
      const path = pathOf(bubble);
      const appended = appendLines({ bubble, root, path, expected: place, lines, crashPoint });
      if (appended.ok) own.set(bubble, appended.head.token);
      else own.delete(bubble);
      hasLost = !appended.ok;
      return appended;
    } finally {
      if (hasLost && release) kept.keep(bubble, release);
      else release?.();
    }
  };

  return {
    append: (bubble, expected, envelopes) =>
      write(bubble, expected, ({ seq, hash }) => chainLines(envelopes, seq, hash)),
    appendRaw: (bubble, expected, lines) =>
      write(bubble, expected, (place) => chainRawLines(bubble, lines, place)),
    async *readRaw(bubble) {
      yield* readRawFile(bubble, pathOf(bubble));
    },

    hashOf: (head) => parseHead(head)?.hash ?? "",

    async *read(bubble, from = emptyHead, until) {
      let pieces = 0;
      for (const found of readFile(bubble, pathOf(bubble), from, until)) {
        yield found;
        pieces += 1;
        if (pieces % PIECES_IN_A_ROW === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    },

    async *subscribe(bubble, from, signal) {
      let head = from;
      for await (const path of follow(pathOf(bubble), signal)) {
        for (const found of readFile(bubble, path, head)) {
          head = found.head;
          if (found.envelopes.length > 0) yield found;
          if (signal.aborted) return;
        }
      }
    },
  };
}

/** Long enough to decide anew on what the winner wrote. */
const keptMs = 50;

/**
 * Locks of writers that came too late: each keeps its turn for its next try, which follows at once. Without that, of several
 * writers most would decide in vain, again and again.
 */
function createKeptLocks() {
  const kept = new Map<string, { readonly release: () => void; readonly timer: NodeJS.Timeout }>();
  const take = (bubble: string) => {
    const found = kept.get(bubble);
    clearTimeout(found?.timer);
    kept.delete(bubble);
    return found?.release;
  };
  return {
    take,
    keep(bubble: string, release: () => void): void {
      take(bubble)?.();
      const timer = setTimeout(() => take(bubble)?.(), keptMs).unref();
      kept.set(bubble, { release, timer });
    },
  };
}

function* readFile(bubble: string, path: string, from: Head, until?: Until): Generator<LogBatch> {
  const place = parseHead(from);
  if (!place) throw toHeadLost(bubble, from.seq);
  try {
    const fd = openSync(path, constants.O_RDONLY);
    try {
      if (!isLineIntact(fd, place)) throw toHeadLost(bubble, from.seq);
      yield* scan(fd, new Fold(fileStorage, bubble, place, until));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing && from.seq === 0) return;
    throw isMissing ? toHeadLost(bubble, from.seq) : readFailure(path, error);
  }
}
