// The cache of the fold in state.json: written at once, or, by a driver whose steps follow one another fast, every now
// and then. It is never the truth: a reader that finds it behind the log folds the rest.
import { existsSync, readFileSync, statSync } from "node:fs";
import type { StateSnapshot, Summary } from "../../ports/record/records.ts";
import { replaceFile } from "../disk/files.ts";
import { parseTokenOffset, readStateFile, type StateFile, writeState } from "./state-file.ts";

export interface StateCacheOptions {
  fileOf(bubble: string): string;
  logOf(bubble: string): string;
  /** Writes; a failure is reported and nothing more. */
  attempt(what: string, write: () => void): void;
}

interface Waiting {
  readonly snapshot: StateSnapshot;
  readonly summary: Summary;
}

/** What still waits when the process ends is written then. */
const unwritten = new Set<() => void>();
let hasListener = false;

export function createStateCache({ fileOf, logOf, attempt }: StateCacheOptions) {
  let everyMs = 0;
  const remembered = new Map<string, { readonly mark: string; readonly kept: StateFile }>();
  const waiting = new Map<string, Waiting>();
  const writtenAt = new Map<string, number>();

  const write = (bubble: string, { snapshot, summary }: Waiting): void => {
    const path = fileOf(bubble);
    const logMtimeMs = getTimeIfEndsAt(logOf(bubble), snapshot.head.token);
    const kept = logMtimeMs === undefined ? snapshot : { ...snapshot, logMtimeMs };
    remembered.delete(bubble);
    waiting.delete(bubble);
    attempt(path, () => {
      replaceFile(path, writeState(kept, summary));
      const mark = findMark(path);
      if (mark) remembered.set(bubble, { mark, kept });
    });
    writtenAt.set(bubble, getMonotonicMs());
  };

  /** A process that wrote to the log meanwhile has written a newer cache as well. A log on a server cannot be asked here. */
  const writeIfNewest = (bubble: string): void => {
    const last = waiting.get(bubble);
    waiting.delete(bubble);
    if (!last) return;
    const isElsewhere = !existsSync(logOf(bubble));
    if (isElsewhere || getTimeIfEndsAt(logOf(bubble), last.snapshot.head.token) !== undefined)
      write(bubble, last);
  };
  const writeAll = () => {
    for (const bubble of [...waiting.keys()]) writeIfNewest(bubble);
  };

  const load = (bubble: string): StateFile | undefined => {
    const last = waiting.get(bubble);
    if (last) return last.snapshot;
    const path = fileOf(bubble);
    const known = remembered.get(bubble);
    return known && known.mark === findMark(path)
      ? known.kept
      : readStateFile(readFileSync(path, "utf8"), bubble);
  };

  return {
    /** Not more often than this; 0 writes every time, and what waits now. */
    pace(ms: number): void {
      everyMs = ms;
      if (ms === 0) writeAll();
    },
    load(bubble: string): StateSnapshot | undefined {
      const kept = load(bubble);
      if (!kept) return undefined;
      const { logMtimeMs, ...snapshot } = kept;
      const now = getTimeIfEndsAt(logOf(bubble), kept.head.token);
      // Our own unwritten cache needs no second look at the time: nobody shortens a log.
      const isCurrent = now !== undefined && (waiting.has(bubble) || now === logMtimeMs);
      if (isCurrent) return { ...snapshot, isCurrent };
      const isTouched = now !== undefined && logMtimeMs !== undefined;
      return isTouched ? { ...snapshot, isTouched } : snapshot;
    },
    save(bubble: string, snapshot: StateSnapshot, summary: Summary): void {
      const last = writtenAt.get(bubble) ?? Number.NEGATIVE_INFINITY;
      const restMs = everyMs - (getMonotonicMs() - last);
      if (restMs <= 0) {
        write(bubble, { snapshot, summary });
        return;
      }
      if (!waiting.has(bubble)) setTimeout(() => writeIfNewest(bubble), restMs).unref();
      waiting.set(bubble, { snapshot, summary });
      writeAtExit(writeAll);
    },
  };
}

/** Node's `performance` would be loaded for this alone. */
function getMonotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function writeAtExit(writeRest: () => void): void {
  unwritten.add(writeRest);
  if (hasListener) return;
  hasListener = true;
  process.once("exit", () => {
    for (const write of unwritten) write();
  });
}

/** When the log was last written to, if it ends where this token says. */
function getTimeIfEndsAt(log: string, token: string): number | undefined {
  const now = statSync(log, { throwIfNoEntry: false });
  return now?.size === parseTokenOffset(token) ? now.mtimeMs : undefined;
}

/**
 * Which file this is, and when it was changed: a driver that wrote a cache itself need not read it back at each step.
 * Every cache is a new file, so that one another process wrote since has another mark.
 */
function findMark(path: string): string | undefined {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false });
  return now && `${now.ino} ${now.size} ${now.mtimeNs} ${now.ctimeNs}`;
}
