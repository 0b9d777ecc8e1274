// The end of a process as `kill -9` brings it. On a loaded machine it ends a moment after the signal was sent.
import { setTimeout as sleep } from "node:timers/promises";
import { createProcessMarks } from "../../src/adapters/lock/process-marks.ts";

/** Kills a process and waits until it is gone. */
export async function killProcess(pid: number): Promise<void> {
  const marks = createProcessMarks();
  const mark = marks.of(pid);
  process.kill(pid, "SIGKILL");
  while (marks.alive(mark)) await sleep(5);
}
