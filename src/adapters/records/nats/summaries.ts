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
  let everyMs = 0;

  const write = async (id: RecordId, stored: StoredSummary): Promise<void> => {
    waiting.delete(id.bubble);
    writtenAt.set(id.bubble, performance.now());
    await patiently(() => entries.put(keyOf(id), JSON.stringify(stored)));
  };
  /** A list that is behind for a while does no harm. */
  const writeWaiting = () => {
    for (const { id, stored } of [...waiting.values()]) write(id, stored).catch(() => {});
  };

  return {
    pace(ms: number): void {
      everyMs = ms;
      if (ms === 0) writeWaiting();
    },
    async save(id: RecordId, { head }: StateSnapshot, summary: Summary): Promise<void> {
      const stored = { summary, offset: parseTokenOffset(head.token) };
      const restMs = everyMs - (performance.now() - (writtenAt.get(id.bubble) ?? Number.NEGATIVE_INFINITY));
      if (restMs <= 0) return write(id, stored);
      if (!waiting.has(id.bubble)) setTimeout(writeWaiting, restMs).unref();
      waiting.set(id.bubble, { id, stored });
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
