// What several machines share, put together on one NATS server: log, records, places of drivers, plans and what was learned.
// It is a chunk of its own in the built command: no other command loads the client.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { nodeClock } from "../../adapters/clock/node.ts";
import { createSharedConventions } from "../../adapters/conventions/shared.ts";
import { createPidLocks } from "../../adapters/lock/pid.ts";
import { createProcessMarks } from "../../adapters/lock/process-marks.ts";
import { createNatsLog } from "../../adapters/log/nats/log.ts";
import { ensureLogStream, nameLogSubjects, type StreamMaker } from "../../adapters/log/nats/subjects.ts";
import { openBlobs } from "../../adapters/nats/blobs.ts";
import { openConnection } from "../../adapters/nats/connect.ts";
import { openEntries } from "../../adapters/nats/entries.ts";
import { openOffers } from "../../adapters/nats/offers.ts";
import { createPatience } from "../../adapters/nats/patience.ts";
import { readServerState } from "../../adapters/nats/server-state.ts";
import { ensureStream, toNotReady } from "../../adapters/nats/streams.ts";
import { createSharedPlans, type SharedPlans } from "../../adapters/plans/shared.ts";
import { createNodeProcesses } from "../../adapters/process/node.ts";
import { createFileRecords } from "../../adapters/records/file.ts";
import { openRecordBuckets } from "../../adapters/records/nats/buckets.ts";
import { createNatsRecords } from "../../adapters/records/nats/records.ts";
import { createFileRuntime } from "../../adapters/runtime/file.ts";
import { createNatsRuntime, ensurePlaceStream, listenForExpired } from "../../adapters/runtime/nats.ts";
import { createBundleTravel } from "../../adapters/workspace/travel/bundles.ts";
import { createRemoteTravel } from "../../adapters/workspace/travel/remote.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { EventLog } from "../../ports/record/log.ts";
import type { Offers } from "../../ports/record/offers.ts";
import type { RawLog } from "../../ports/record/raw-log.ts";
import type { Records, Runtime } from "../../ports/record/records.ts";
import type { ServerState } from "../../ports/record/server-state.ts";
import type { Travel } from "../../ports/record/travel.ts";
import type { Clock } from "../../ports/system/clock.ts";
import { resolveStoreFile, type StoreSettings } from "../config/store.ts";
import { planReader } from "../files/plan.ts";
import { chooseClock } from "../host/shared/clock.ts";
import { readHostId } from "../host/shared/host-id.ts";
import { listKeyFiles } from "../host/shared/store-choice.ts";
import { requireConfirmedStore } from "./confirm.ts";
import { readStoreSettings } from "./settings.ts";

export { writeServer } from "./server-init.ts";

export interface NatsStoreOptions extends Pick<StoreSettings, "url" | "project" | "replicas" | "leaseMs"> {
  /** This host's clone, whose `.pairflow` holds its copies and caches. */
  readonly root: string;
  /** Tells this host from others; two containers may have one name. */
  readonly host: string;
  readonly credentials?: Uint8Array;
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
  /** The git remote by which commits travel; as bundles on the server if left out. */
  readonly remote?: string;
  /** This machine's, which is compared with the server's. */
  readonly clock?: Pick<Clock, "now">;
  readonly crashPoint?: CrashPoint;
}

export interface SharedStore {
  readonly log: EventLog & RawLog;
  readonly records: Records;
  readonly runtime: Runtime;
  readonly plans: SharedPlans;
  readonly conventions: Conventions;
  /** Commits, as bundles beside the records or by a git remote. */
  readonly travel: Travel;
  readonly offers: Offers;
  describeServer(): Promise<ServerState>;
  close(): Promise<void>;
}

