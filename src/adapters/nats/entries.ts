// Entries of a bucket on a NATS server, for what is changed by compare-and-set: plans and what was learned.
import type { JetStreamClient } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Failure } from "../../ports/failure.ts";
import type { Entries } from "../../ports/system/entries.ts";
import type { Patience } from "../../ports/system/patience.ts";
import { toNotReady } from "./streams.ts";

export interface EntriesOptions {
  readonly project: string;
  readonly replicas: 1 | 3;
  readonly patiently: Patience;
}

/** Opens the project's bucket, or makes it; keeps E1–E4. */
export async function openEntries(
  js: JetStreamClient,
  { project, replicas, patiently }: EntriesOptions,
): Promise<Entries> {
  const bucket = `pf-entries-${project}`;
  const kv = await new Kvm(js)
    // Only the leader is sure to have what was acknowledged.
    .create(bucket, { replicas, history: 1, allow_direct: false })
    .catch((cause) => {
      throw toNotReady(`The bucket ${bucket}`, cause);
    });
  const read = async (key: string) => {
    const entry = await patiently(() => kv.get(key));
    return entry?.operation === "PUT" ? { text: entry.string(), revision: entry.revision } : undefined;
  };

  return {
    read,
    list: (group) =>
      patiently(async () => {
        const keys: string[] = [];
        for await (const key of await kv.keys(`${group}.*`)) keys.push(key);
        return keys;
      }),
    async write(key, text, expected) {
      try {
        await patiently(() => (expected === 0 ? kv.create(key, text) : kv.update(key, text, expected)));
        return true;
      } catch (error) {
        if (error instanceof Failure) throw error;
        const now = await read(key);
        if ((now?.revision ?? 0) === expected) throw error;
        // The answer to a first try may have been lost; and a process that wrote the same has done the same.
        return now?.text === text;
      }
    },
  };
}
