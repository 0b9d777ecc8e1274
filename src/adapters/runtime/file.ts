// Who drives which bubble, as files under .pairflow/runtime. Only the claims decide anything; beats, signs and
// sessions.json are for others to look at.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Beat, Runtime } from "../../ports/record/records.ts";
import type { Locks, ProcessMarks } from "../../ports/system/lock.ts";
import { listNames, tryReplaceFile } from "../disk/files.ts";
import { type DriverClaim, findNewestClaim, markReleased, takeNext } from "./claims.ts";

const FOREIGN_BEAT_MS = 60_000;

export interface FileRuntimeOptions {
  /** The repository whose `.pairflow/runtime` is used. */
  readonly root: string;
  readonly marks: ProcessMarks;
  readonly locks: Locks;
  readonly crashPoint?: CrashPoint;
  /** Milliseconds since 1970; only used for holders on another machine and for signs of life. */
  readonly nowMs?: () => number;
}

/**
 * The file runtime of a repository. A holder on another machine cannot be asked whether it lives; it counts as
 * living while its beats are younger than a minute.
 */
export function createFileRuntime(options: FileRuntimeOptions): Runtime {
  const { root, marks, locks, crashPoint = () => {}, nowMs = Date.now } = options;
  const runtime = join(root, ".pairflow", "runtime");
  const claimsOf = (bubble: string) => join(runtime, `${bubble}.driver`);
  const beatOf = (bubble: string) => join(runtime, `${bubble}.beat.json`);
  const signOf = (bubble: string) => join(runtime, `${bubble}.sign`);
  const noteOf = (bubble: string, name: string) =>
    join(runtime, bubble, "notes", name.replaceAll(/[^\w.-]/g, "_"));
  /** Replaced at once (R2). Where that fails, the claim's own beat is read in its place. */
  const writeBeat = (bubble: string, beat: Beat) =>
    tryReplaceFile(beatOf(bubble), `${JSON.stringify(beat)}\n`);
  const beatsOf = (bubble: string, claim: DriverClaim): Beat => {
    const beat = tryOr(() => JSON.parse(readFileSync(beatOf(bubble), "utf8")) as Beat, undefined);
    return beat?.driver === claim.beat.driver ? beat : claim.beat;
  };
  const holds = (bubble: string, claim: DriverClaim | undefined): claim is DriverClaim => {
    if (!claim || claim.released) return false;
    return marks.alive(claim.mark) ?? nowMs() - Date.parse(beatsOf(bubble, claim).at) < FOREIGN_BEAT_MS;
  };

  const findLiving = (bubble: string) => {
    const { claim } = findNewestClaim(claimsOf(bubble));
    return holds(bubble, claim) ? beatsOf(bubble, claim) : undefined;
  };
  const isDriven = (bubble: string) => holds(bubble, findNewestClaim(claimsOf(bubble)).claim);
  const sessions = createSessionsView(join(runtime, "sessions.json"), locks, isDriven);

  return {
    async claim(bubble, beat) {
      const mark = { ...marks.of(beat.pid), host: beat.host };
      for (;;) {
        const { number, claim } = findNewestClaim(claimsOf(bubble));
        if (holds(bubble, claim)) {
          const isMine = claim.beat.driver === beat.driver && claim.beat.pid === beat.pid;
          return isMine ? { ok: true } : { ok: false, holder: beatsOf(bubble, claim) };
        }
        crashPoint("runtime.before-claim");
        if (tryWrite(bubble, () => takeNext(claimsOf(bubble), number, { beat, mark }))) break;
      }
      crashPoint("runtime.after-claim");
      writeBeat(bubble, beat);
      await sessions.set(bubble, beat);
      return { ok: true };
    },

    async beat(bubble, beat) {
      const { claim } = findNewestClaim(claimsOf(bubble));
      if (claim?.released || claim?.beat.driver !== beat.driver) return false;
      writeBeat(bubble, beat);
      return true;
    },

    living: async (bubble) => findLiving(bubble),

    async listLiving(bubbles) {
      // Most bubbles of a long list were never driven: one look at the folder tells which.
      const known = new Set(listNames(runtime));
      const living = new Map<string, Beat>();
      for (const bubble of bubbles) {
        const beat = known.has(`${bubble}.driver`) ? findLiving(bubble) : undefined;
        if (beat) living.set(bubble, beat);
      }
      return living;
    },

    async release(bubble, driver) {
      const { number, claim } = findNewestClaim(claimsOf(bubble));
      if (!claim || claim.released || claim.beat.driver !== driver) return;
      rmSync(beatOf(bubble), { force: true });
      tryWrite(bubble, () => markReleased(claimsOf(bubble), number, claim));
      crashPoint("runtime.after-release");
      await sessions.set(bubble, undefined);
    },

    async forget(bubble) {
      if (isDriven(bubble)) return;
      rmSync(beatOf(bubble), { force: true });
      await sessions.set(bubble, undefined);
    },

    async sign(bubble) {
      const at = nowMs() / 1000;
      try {
        mkdirSync(runtime, { recursive: true, mode: 0o700 });
        writeFileSync(signOf(bubble), "", { flag: "a", mode: 0o600 });
        utimesSync(signOf(bubble), at, at);
      } catch {
        // A hook inside a sandbox may not write here; pane output and file changes are signs too.
      }
    },

    async note(bubble, name, text) {
      try {
        mkdirSync(dirname(noteOf(bubble, name)), { recursive: true, mode: 0o700 });
        writeFileSync(noteOf(bubble, name), text, { mode: 0o600 });
      } catch {
        // As with signs: what cannot be noted is not known, and nothing depends on it.
      }
    },

    async noted(bubble, name) {
      return tryOr(() => readFileSync(noteOf(bubble, name), "utf8"), undefined);
    },

    lastSign: async (bubble) => statSync(signOf(bubble), { throwIfNoEntry: false })?.mtime.toISOString(),
  };
}

function tryWrite<T>(bubble: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    const message = `The driver's place of ${bubble} could not be written: ${(cause as Error).message}`;
    throw new Failure("runtime.failed", message, {
      cause,
      hint: "Is .pairflow/runtime writable, and the disk not full?",
    });
  }
}

/** Not a bubble id, so that no bubble's lock is ever mistaken for this one. */
const LOCK = ".sessions";

interface Session {
  readonly session: string | null;
  readonly seat: string;
  readonly driver_pid: number;
  readonly started_at: string;
}

/**
 * runtime/sessions.json: which bubbles are driven, for people and their scripts. Sets or clears a bubble's entry, and drops those
 * whose driver has died. It is a view: failing to write it is not an error.
 */
function createSessionsView(path: string, locks: Locks, isDriven: (bubble: string) => boolean) {
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
