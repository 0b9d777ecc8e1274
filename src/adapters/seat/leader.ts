// Telling a turn's own process from the processes it leaves behind. All of them carry the work marker, but an
// orphan that outlives its agent must not be taken for a living turn, so the first process also carries its own pid.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../ports/failure.ts";
import type { Processes } from "../../ports/process.ts";

/** The command line that runs `argv` in the same pid, with PAIRFLOW_SEAT naming that pid. */
export function seated(argv: readonly string[]): string[] {
  return ["/bin/sh", "-c", 'export PAIRFLOW_SEAT=$$; exec "$@"', "sh", ...argv];
}

/** Whether `pid` is the first process of a turn; undefined where the system does not show environments. */
export async function holdsSeat(pid: number): Promise<boolean | undefined> {
  if (!existsSync("/proc/self/environ")) return undefined;
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    return environment.split("\0").includes(`PAIRFLOW_SEAT=${pid}`);
  } catch {
    // Gone, or another user's: in both cases not a turn of ours.
    return false;
  }
}

/** The living first process of a piece of work, or undefined when only orphans of it are left. */
export async function leaderOf(processes: Processes, work: string): Promise<number | undefined> {
  const pids = (await processes.find(work)).map((found) => found.pid).sort((a, b) => a - b);
  for (const pid of pids) {
    if ((await holdsSeat(pid)) !== false) return pid;
  }
  return undefined;
}

/** Whether the turn that was given this pid still runs; a pid that another program has taken over does not count. */
export async function isSeated(processes: Processes, pid: number): Promise<boolean> {
  return processes.alive(pid) && (await holdsSeat(pid)) !== false;
}

/** Returns when the program of `pid` itself runs, or has run: before that nobody could find it as the turn. */
export async function untilSeated(processes: Processes, pid: number): Promise<void> {
  for (let left = 1_000; left > 0; left -= 1) {
    if ((await holdsSeat(pid)) !== false || !processes.alive(pid)) return;
    await pause(5);
  }
  throw new Failure("seat.not-started", `Process ${pid} did not come to run its program in five seconds.`, {
    retryable: true,
  });
}

/** Returns when the turn of this pid runs no more; how it ended only its parent knows. */
export async function untilGone(processes: Processes, pid: number, signal: AbortSignal): Promise<undefined> {
  while (!signal.aborted && (await isSeated(processes, pid)))
    await pause(100, undefined, { signal }).catch(() => undefined);
  return undefined;
}
