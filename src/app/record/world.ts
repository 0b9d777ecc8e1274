// The light half of the composition: what reading and the agent verbs need. Kept apart because every agent turn
// pays for loading it.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeChance, nodeHash } from "../../adapters/clock/node.ts";
import { createPidLocks } from "../../adapters/lock/pid.ts";
import { createProcessMarks } from "../../adapters/lock/process-marks.ts";
import { createFileLog } from "../../adapters/log/file.ts";
import { nodeSignatures } from "../../adapters/proof/node.ts";
import { createFileRecords } from "../../adapters/records/file.ts";
import { createRedactedRecords } from "../../adapters/records/redacted.ts";
import { createFileRuntime } from "../../adapters/runtime/file.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import type { CrashPoint } from "../../ports/crash-point.ts";
import type { EventLog } from "../../ports/record/log.ts";
import type { RawLog } from "../../ports/record/raw-log.ts";
import type { Trees } from "../../ports/record/trees.ts";
import { chooseClock } from "../host/shared/clock.ts";
import { isStoreShared } from "../host/shared/store-choice.ts";
import { createRedactionOfRepo } from "../secrets/redaction.ts";
import { createSharedPorts, type SharedPorts } from "../store/shared.ts";

export function createRecordWorld(repo: string): RecordWorld {
  return openRecordWorld(repo).world;
}

export interface OpenedWorld {
  readonly world: RecordWorld;
  /** The same log, line by line as it is stored. */
  readonly raw: RawLog;
  /** The server that several machines share, where the settings name one. */
  readonly shared: SharedPorts | undefined;
}

/** The same, with what is beside the records on a server. The one place that chooses where they are. */
export function openRecordWorld(repo: string): OpenedWorld {
  const crashPoint = crashPointFrom(process.env);
  const secrets = createRedactionOfRepo(repo, process.env);
  const shared = isStoreShared(repo) ? createSharedPorts(repo, process.env, crashPoint) : undefined;
  const { log, records, runtime } = shared ?? openFiles(repo, crashPoint);
  const world: RecordWorld = {
    log,
    records: createRedactedRecords(records, secrets.redact),
    runtime,
    ...(shared ? { travel: shared.travel } : {}),
    trees: createLateTrees(repo),
    clock: chooseClock(process.env),
    chance: nodeChance,
    hash: nodeHash,
    signatures: nodeSignatures,
    redaction: secrets,
    crashPoint,
  };
  return { world, raw: log, shared };
}

function openFiles(
  repo: string,
  crashPoint: CrashPoint,
): Pick<RecordWorld, "records" | "runtime"> & { readonly log: EventLog & RawLog } {
  const marks = createProcessMarks();
  const locks = createPidLocks({ folder: join(repo, ".pairflow", "locks"), marks });
  return {
    log: createFileLog({ root: repo, locks, crashPoint }),
    records: createFileRecords({ root: repo, crashPoint }),
    runtime: createFileRuntime({ root: repo, locks, marks, crashPoint }),
  };
}

/** Loaded by the first review that cites something; most verbs get by without. */
function createLateTrees(repo: string): Trees {
  let loaded: Promise<Trees> | undefined;
  const load = () => {
    loaded ??= loadTrees(repo);
    return loaded;
  };
  return {
    read: async (...asked) => (await load()).read(...asked),
    paths: async (...asked) => (await load()).paths(...asked),
    hashes: async (...asked) => (await load()).hashes(...asked),
  };
}

async function loadTrees(repo: string): Promise<Trees> {
  const [{ createGitTrees: gitTrees }, { exec, execWaiting }] = await Promise.all([
    import("../../adapters/trees/git.ts"),
    import("../../adapters/process/exec.ts"),
  ]);
  // What speaks for a turn has nothing else to do while git reads.
  const isVerb = process.env.PAIRFLOW_TURN !== undefined;
  return gitTrees({ processes: { exec: isVerb ? execWaiting : exec }, repo });
}

/**
 * Fault campaigns set a file in which every crash point of every process is counted, and the number or the name to
 * die at (or to be paused at, by another signal). The first process that reaches it leaves the point's name in `<file>.killed`.
 */
function crashPointFrom(env: NodeJS.ProcessEnv): CrashPoint {
  const file = env.PAIRFLOW_CRASH_FILE;
  const at = env.PAIRFLOW_CRASH_AT ?? "0";
  const signal = env.PAIRFLOW_CRASH_SIGNAL ?? "SIGKILL";
  if (!file) return () => {};
  return (name) => {
    appendFileSync(file, `${name}\n`);
    const isReached =
      name === at || (Number(at) > 0 && readFileSync(file, "utf8").split("\n").length > Number(at));
    if (isReached && isFirstWith(`${file}.killed`, name)) process.kill(process.pid, signal);
  };
}

function isFirstWith(file: string, name: string): boolean {
  try {
    writeFileSync(file, name, { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}
