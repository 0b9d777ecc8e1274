// Which bubbles there are, where several machines share a server: one entry for each id. An id can be used again after its bubble
// was archived, so an entry holds a number, and everything else of the bubble is kept under that number.
import { randomUUID } from "node:crypto";
import type { KV, KvEntry } from "@nats-io/kv";
import { Failure } from "../../../ports/failure.ts";
import type { Patience } from "../../../ports/system/patience.ts";
import { toBubbleExists, toBubbleNotFound } from "../missing.ts";

interface Registered {
  readonly number: number;
  readonly isArchived: boolean;
  /** Tells one write from another: an answer may be lost, and the write be repeated. */
  readonly by: string;
}

export interface Registry {
  /** The number of an open bubble; undefined when there is none. */
  find(bubble: string): Promise<number | undefined>;
  /** What was found last in this process, or else what there is now. */
  recall(bubble: string): Promise<number | undefined>;
  /** The number as this host noted it; the next look corrects it. */
  trust(bubble: string, number: number): void;
  /** As `find`; throws `bubble.not-found`. */
  require(bubble: string): Promise<number>;
  /** Takes the id; throws `bubble.exists`. */
  create(bubble: string): Promise<number>;
  /** Gives the id free; throws `bubble.not-found`. */
  archive(bubble: string): Promise<number>;
}

export const registryKeys = "bubble.*";

export function createRegistry(kv: KV, patiently: Patience): Registry {
  const keyOf = (bubble: string) => `bubble.${bubble}`;
  const read = (bubble: string) => patiently(() => kv.get(keyOf(bubble)));
  /** The number of each open bubble as this process has seen it last. */
  const known = new Map<string, number>();
  const remember = (bubble: string, number: number | undefined) => {
    if (number === undefined) known.delete(bubble);
    else known.set(bubble, number);
    return number;
  };
  const find = async (bubble: string) => remember(bubble, readOpenNumber(await read(bubble)));

  /** Replaces the entry unless somebody else did since; false then. */
  const write = async (bubble: string, before: KvEntry | null, registered: Omit<Registered, "by">) => {
    const by = randomUUID();
    const text = JSON.stringify({ ...registered, by });
    try {
      await patiently(() =>
        before ? kv.update(keyOf(bubble), text, before.revision) : kv.create(keyOf(bubble), text),
      );
      return true;
    } catch (error) {
      if (error instanceof Failure) throw error;
      const now = await read(bubble);
      if ((now?.revision ?? 0) === (before?.revision ?? 0)) throw error;
      return now?.json<Registered>().by === by;
    }
  };

  return {
    find,
    recall: async (bubble) => known.get(bubble) ?? find(bubble),
    trust: (bubble, number) => void known.set(bubble, number),
    async require(bubble) {
      const number = await find(bubble);
      if (number === undefined) throw toBubbleNotFound(bubble);
      return number;
    },
    async create(bubble) {
      const before = await read(bubble);
      const was = before?.json<Registered>();
      const number = (was?.number ?? 0) + 1;
      const isFree = was === undefined || was.isArchived;
      if (isFree && (await write(bubble, before, { number, isArchived: false }))) {
        known.set(bubble, number);
        return number;
      }
      throw toBubbleExists(bubble);
    },
    async archive(bubble) {
      const before = await read(bubble);
      known.delete(bubble);
      const number = readOpenNumber(before);
      const isDone = number !== undefined && (await write(bubble, before, { number, isArchived: true }));
      if (!isDone) throw toBubbleNotFound(bubble);
      return number;
    },
  };
}

/** The number in an entry of the registry, if its bubble is open. */
export function readOpenNumber(entry: KvEntry | null): number | undefined {
  if (!entry || entry.value.length === 0) return undefined;
  const { number, isArchived } = entry.json<Registered>();
  return isArchived ? undefined : number;
}
