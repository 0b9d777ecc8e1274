// Where a project's records are on the server: a bucket of entries, and one of large artifacts.
import type { JetStreamClient } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { type ObjectStore, Objm } from "@nats-io/obj";

export interface RecordBuckets {
  readonly entries: KV;
  /** By their sha256. */
  readonly blobs: ObjectStore;
}

/** Opens the project's buckets; makes those that are missing. */
export async function openRecordBuckets(
  js: JetStreamClient,
  { project, replicas }: { readonly project: string; readonly replicas: 1 | 3 },
): Promise<RecordBuckets> {
  // What is read here decides; only the leader is sure to have what was acknowledged.
  const entries = await new Kvm(js).create(`pf-records-${project}`, {
    replicas,
    history: 1,
    allow_direct: false,
  });
  const blobs = await new Objm(js).create(`pf-blobs-${project}`, { replicas });
  return { entries, blobs };
}
