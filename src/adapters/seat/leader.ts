// Telling a turn's own process from the processes it leaves behind. All of them carry the work marker, but an
// orphan that outlives its agent must not be taken for a living turn, so the first process also carries its own pid.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { tryOrLater } from "../../core/model/value/try-or.ts";
import { Failure } from "../../ports/failure.ts";
import type { Processes } from "../../ports/system/process.ts";

/** The command line that runs `argv` in the same pid, with PAIRFLOW_SEAT naming that pid. */
export function wrapSeatCommand(argv: readonly string[]): string[] {
  return ["/bin/sh", "-c", 'export PAIRFLOW_SEAT=$$; exec "$@"', "sh", ...argv];
}

/** How long a process that is just becoming another program is asked again; on a loaded machine that moment is long. */
const patienceMs = 3_000;
const lookEveryMs = 2;

/** Whether `pid` is the first process of a turn; undefined where the system does not show environments. */
async function isSeatHolder(processes: Processes, pid: number): Promise<boolean | undefined> {
  if (!existsSync("/proc/self/environ")) return undefined;
  for (const until = performance.now() + patienceMs; ; await pause(lookEveryMs)) {
    const environment = await findEnvironment(pid);
    if (environment !== "") return environment?.split("\0").includes(`PAIRFLOW_SEAT=${pid}`) ?? false;
    // Wrappers become the program that they wrap: in that moment a living process has no environment.
    if (performance.now() > until || !processes.alive(pid)) return false;
  }
}

/** Undefined for a process that is gone or another user's: in both cases not a turn of ours. */
async function findEnvironment(pid: number): Promise<string | undefined> {
  return tryOrLater(() => readFile(`/proc/${pid}/environ`, "latin1"), undefined);
}

/** The living first process of a piece of work, or undefined when only orphans of it are left. */
export async function findLeader(processes: Processes, work: string): Promise<number | undefined> {
  const pids = (await processes.find(work)).map((found) => found.pid).sort((a, b) => a - b);
  for (const pid of pids) {
    if ((await isSeatHolder(processes, pid)) !== false) return pid;
  }
  return undefined;
}

/** Whether the turn that was given this pid still runs; a pid that another program has taken over does not count. */
export async function isSeated(processes: Processes, pid: number): Promise<boolean> {
  return processes.alive(pid) && (await isSeatHolder(processes, pid)) !== false;
}

/** Returns when the program of `pid` itself runs, or has run: before that nobody could find it as the turn. */
export async function waitUntilSeated(processes: Processes, pid: number): Promise<void> {
  for (const end = performance.now() + 5_000; performance.now() < end; await pause(5)) {
    if ((await isSeatHolder(processes, pid)) !== false || !processes.alive(pid)) return;
  }
  throw new Failure("seat.not-started", `Process ${pid} did not come to run its program in five seconds.`, {
    retryable: true,
  });
}

/** Returns when the turn of this pid runs no more; how it ended only its parent knows. */
export async function waitUntilGone(
  processes: Processes,
  pid: number,
  signal: AbortSignal,
): Promise<undefined> {
  while (!signal.aborted && (await isSeated(processes, pid)))
    await pause(100, undefined, { signal }).catch(() => undefined);
  return undefined;
}
