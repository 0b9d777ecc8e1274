// The ports over a server, as every command of a repository uses them. Connecting waits for the first use: most of what a command
// makes of its world it never touches, and an agent's verb must not connect at all.
import { join } from "node:path";
import { createPidLocks } from "../../adapters/lock/pid.ts";
import { createProcessMarks } from "../../adapters/lock/process-marks.ts";
import { parseStreamHead } from "../../adapters/log/nats/place.ts";
import type { SharedPlans } from "../../adapters/plans/shared.ts";
import { createFileRecords } from "../../adapters/records/file.ts";
import { createFileRuntime } from "../../adapters/runtime/file.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import { Failure } from "../../ports/failure.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import type { EventLog } from "../../ports/record/log.ts";
import type { Offers } from "../../ports/record/offers.ts";
import type { RawLog } from "../../ports/record/raw-log.ts";
import type { Records, Runtime } from "../../ports/record/records.ts";
import type { Travel } from "../../ports/record/travel.ts";
import type { SharedStore } from "./nats-store.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface SharedPorts {
  readonly log: EventLog & RawLog;
  readonly records: Records;
  readonly runtime: Runtime;
  readonly offers: Offers;
  readonly travel: Travel;
  readonly plans: SharedPlans;
  readonly conventions: Conventions;
  /** Everything else of the store. */
  open(): Promise<SharedStore>;
}

/** One connection a repository: worlds are made again and again in one process. */
const opened = new Map<string, Promise<SharedStore>>();

/** Ends all connections, so that the process can end. */
export async function closeStores(): Promise<void> {
  const stores = [...opened.values()];
  opened.clear();
  for (const store of await Promise.allSettled(stores))
    if (store.status === "fulfilled") await store.value.close();
}

export function createSharedPorts(repo: string, env: Env, crashPoint: CrashPoint): SharedPorts {
  let store: SharedStore | undefined;
  const open = async (): Promise<SharedStore> => {
    if (env.PAIRFLOW_TURN) throw refuseAgent();
    const known = opened.get(repo) ?? connect(repo, env, crashPoint);
    opened.set(repo, known);
    store = await known;
    return store;
  };
  const forward = <T>(pick: (store: SharedStore) => T) => createForwarder(async () => pick(await open()));
  return {
    open,
    log: createLog(open),
    records: {
      ...forward(({ records }) => records)(recordMethods),
      path: createFileRecords({ root: repo }).path,
      pace: (everyMs) => store?.records.pace?.(everyMs),
    },
    runtime: {
      ...forward(({ runtime }) => runtime)(placeMethods),
      ...pickLocal(repo),
      get leaseMs() {
        return store?.runtime.leaseMs;
      },
    } as Runtime,
    offers: forward(({ offers }) => offers)(offerMethods),
    travel: forward(({ travel }) => travel)(travelMethods),
    plans: forward(({ plans }) => plans)(planMethods),
    conventions: forward(({ conventions }) => conventions)(["read", "change"]) as Conventions,
  };
}

/** A connection that was not made is tried again by the next one who asks. */
async function connect(repo: string, env: Env, crashPoint: CrashPoint): Promise<SharedStore> {
  try {
    const { openRepositoryStore } = await import("./nats-store.ts");
    return await openRepositoryStore(repo, env, crashPoint);
  } catch (error) {
    opened.delete(repo);
    throw error;
  }
}

const recordMethods = [
  ...[
    "load",
    "save",
    "summaries",
    "exists",
    "create",
    "archive",
    "put",
    "get",
    "names",
    "hash",
    "view",
    "here",
  ],
  ...["readConfig", "writeConfig"],
] as const;
const placeMethods = ["claim", "beat", "living", "listLiving", "release", "forget"] as const;
const planMethods = [
  ...["list", "read", "save", "replace"],
  ...["readTasks", "saveTasks", "amend", "amendments"],
] as const;
const travelMethods = ["publish", "fetch", "fetchBase", "sendWantedBase", "listSent", "takeBack"] as const;
const offerMethods = ["want", "take", "listen", "announce", "withdraw", "hosts"] as const;

/** Methods that answer later: each asks for its port first. */
function createForwarder<T>(port: () => Promise<T>) {
  type Method = (...given: readonly unknown[]) => Promise<unknown>;
  return <K extends string>(names: readonly K[]) => {
    const forward =
      (name: K): Method =>
      async (...given) => {
        const target = (await port()) as Readonly<Record<K, Method>>;
        return target[name](...given);
      };
    return Object.fromEntries(names.map((name) => [name, forward(name)])) as never as Pick<T, K & keyof T> &
      T;
  };
}

function createLog(open: () => Promise<SharedStore>): EventLog & RawLog {
  return {
    append: async (...given) => (await open()).log.append(...given),
    async *read(...given) {
      yield* (await open()).log.read(...given);
    },
    appendRaw: async (...given) => (await open()).log.appendRaw(...given),
    async *readRaw(...given) {
      yield* (await open()).log.readRaw(...given);
    },
    async *subscribe(...given) {
      yield* (await open()).log.subscribe(...given);
    },
    hashOf: (head) => parseStreamHead(head)?.hash ?? "",
  };
}

/** Signs of life and notes of hooks stay on this machine, and need no server. */
function pickLocal(repo: string): Pick<Runtime, "sign" | "lastSign" | "note" | "noted"> {
  const marks = createProcessMarks();
  const locks = createPidLocks({ folder: join(repo, ".pairflow", "locks"), marks });
  const { sign, lastSign, note, noted } = createFileRuntime({ root: repo, marks, locks });
  return { sign, lastSign, note, noted };
}

const refuseAgent = () =>
  new Failure("store.not-for-agents", "The records are on a server, which agents do not reach.", {
    hint: "What your turn needs is in its prompt; end the turn with pairflow pass, converged or ask-human.",
  });
