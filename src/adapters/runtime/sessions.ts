// runtime/sessions.json: which bubbles are being driven, for people and their scripts. A view; nothing reads it
// back but the next writer.
import { readFileSync } from "node:fs";
import type { Beat } from "../../ports/record/records.ts";
import type { Locks } from "../../ports/system/lock.ts";
import { tryReplaceFile } from "../disk/files.ts";

/** Not a bubble id, so that no bubble's lock is ever mistaken for this one. */
const LOCK = ".sessions";

interface Session {
  readonly session: string | null;
  readonly seat: string;
  readonly driver_pid: number;
  readonly started_at: string;
}

/** Sets or clears a bubble's entry, and drops those whose driver has died. Failing to write the view is not an error. */
export function createSessionsView(path: string, locks: Locks, isDriven: (bubble: string) => boolean) {
  return {
    async set(bubble: string, beat: Beat | undefined): Promise<void> {
      // Looked for before the lock is held: others wait for it only as long as the file is written.
      const left = Object.entries(read(path)).filter(([id]) => id !== bubble && !isDriven(id));
      const dead = new Map(left.map(([id, { driver_pid: pid }]) => [id, pid]));
      const release = await locks.take(LOCK);
      try {
        const others = Object.entries(read(path)).filter(
          ([id, { driver_pid: pid }]) => id !== bubble && dead.get(id) !== pid,
        );
        const own = beat ? [[bubble, buildEntry(beat)] as const] : [];
        write(path, Object.fromEntries([...others, ...own]));
      } finally {
        release?.();
      }
    },
  };
}

function read(path: string): Record<string, Session> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, Session>) : {};
  } catch {
    return {};
  }
}

function write(path: string, sessions: Record<string, Session>): void {
  const sorted = Object.fromEntries(Object.entries(sessions).sort(([a], [b]) => (a < b ? -1 : 1)));
  tryReplaceFile(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

function buildEntry({ session, seat, pid, startedAt }: Beat): Session {
  return { session: session ?? null, seat, driver_pid: pid, started_at: startedAt };
}
