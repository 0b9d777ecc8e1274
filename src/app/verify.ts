// Checking a record against itself, offline and from the first byte: the chain, the artifacts it names, what was
// signed, and the cache against the fold.
import { join } from "node:path";
import { placeOf } from "../adapters/log/place.ts";
import { evolve } from "../core/bubble/evolve.ts";
import type { State } from "../core/model/state.ts";
import type { RecordWorld } from "../engine/world.ts";
import { emptyHead, type Head, type Skipped } from "../ports/log.ts";
import { cacheProblems } from "./verify/cache.ts";
import { judgeSkipped, type Problem } from "./verify/chain.ts";
import { artifactProblems, signatureProblems } from "./verify/facts.ts";

export interface Verified {
  readonly bubble: string;
  readonly ok: boolean;
  readonly head: { readonly seq: number; readonly hash: string };
  readonly artifacts: number;
  readonly errors: readonly Problem[];
  readonly notes: readonly Problem[];
}

/** Everything that can be said about a bubble's record without trusting any of it. */
export async function verifyBubble(world: RecordWorld, repo: string, bubble: string): Promise<Verified> {
  const folder = join(repo, ".pairflow", "bubbles", bubble);
  // The cache first: a command that is at work now makes the log longer than the cache, never shorter.
  const cached = await world.records.load(bubble);
  const folded = await foldAll(world, bubble, cached?.head.seq ?? 0);
  const place = placeOf(folded.head);
  const lines = Math.max(place?.line ?? 0, ...folded.skipped.slice(-1).map((skipped) => skipped.line));
  const chain = judgeSkipped(join(folder, "transcript.ndjson"), folded.skipped, lines);
  // Behind a broken chain the fold stops early, and a cache that knows more says nothing new.
  const isWhole = chain.errors.length === 0;
  const cache = isWhole
    ? await cacheProblems(world, bubble, { cached, folded, path: join(folder, "state.json") })
    : [];
  const empty =
    folded.head.seq === 0 && chain.errors.length === 0 ? [{ message: "the record has no line" }] : [];
  const errors = [...empty, ...chain.errors, ...folded.errors, ...cache];
  return {
    bubble,
    ok: errors.length === 0,
    head: { seq: folded.head.seq, hash: place?.hash ?? "" },
    artifacts: folded.artifacts,
    errors,
    notes: chain.notes,
  };
}

interface FoldedRecord {
  readonly head: Head;
  readonly skipped: readonly Skipped[];
  readonly errors: readonly Problem[];
  readonly artifacts: number;
  /** The state at the line up to which the cache says it is folded. */
  readonly atCache: State | undefined;
}

async function foldAll(world: RecordWorld, bubble: string, cacheSeq: number): Promise<FoldedRecord> {
  const errors: Problem[] = [];
  const skipped: Skipped[] = [];
  const seen = new Set<string>();
  let state: State | undefined;
  let atCache: State | undefined;
  let head: Head = emptyHead;
  let isFoldable = true;
  for await (const batch of world.log.read(bubble)) {
    skipped.push(...batch.skipped);
    head = batch.head;
    for (const envelope of batch.envelopes) {
      errors.push(...(await artifactProblems(world, bubble, envelope, seen)));
      if (!isFoldable) continue;
      try {
        if (state) errors.push(...signatureProblems(world, state, envelope));
        state = evolve(state, envelope);
      } catch (error) {
        isFoldable = false;
        errors.push({
          message: `message ${envelope.seq} (${envelope.type}) cannot follow what is before it: ${(error as Error).message}`,
        });
      }
      if (envelope.seq === cacheSeq) atCache = state;
    }
  }
  return { head, skipped, errors, artifacts: seen.size, atCache };
}
