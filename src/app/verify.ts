// Checking a record against itself, offline and from the first byte: the chain, the artifacts it names, what was
// signed, and the cache against the fold.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { placeOf } from "../adapters/log/place.ts";
import { evolve } from "../core/bubble/evolve.ts";
import type { Envelope } from "../core/model/envelope.ts";
import type { State } from "../core/model/state.ts";
import { approvalSubject } from "../core/views/package.ts";
import type { RecordWorld } from "../engine/world.ts";
import { Failure } from "../ports/failure.ts";
import { emptyHead, type Head, type Skipped } from "../ports/log.ts";
import type { Snapshot } from "../ports/record.ts";
import { judgeSkipped, type Problem } from "./verify/chain.ts";

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

/** Artifacts that a message names and that are gone, or that are not what was signed. */
async function artifactProblems(
  world: RecordWorld,
  bubble: string,
  envelope: Envelope,
  seen: Set<string>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const names = envelope.refs
    .filter((ref) => ref.startsWith("artifact://"))
    .map((ref) => ref.slice("artifact://".length));
  for (const name of names.filter((one) => !seen.has(one))) {
    seen.add(name);
    if ((await bytesOf(world, bubble, name)) === undefined) {
      problems.push({ message: `message ${envelope.seq} names the artifact ${name}, which is not there` });
    }
  }
  if (envelope.type === "DONE_PACKAGE") {
    const { artifact, sha256 } = envelope.payload;
    const bytes = await bytesOf(world, bubble, artifact);
    if (bytes && world.hash.sha256(bytes) !== sha256) {
      problems.push({ message: `message ${envelope.seq} signed another ${artifact}: its hash differs` });
    }
  }
  return problems;
}

async function bytesOf(world: RecordWorld, bubble: string, name: string): Promise<Uint8Array | undefined> {
  try {
    return await world.records.get(bubble, name);
  } catch (error) {
    // A name that leads out of the folder is as good as missing.
    if (error instanceof Failure && error.code === "artifact.bad-name") return undefined;
    throw error;
  }
}

/** Whether what was asked, signed and committed is what the record says, computed again. */
function signatureProblems(world: RecordWorld, state: State, envelope: Envelope): Problem[] {
  const { approval } = state;
  const wrong = (message: string): Problem[] => [{ message: `message ${envelope.seq} ${message}` }];
  switch (envelope.type) {
    case "APPROVAL_REQUEST": {
      const digest = world.hash.sha256(approvalSubject(state, approval?.sha256 ?? ""));
      return digest === envelope.payload.digest
        ? []
        : wrong("asks for approval of a digest that is not the record's");
    }
    case "APPROVAL_DECISION":
      return envelope.payload.digest === approval?.digest
        ? []
        : wrong("decides about another digest than was asked");
    case "COMMITTED":
      return envelope.payload.tree === approval?.tree ? [] : wrong("commits another tree than was approved");
    default:
      return [];
  }
}

interface CacheCheck {
  readonly cached: Snapshot | undefined;
  readonly folded: FoldedRecord;
  readonly path: string;
}

/** A cache decides nothing, but one that contradicts the log shows that one of the two was changed. */
async function cacheProblems(
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