/** Connects, makes what is missing on the server, and opens everything. */
export async function openNatsStore(options: NatsStoreOptions): Promise<SharedStore> {
  const { url, project, root, host, replicas, leaseMs, credentials, tls, crashPoint } = options;
  const { clock = nodeClock } = options;
  const { connection, js, jsm } = await openConnection({
    ...{ url, name: `pairflow ${host}` },
    ...(credentials ? { credentials } : {}),
    ...(tls ? { tls } : {}),
  });
  const patiently = createPatience({ server: url });
  const shared = { project, replicas };
  const maker: StreamMaker = { streams: { add: (config) => ensureStream(jsm, config) } };
  await ensureLogStream(maker, shared).catch(refuseNotReady("The log"));
  await ensurePlaceStream(maker, shared).catch(refuseNotReady("The list of drivers"));
  const [buckets, entries, blobs, offers] = await Promise.all([
    openRecordBuckets(js, shared).catch(refuseNotReady("The bucket of records")),
    openEntries(js, { ...shared, patiently }),
    openBlobs(js, { ...shared, patiently }),
    openOffers({
      ...{ ...shared, connection, js, jsm, leaseMs, patiently },
      listen: (onExpired, signal) => listenForExpired({ js, jsm, project, patiently }, onExpired, signal),
    }),
  ]);
  const git = {
    ...{ processes: createNodeProcesses(), runtimeDir: join(root, ".pairflow", "runtime"), env: process.env },
    ...(crashPoint ? { crashPoint } : {}),
  };
  const marks = createProcessMarks(host);
  const locks = createPidLocks({ folder: join(root, ".pairflow", "locks"), marks });
  const log = createNatsLog({
    ...{ connection, js, jsm, project, patiently },
    ...(crashPoint ? { crashPoint } : {}),
  });
  const records = createNatsRecords({
    ...{ buckets, patiently, local: createFileRecords({ root }), notes: join(root, ".pairflow", "store") },
    lengthsOf: log.listLengths,
    closeLog: log.close,
  });
  return {
    log,
    records,
    runtime: createNatsRuntime({
      ...{ js, jsm, project, leaseMs, patiently, marks },
      local: createFileRuntime({ root, marks, locks }),
    }),
    plans: createSharedPlans({ entries, reader: planReader }),
    conventions: createSharedConventions({ root, entries }),
    travel:
      options.remote === undefined
        ? createBundleTravel({ ...git, blobs })
        : createRemoteTravel({ ...git, remote: options.remote, project }),
    offers,
    describeServer: () =>
      readServerState({ connection, jsm, stream: nameLogSubjects(project).stream, clock }),
    async close() {
      await records.settle();
      await connection.close();
    },
  };
}

const refuseNotReady = (what: string) => (cause: unknown) => {
  throw toNotReady(what, cause);
};

type Env = Readonly<Record<string, string | undefined>>;

/** The store that the settings of a repository name, once somebody has confirmed it, or the command line. */
export async function openRepositoryStore(
  root: string,
  env: Env,
  crashPoint: CrashPoint,
): Promise<SharedStore> {
  const settings = readStoreSettings(root, env);
  await requireConfirmedStore(root, env, settings);
  return connectStore(settings, root, env, crashPoint);
}

/** The same for somebody who has just named the store. */
export async function connectStore(
  { credentials, tls, travel, remote, ...settings }: StoreSettings,
  root: string,
  env: Env,
  crashPoint: CrashPoint,
): Promise<SharedStore> {
  const fileOf = (file: string) => resolveStoreFile(root, file, env.HOME || homedir());
  const key = readCredentials(settings.project, env, credentials && fileOf(credentials));
  const { ca, cert, key: tlsKey } = tls ?? {};
  const files = Object.entries({ caFile: ca, certFile: cert, keyFile: tlsKey });
  const named = files.flatMap(([name, file]) => (file === undefined ? [] : [[name, fileOf(file)] as const]));
  return openNatsStore({
    ...{ ...settings, root, host: readHostId(env), clock: chooseClock(env), crashPoint },
    ...(key ? { credentials: key } : {}),
    ...(tls ? { tls: Object.fromEntries(named) } : {}),
    ...(travel === "remote" ? { remote } : {}),
  });
}

/** The key of this machine or person: the one that is named, or that of the project in the user's folder, if there is one. */
function readCredentials(project: string, env: Env, named: string | undefined): Uint8Array | undefined {
  const told = env.PAIRFLOW_STORE_CREDENTIALS || named;
  const usual = listKeyFiles(project, env).find((file) => existsSync(file));
  if (!told) return usual === undefined ? undefined : readFileSync(usual);
  try {
    return readFileSync(told);
  } catch (cause) {
    const message = `The key of the store cannot be read: ${(cause as Error).message}`;
    throw new Failure("store.no-key", message, { cause, hint: `ls -l ${told}` });
  }
}
