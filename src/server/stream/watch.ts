// Follows the records of all registered repositories while somebody listens: every log that may still grow, and the list of
// bubbles itself. Signs of life are beside the record; they are looked at, not followed.
import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { readPlanStamp } from "../../app/plans/stamp.ts";
import { hasEnded, type ListedBubble, listBubbles } from "../../app/record/listing.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { emptyHead, type Head } from "../../ports/record/log.ts";
import type { Changes } from "./changes.ts";

export interface WatchOptions {
  readonly repositories: () => readonly KnownRepository[];
  /** Nothing is looked at while nobody listens. */
  readonly changes: Pick<Changes, "mark" | "listeners" | "onHeard">;
  readonly signal: AbortSignal;
  readonly listMs?: number;
  readonly signsMs?: number;
}

/** One repository that is watched. */
interface WatchedRepository {
  readonly name: string;
  readonly path: string;
  readonly world: RecordWorld;
  readonly followed: Map<string, AbortController>;
  /** What the list said last, by bubble. */
  readonly seen: Map<string, string>;
  isSeen: boolean;
  /** Its plans, as they were last seen. */
  plans: string;
  readonly signs: Map<string, string>;
  readonly watcher: FSWatcher | undefined;
}

export const listKeys = (repo: string, bubble: string): string[] => [
  "inbox",
  "bubbles",
  `bubble/${repo}/${bubble}`,
];

/** Returns at once; continues until the signal aborts. */
export function watchRecords(watching: WatchOptions): void {
  const { changes, signal, listMs = 2000, signsMs = 2000 } = watching;
  const watched = new Map<string, WatchedRepository>();
  let isBusy = false;
  let isWanted = false;
  // A change that is reported during a look is handled after it.
  const look = async (): Promise<void> => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    try {
      while (isWanted && !signal.aborted && changes.listeners > 0) {
        isWanted = false;
        await lookAround(watching, watched, () => void look());
      }
    } finally {
      isBusy = false;
    }
  };
  // Whoever opens a page is told from then on, not from the next look on.
  changes.onHeard(() => void look());
  const timers = [
    setInterval(() => void look(), listMs),
    setInterval(() => void lookForSigns(changes, watched), signsMs),
  ];
  signal.addEventListener("abort", () => {
    for (const timer of timers) clearInterval(timer);
    for (const { followed, watcher } of watched.values()) {
      watcher?.close();
      for (const one of followed.values()) one.abort();
    }
  });
}

async function lookAround(
  watching: WatchOptions,
  watched: Map<string, WatchedRepository>,
  wake: () => void,
): Promise<void> {
  for (const { name, path } of watching.repositories()) {
    const known = watched.get(name) ?? createWatched(name, path, wake);
    if (!watched.has(name)) watched.set(name, known);
    try {
      await lookAt(watching, known);
    } catch {
      // A repository that cannot be read now is looked at again; its page says what is wrong.
    }
  }
}

function createWatched(name: string, path: string, wake: () => void): WatchedRepository {
  return {
    ...{ name, path },
    world: createRecordWorld(path),
    followed: new Map(),
    seen: new Map(),
    isSeen: false,
    plans: "",
    signs: new Map(),
    watcher: watchFolder(join(path, ".pairflow", "bubbles"), wake),
  };
}

/** Rings when a bubble is made or put away; without it the next look sees that. */
function watchFolder(folder: string, wake: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, wake);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

async function lookAt({ changes, signal }: WatchOptions, known: WatchedRepository): Promise<void> {
  const isFirst = !known.isSeen;
  known.isSeen = true;
  const listed = await listBubbles(known.world);
  const fresh = listed.filter((bubble) => canFollow(known, bubble));
  await Promise.all(fresh.map((bubble) => startFollowing(changes, signal, known, bubble)));
  // Told only now: a line that was written before it was followed is in what the page fetches next.
  if (isFirst) changes.mark("all");
  const plans = readPlanStamp(known.path);
  if (!isFirst && known.plans !== plans) changes.mark("inbox", "plans");
  known.plans = plans;
  for (const bubble of listed) {
    const now = computeSignature(bubble);
    if (!isFirst && known.seen.get(bubble.id) !== now) changes.mark(...listKeys(known.name, bubble.id));
    known.seen.set(bubble.id, now);
  }
  const there = new Set(listed.map(({ id }) => id));
  for (const id of [...known.seen.keys()].filter((id) => !there.has(id))) {
    known.seen.delete(id);
    known.followed.get(id)?.abort();
    changes.mark(...listKeys(known.name, id));
  }
}

/** What cannot be read is tried once: most likely its first line is being written. */
const canFollow = ({ followed, seen }: WatchedRepository, bubble: ListedBubble): boolean =>
  !hasEnded(bubble) &&
  !followed.has(bubble.id) &&
  (!bubble.problem || (!bubble.trouble && seen.get(bubble.id) !== computeSignature(bubble)));

/** Whatever a list shows of it that no line of its log tells: a driver that came or went, a record that cannot be read. */
const computeSignature = ({ driven, problem, waits_for }: ListedBubble): string =>
  JSON.stringify([driven, problem, waits_for]);

/** Comes back when it is known from which line on the bubble is followed. */
async function startFollowing(
  { mark }: Pick<Changes, "mark">,
  signal: AbortSignal,
  known: WatchedRepository,
  { id, problem }: ListedBubble,
): Promise<void> {
  const end = new AbortController();
  known.followed.set(id, end);
  const tell = () => {
    // Whoever fetches it now sees who drives now: a driver that is gone before the next look must be told of then.
    known.seen.set(id, "");
    mark(...listKeys(known.name, id));
  };
  const stop = () => void known.followed.delete(id);
  const fail = () => {
    stop();
    mark(...listKeys(known.name, id));
  };
  try {
    const head = problem ? emptyHead : (await loadGood(known.world, id)).head;
    void follow(known, id, head, AbortSignal.any([signal, end.signal]), tell).then(stop, fail);
  } catch {
    fail();
  }
}

async function follow(
  { world }: WatchedRepository,
  bubble: string,
  head: Head,
  signal: AbortSignal,
  tell: () => void,
): Promise<void> {
  for await (const _ of world.log.subscribe(bubble, head, signal)) tell();
}

async function lookForSigns(
  { mark, listeners }: WatchOptions["changes"],
  watched: Map<string, WatchedRepository>,
): Promise<void> {
  if (listeners === 0) return;
  for (const { name, world, followed, signs } of watched.values()) {
    for (const bubble of followed.keys()) {
      const beat = await world.runtime.living(bubble);
      const sign = `${beat?.lastSignAt ?? ""} ${beat?.doing ?? ""}`;
      if (signs.get(bubble) !== sign) mark("inbox", `live/${name}/${bubble}`);
      signs.set(bubble, sign);
    }
  }
}
