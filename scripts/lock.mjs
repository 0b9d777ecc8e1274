// A lock between processes of one machine: a folder (mkdir is atomic) that names its holder's process.
// It is apart from setup because the folder outlives a killed holder, and taking it over needs care.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const GIVE_UP_MS = 10 * 60_000;
const UNNAMED_MS = 5_000;
const POLL_MS = 100;

/** Runs the work while holding the lock; waits for a living holder, takes over from a dead one. */
export function runWithLock(folder, say, work) {
  acquire(folder, say);
  const release = () => {
    if (holder(folder) === process.pid) rmSync(folder, { recursive: true, force: true });
  };
  // The work may end the process, so the release hangs on the exit too.
  process.once("exit", release);
  work();
  release();
}

function acquire(folder, say) {
  const deadline = Date.now() + GIVE_UP_MS;
  let announced = false;
  while (!take(folder)) {
    if (Date.now() > deadline) throw new Error(`${folder} is still held; delete it if nothing is running.`);
    if (discardStale(folder)) continue;
    if (!announced) say("Another process is doing this already; waiting for it.");
    announced = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(folder, "pid"), String(process.pid));
  return true;
}

// Renaming is what makes one of several waiters the one that discards. If the folder was taken afresh between
// the look and the rename, the name inside tells, and it goes back.
function discardStale(folder) {
  const seen = holder(folder);
  if (seen === undefined ? ageMs(folder) < UNNAMED_MS : isAlive(seen)) return false;
  const aside = `${folder}-${process.pid}`;
  try {
    renameSync(folder, aside);
  } catch {
    return true; // someone else discarded it first
  }
  if (holder(aside) !== seen) renameSync(aside, folder);
  else rmSync(aside, { recursive: true, force: true });
  return true;
}

function holder(folder) {
  try {
    return Number(readFileSync(join(folder, "pid"), "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

function ageMs(folder) {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : Number.POSITIVE_INFINITY;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
