// Follows the records of all registered repositories while somebody listens: every log that may still grow, and the list of
// bubbles itself. Signs of life are beside the record; they are looked at, not followed.
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { hasEnded, type ListedBubble, listBubbles } from "../../app/record/listing.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";

export interface WatchOptions {
  readonly repositories: () => readonly KnownRepository[];
  readonly mark: (...keys: string[]) => void;
  /** Whether anybody listens: otherwise nothing is looked at. */
  readonly isHeard: () => boolean;
  readonly signal: AbortSignal;
  readonly listMs?: number;
  readonly signsMs?: number;
}

/** One repository that is watched. */
interface WatchedRepository {
  readonly name: string;
  readonly world: RecordWorld;
  readonly followed: Map<string, AbortController>;
  /** What the list said last, by bubble. */
  readonly seen: Map<string, string>;
  isSeen: boolean;
  readonly signs: Map<string, string>;
  readonly bell: FSWatcher | undefined;
}

export const listKeys = (repo: string, bubble: string): string[] => [
  "inbox",
  "bubbles",
  `bubble/${repo}/${bubble}`,
];

/** Returns at once; continues until the signal aborts. */
export function watchRecords(watching: WatchOptions): void {
  const { signal, listMs = 2000, signsMs = 2000 } = watching;
  const watched = new Map<string, WatchedRepository>();
  let busy = false;
  const look = async () => {
    if (busy || signal.aborted || !watching.isHeard()) return;
    busy = true;
    try {
      await lookAround(watching, watched, () => void look());
    } finally {
      busy = false;
    }
  };
  const timers = [
    setInterval(() => void look(), listMs),
    setInterval(() => void lookForSigns(watching, watched), signsMs),
  ];
  signal.addEventListener("abort", () => {
    for (const timer of timers) clearInterval(timer);
    for (const { followed, bell } of watched.values()) {
      bell?.close();
      for (const one of followed.values()) one.abort();
    }
  });
}

async function lookAround(
  watching: WatchOptions,
  watched: Map<string, WatchedRepository>,
  ring: () => void,
): Promise<void> {
  for (const { name, path } of watching.repositories()) {
    const known = watched.get(name) ?? createWatched(name, path, ring);
    if (!watched.has(name)) watched.set(name, known);
    try {
      await lookAt(watching, known);
    } catch {
      // A repository that cannot be read now is looked at again; its page says what is wrong.
    }
  }
}

function createWatched(name: string, path: string, ring: () => void): WatchedRepository {
  return {
    name,
    world: createRecordWorld(path),
    followed: new Map(),
    seen: new Map(),
    isSeen: false,
    signs: new Map(),
    bell: watchFolder(join(path, ".pairflow", "bubbles"), ring),
  };
}

/** Rings when a bubble is made or put away; without it the next look sees that. */
function watchFolder(folder: string, ring: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, ring);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

async function lookAt(watching: WatchOptions, known: WatchedRepository): Promise<void> {
  const isFirst = !known.isSeen;
  known.isSeen = true;
  const listed = await listBubbles(known.world);
  // Whoever fetched before the first look may have missed something.
  if (isFirst) watching.mark("all");
  for (const bubble of listed) {
    const now = computeSignature(bubble);
    if (!isFirst && known.seen.get(bubble.id) !== now) watching.mark(...listKeys(known.name, bubble.id));
    known.seen.set(bubble.id, now);
    if (!hasEnded(bubble) && !bubble.problem && !known.followed.has(bubble.id))
      void follow(watching, known, bubble.id);
  }
  const there = new Set(listed.map(({ id }) => id));
  for (const id of [...known.seen.keys()].filter((id) => !there.has(id))) {
    known.seen.delete(id);
    known.followed.get(id)?.abort();
    watching.mark(...listKeys(known.name, id));
  }
}

/** Whatever a list shows of it that no line of its log tells: a driver that came or went, a record that cannot be read. */
const computeSignature = ({ driven, problem, waits_for }: ListedBubble): string =>
  JSON.stringify([driven, problem, waits_for]);

async function follow(
  { mark, signal }: WatchOptions,
  known: WatchedRepository,
  bubble: string,
): Promise<void> {
  const end = new AbortController();
  known.followed.set(bubble, end);
  const both = AbortSignal.any([signal, end.signal]);
  try {
    const { head } = await loadGood(known.world, bubble);
    for await (const _ of known.world.log.subscribe(bubble, head, both))
      mark(...listKeys(known.name, bubble));
  } catch {
    mark(...listKeys(known.name, bubble));
  } finally {
    known.followed.delete(bubble);
  }
}

async function lookForSigns(
  { mark, isHeard }: WatchOptions,
  watched: Map<string, WatchedRepository>,
): Promise<void> {
  if (!isHeard()) return;
  for (const { name, world, followed, signs } of watched.values()) {
    for (const bubble of followed.keys()) {
      const beat = await world.runtime.living(bubble);
      const sign = `${beat?.lastSignAt ?? ""} ${beat?.doing ?? ""}`;
      if (signs.get(bubble) !== sign) mark("inbox", `live/${name}/${bubble}`);
      signs.set(bubble, sign);
    }
  }
}
