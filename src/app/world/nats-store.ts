// What several machines share, put together on one NATS server: log, records, places of drivers, plans and what was learned.
// Nothing imports it but who was told to use a server, so that no other command loads the client.
import { join } from "node:path";
import { createSharedConventions } from "../../adapters/conventions/shared.ts";
import { createPidLocks } from "../../adapters/lock/pid.ts";
import { createProcessMarks } from "../../adapters/lock/process-marks.ts";
import { createNatsLog } from "../../adapters/log/nats/log.ts";
import { ensureLogStream } from "../../adapters/log/nats/subjects.ts";
import { openBlobs } from "../../adapters/nats/blobs.ts";
import { openConnection } from "../../adapters/nats/connect.ts";
import { openEntries } from "../../adapters/nats/entries.ts";
import { createPatience } from "../../adapters/nats/patience.ts";
import { createSharedPlans } from "../../adapters/plans/shared.ts";
import { createFileRecords } from "../../adapters/records/file.ts";
import { openRecordBuckets } from "../../adapters/records/nats/buckets.ts";
import { createNatsRecords } from "../../adapters/records/nats/records.ts";
import { createFileRuntime } from "../../adapters/runtime/file.ts";
import { createNatsRuntime, ensurePlaceStream } from "../../adapters/runtime/nats.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { EventLog } from "../../ports/record/log.ts";
import type { Plans } from "../../ports/record/plans.ts";
import type { Records, Runtime } from "../../ports/record/records.ts";
import type { Blobs } from "../../ports/system/blobs.ts";

export interface NatsStoreOptions {
  readonly url: string;
  /** Joins the clones of one project. */
  readonly project: string;
  /** This host's clone, whose `.pairflow` holds its copies and caches. */
  readonly root: string;
  /** Tells this host from others; two containers may have one name. */
  readonly host: string;
  /** On how many servers everything is kept. */
  readonly replicas: 1 | 3;
  readonly leaseMs: number;
}

export interface SharedStore {
  readonly log: EventLog;
  readonly records: Records;
  readonly runtime: Runtime;
  readonly plans: Plans;
  readonly conventions: Conventions;
  /** Where commits travel. */
  readonly blobs: Blobs;
  close(): Promise<void>;
}

/** Connects, makes what is missing on the server, and opens everything. */
export async function openNatsStore(options: NatsStoreOptions): Promise<SharedStore> {
  const { url, project, root, host, replicas, leaseMs } = options;
  const { connection, js, jsm } = await openConnection({ url, name: `pairflow ${host}` });
  const patiently = createPatience({ server: url });
  const shared = { project, replicas };
  await Promise.all([ensureLogStream(jsm, shared), ensurePlaceStream(jsm, shared)]);
  const [buckets, entries, blobs] = await Promise.all([
    openRecordBuckets(js, shared),
    openEntries(js, { ...shared, patiently }),
    openBlobs(js, { ...shared, patiently }),
  ]);
  const marks = createProcessMarks(host);
  const locks = createPidLocks({ folder: join(root, ".pairflow", "locks"), marks });
  const log = createNatsLog({ connection, js, jsm, project, patiently });
  return {
    log,
    records: createNatsRecords({
      ...{ buckets, patiently, local: createFileRecords({ root }), notes: join(root, ".pairflow", "store") },
      lengthsOf: log.listLengths,
      closeLog: log.close,
    }),
    runtime: createNatsRuntime({
      ...{ js, jsm, project, leaseMs, patiently, marks },
      local: createFileRuntime({ root, marks, locks }),
    }),
    plans: createSharedPlans({ entries }),
    conventions: createSharedConventions({ root, entries }),
    blobs,
    close: () => connection.close(),
  };
}
