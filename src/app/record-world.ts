// The light half of the composition: what reading and the agent verbs need. Kept apart because every agent turn
// pays for loading it.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeChance, nodeClock, nodeHash } from "../adapters/clock/node.ts";
import { pidLocks } from "../adapters/lock/pid.ts";
import { processMarks } from "../adapters/lock/process-marks.ts";
import { fileLog } from "../adapters/log/file.ts";
import { fileRecords } from "../adapters/records/file.ts";
import { redactedRecords } from "../adapters/records/redacted.ts";
import { fileRuntime } from "../adapters/runtime/file.ts";
import type { RecordWorld } from "../engine/world.ts";
import type { Clock } from "../ports/clock.ts";
import type { CrashPoint } from "../ports/crash-point.ts";
import type { Trees } from "../ports/trees.ts";
import { knownSecrets } from "./secrets/known.ts";

export function recordWorld(repo: string): RecordWorld {
  const crashPoint = crashPointFrom(process.env);
  const marks = processMarks();
  const secrets = knownSecrets(repo, process.env);
  const locks = pidLocks({ folder: join(repo, ".pairflow", "locks"), marks });
  return {
    log: fileLog({ root: repo, locks, crashPoint }),
    records: redactedRecords(fileRecords({ root: repo, crashPoint }), secrets.redact),
    runtime: fileRuntime({ root: repo, locks, marks, crashPoint }),
    trees: {
      read: (...asked) => lazyTrees().then((trees) => trees.read(...asked)),
      hashes: (...asked) => lazyTrees().then((trees) => trees.hashes(...asked)),
    },
    clock: clockFrom(process.env),
    chance: nodeChance,
    hash: nodeHash,
    redaction: secrets,
    crashPoint,
  };
}

/** Loaded by the first review that cites something; most verbs get by without. */
async function lazyTrees(): Promise<Trees> {
  const [{ gitTrees }, { nodeProcesses }] = await Promise.all([
    import("../adapters/trees/git.ts"),
    import("../adapters/process/node.ts"),
  ]);
  return gitTrees({ processes: nodeProcesses() });
}

/**
 * Fault campaigns set a file in which every crash point of every process is counted, and the number to die at (or to
 * be paused at, by another signal). Whoever first sees that number reached leaves the point's name in `<file>.killed`.
 */
function crashPointFrom(env: NodeJS.ProcessEnv): CrashPoint {
  const file = env.PAIRFLOW_CRASH_FILE;
  const at = Number(env.PAIRFLOW_CRASH_AT ?? 0);
  const signal = env.PAIRFLOW_CRASH_SIGNAL ?? "SIGKILL";
  if (!file) return () => {};
  return (name) => {
    appendFileSync(file, `${name}\n`);
    const isReached = at > 0 && readFileSync(file, "utf8").split("\n").length > at;
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

/** Tests may shift the clock by a number of milliseconds kept in a file. */
function clockFrom(env: NodeJS.ProcessEnv): Clock {
  const file = env.PAIRFLOW_CLOCK_SHIFT_FILE;
  if (!file) return nodeClock;
  const shift = () => {
    try {
      return Number(readFileSync(file, "utf8"));
    } catch {
      return 0;
    }
  };
  return { ...nodeClock, now: () => new Date(Date.now() + shift()).toISOString() };
}
