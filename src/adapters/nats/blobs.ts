// Blobs in an object store of a NATS server.
import type { JetStreamClient } from "@nats-io/jetstream";
import { Objm } from "@nats-io/obj";
import type { Blobs } from "../../ports/system/blobs.ts";
import type { Patience } from "../../ports/system/patience.ts";
import { toNotReady } from "./streams.ts";

export interface BlobsOptions {
  readonly project: string;
  readonly replicas: 1 | 3;
  readonly patiently: Patience;
}

/** Opens the project's store of blobs, or makes it. */
export async function openBlobs(js: JetStreamClient, options: BlobsOptions): Promise<Blobs> {
  const { project, replicas, patiently } = options;
  const bucket = `pf-travel-${project}`;
  const store = await new Objm(js).create(bucket, { replicas }).catch((cause) => {
    throw toNotReady(`The store ${bucket}`, cause);
  });
  const get = async (name: string) => {
    const bytes = await patiently(() => store.getBlob(name));
    return bytes ?? undefined;
  };
  const has = async (name: string) => {
    const info = await patiently(() => store.info(name));
    return info !== null && !info.deleted;
  };
  return {
    get,
    has,
    async list() {
      const found = await patiently(() => store.list());
      return found.flatMap(({ name, mtime, deleted }) => (deleted ? [] : [{ name, at: Date.parse(mtime) }]));
    },
    async remove(name) {
      if (await has(name)) await patiently(() => store.delete(name));
    },
    async put(name, bytes) {
      if (await has(name)) return;
      await patiently(() => store.putBlob({ name }, bytes));
    },
  };
}
