// The pid lock: `<folder>/<name>.lock`, a symbolic link whose text names its holder. A link because one system
// call makes it whole: there is never a lock without a name on it, however its maker is killed.
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { Locks, ProcessMark, ProcessMarks } from "../../ports/system/lock.ts";

const LOOK_EVERY_MS = 2;
const ASK_ALIVE_EVERY = 16;

export interface PidLockOptions {
  readonly folder: string;
  readonly marks: ProcessMarks;
  /** How long a living holder is waited for before its name is ignored. */
  readonly waitMs?: number;
}

/** Locks in a folder. */
export function createPidLocks({ folder, marks, waitMs = 400 }: PidLockOptions): Locks {
  let count = 0;
  return {
    async take(name) {
      const path = join(folder, `${name}.lock`);
      count += 1;
      const text = write(marks.of(process.pid), count);
      const deadline = getMonotonicMs() + waitMs;
      for (let look = 0; ; look += 1) {
        const outcome = make(path, text);
        if (outcome === "made") return () => giveBack(path, text);
        if (outcome === "impossible") return undefined;
        if (look % ASK_ALIVE_EVERY === 0 && breakStale(path, text, marks)) continue;
        if (getMonotonicMs() >= deadline) return undefined;
        await pause(LOOK_EVERY_MS * (0.5 + Math.random()));
      }
    },
  };
}

function make(path: string, text: string): "made" | "held" | "impossible" {
  for (let again = false; ; again = true) {
    try {
      symlinkSync(text, path);
      return "made";
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return "held";
      if (code !== "ENOENT" || again || !makeFolder(path)) return "impossible";
    }
  }
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes the lock of a dead holder, or one that names nobody; true when it is worth trying again at once. One process
 * at a time does so, under a second link: of two, the slower one would remove the lock that the faster one has made.
 */
function breakStale(path: string, own: string, marks: ProcessMarks): boolean {
  const stale = findHolderText(path);
  if (stale === undefined) return true;
  if (!isDead(stale, marks)) return false;
  const guard = `${path}.breaking`;
  if (make(guard, own) !== "made") {
    const breaker = findHolderText(guard);
    if (breaker !== undefined && isDead(breaker, marks)) remove(guard);
    return false;
  }
  try {
    return findHolderText(path) === stale ? remove(path) : true;
  } finally {
    remove(guard);
  }
}

function isDead(text: string, marks: ProcessMarks): boolean {
  const holder = read(text);
  return !holder || marks.alive(holder) === false;
}

function giveBack(path: string, text: string): void {
  if (findHolderText(path) === text) remove(path);
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function findHolderText(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  }
  return tryOr(() => readFileSync(path, "utf8"), undefined);
}

function write(mark: ProcessMark, count: number): string {
  return `${mark.pid} ${mark.started || "-"} ${mark.host} ${count}`;
}

function read(text: string): ProcessMark | undefined {
  const [, pid, started, host] = /^(\d+) (\d+|-) (\S+)/.exec(text) ?? [];
  if (!pid || !started || !host) return undefined;
  return { pid: Number(pid), started: started === "-" ? "" : started, host };
}

/** Node's `performance` would be loaded for this alone. */
function getMonotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
