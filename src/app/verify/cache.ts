// state.json against the fold of the transcript it was made from.
import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { State } from "../../core/model/state.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { Head, LogTrouble } from "../../ports/record/log.ts";
import type { StateSnapshot } from "../../ports/record/records.ts";
import type { RecordProblem } from "./chain.ts";

interface CacheCheck {
  readonly cached: StateSnapshot | undefined;
  /** Where the log ends, and the state at the line up to which the cache says it is folded. */
  readonly folded: { readonly head: Head; readonly atCache: State | undefined };
  readonly path: string;
}

/** Absent, or with no byte in it that was written: a power cut leaves that of a new file that nobody synced. */
function isBlank(path: string): boolean {
  return !existsSync(path) || readFileSync(path).every((byte) => byte === 0);
}

/** A cache decides nothing, but one that contradicts the log shows that one of the two was changed. */
export function checkCache({ cached, folded, path }: CacheCheck): RecordProblem[] {
  if (!cached) return isBlank(path) ? [] : [reportMendable("state.json is not as it was written", path)];
  if (cached.head.seq > folded.head.seq)
    return [
      {
        message: `the transcript ends at message ${folded.head.seq}, but message ${cached.head.seq} was there before: it was cut off`,
      },
    ];
  const fold: unknown = folded.atCache && JSON.parse(JSON.stringify(folded.atCache));
  if (isDeepStrictEqual(cached.state, fold)) return [];
  return [reportMendable("state.json differs from the fold of the transcript", path)];
}

/** Nothing is lost with a cache, and nothing needs to be thrown away: the next command writes a new one. */
function reportMendable(what: string, path: string): RecordProblem {
  return { message: `${what}; it is only a cache and can be put aside`, fix: `mv ${path} ${path}.old` };
}

/** The newest line has nothing behind it that would confirm it; the cache does. */
export async function findChangeSince(
  world: RecordWorld,
  bubble: string,
  cached: Head,
): Promise<LogTrouble | undefined> {
  if (await isInLog(world, bubble, cached)) return undefined;
  const reason = `message ${cached.seq} is not the one state.json was made from: it was changed after it was written`;
  return { kind: "damaged", reason, suspect: cached.seq };
}

async function isInLog(world: RecordWorld, bubble: string, head: Head): Promise<boolean> {
  try {
    for await (const _batch of world.log.read(bubble, head)) break;
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === "log.head-lost") return false;
    throw error;
  }
}
