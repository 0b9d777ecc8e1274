// state.json against the fold of the transcript it was made from.
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { State } from "../../core/model/state.ts";
import type { RecordWorld } from "../../engine/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { Head } from "../../ports/log.ts";
import type { Snapshot } from "../../ports/record.ts";
import type { Problem } from "./chain.ts";

interface CacheCheck {
  readonly cached: Snapshot | undefined;
  /** Where the log ends, and the state at the line up to which the cache says it is folded. */
  readonly folded: { readonly head: Head; readonly atCache: State | undefined };
  readonly path: string;
}

/** A cache decides nothing, but one that contradicts the log shows that one of the two was changed. */
export async function cacheProblems(
  world: RecordWorld,
  bubble: string,
  { cached, folded, path }: CacheCheck,
): Promise<Problem[]> {
  const fix = `rm ${path}`;
  if (!cached) {
    const damaged = {
      message: "state.json is not as it was written; it is only a cache and can be deleted",
      fix,
    };
    return existsSync(path) ? [damaged] : [];
  }
  if (cached.head.seq > folded.head.seq) {
    return [
      {
        message: `the transcript ends at message ${folded.head.seq}, but message ${cached.head.seq} was there before: it was cut off`,
      },
    ];
  }
  if (!(await isInLog(world, bubble, cached.head))) {
    return [
      {
        message: `message ${cached.head.seq} is not the one state.json was made from: it was changed after it was written`,
      },
    ];
  }
  const fold: unknown = folded.atCache && JSON.parse(JSON.stringify(folded.atCache));
  if (isDeepStrictEqual(cached.state, fold)) return [];
  return [
    {
      message: "state.json differs from the fold of the transcript; it is only a cache and can be deleted",
      fix,
    },
  ];
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
