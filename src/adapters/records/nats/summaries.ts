// The few fields that a list of bubbles shows, one entry for each bubble. They are for lists: written no more often than the cache
// is, and a list says which of them are behind their log.
import type { KV, KvWatchEntry } from "@nats-io/kv";
import type { Records, StateSnapshot, Summary } from "../../../ports/record/records.ts";
import type { Patience } from "../../../ports/system/patience.ts";
import { parseTokenOffset } from "../state-file.ts";
import type { RecordId } from "./artifacts.ts";
import { readOpenNumber, registryKeys } from "./registry.ts";

type Listed = Awaited<ReturnType<Records["summaries"]>>[number];

interface StoredSummary {
  readonly summary: Summary;
  /** The beginning of the token of the head it was made from. */
  readonly offset: number;
}

/** How long each of these logs is: what the token of its newest head begins with. */
export type LogLengths = (bubbles: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export function createStoredSummaries(entries: KV, patiently: Patience, lengthsOf: LogLengths) {
  const keyOf = ({ bubble, number }: RecordId) => `summary.${bubble}.${number}`;
  const waiting = new Map<string, { readonly id: RecordId; readonly stored: StoredSummary }>();
  const writtenAt = new Map<string, number>();
  /** One write of a bubble at a time; of what comes meanwhile the newest is written next. */
  const underWay = new Map<string, Promise<void>>();
  let everyMs = 0;

  const writeNewest = async (bubble: string): Promise<void> => {
    const { id, stored } = waiting.get(bubble) ?? {};
    waiting.delete(bubble);
    writtenAt.set(bubble, performance.now());
    try {
      if (id) await patiently(() => entries.put(keyOf(id), JSON.stringify(stored)));
    } catch {
      // A list that is behind for a while does no harm, and says so.
    }
    underWay.delete(bubble);
    if (waiting.has(bubble)) writeInTime(bubble);
  };
  const write = (bubble: string) => {
    if (waiting.has(bubble) && !underWay.has(bubble)) underWay.set(bubble, writeNewest(bubble));
  };
  const writeInTime = (bubble: string) => {
    const restMs = everyMs - (performance.now() - (writtenAt.get(bubble) ?? Number.NEGATIVE_INFINITY));
    if (restMs <= 0) setImmediate(write, bubble);
    else setTimeout(write, restMs, bubble).unref();
  };

  return {
    pace(ms: number): void {
      everyMs = ms;
      if (ms === 0) for (const bubble of waiting.keys()) write(bubble);
    },
    /** Nobody waits for it: what a command does counts before its summary is written. */
    save(id: RecordId, { head }: StateSnapshot, summary: Summary): void {
      const isWaiting = waiting.has(id.bubble);
      waiting.set(id.bubble, { id, stored: { summary, offset: parseTokenOffset(head.token) } });
      if (!isWaiting && !underWay.has(id.bubble)) writeInTime(id.bubble);
    },
    /** What was saved is written, if the server takes it. */
    async settle(): Promise<void> {
      for (let rounds = 0; rounds < 3 && waiting.size + underWay.size > 0; rounds += 1) {
        for (const bubble of waiting.keys()) write(bubble);
        await Promise.all(underWay.values());
      }
    },
    async list(): Promise<Listed[]> {
      const { numbers, summaries } = await patiently(() => readAll(entries));
      const bubbles = [...numbers.keys()].sort();
      const lengths = await lengthsOf(bubbles);
      return bubbles.map((id): Listed => {
        const stored = summaries.get(keyOf({ bubble: id, number: numbers.get(id) ?? 0 }));
        if (!stored) return { id, stale: true };
        return { id, summary: stored.summary, stale: (lengths.get(id) ?? 0) !== stored.offset };
      });
    },
  };
}

/** The registry and all summaries, in one pass over the bucket. */
async function readAll(entries: KV) {
  const numbers = new Map<string, number>();
  const summaries = new Map<string, StoredSummary>();
  const take = (entry: KvWatchEntry) => {
    if (entry.operation !== "PUT") return;
    if (entry.key.startsWith("summary.")) summaries.set(entry.key, entry.json<StoredSummary>());
    else {
      const number = readOpenNumber(entry);
      if (number !== undefined) numbers.set(entry.key.slice("bubble.".length), number);
    }
  };
  const found = await entries.history({ key: [registryKeys, "summary.*.*"] });
  for await (const entry of found) take(entry);
  return { numbers, summaries };
}
