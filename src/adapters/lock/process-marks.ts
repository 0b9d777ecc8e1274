// Tells a living process from a dead one whose pid was given away again. Apart from the lock because the
// driver's place is decided by the same question.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { ProcessMark, ProcessMarks } from "../../ports/system/lock.ts";

const GONE = "gone";

/** Marks by pid and, where there is a /proc, the process's start time. */
export function createProcessMarks(host = hostname()): ProcessMarks {
  let own: ProcessMark | undefined;
  const of = (pid: number): ProcessMark => {
    const started = readStartTime(pid);
    return { pid, started: started === GONE ? "" : started, host };
  };
  return {
    of(pid) {
      if (pid !== process.pid) return of(pid);
      own ??= of(pid);
      return own;
    },
    alive(mark) {
      if (mark.host !== host) return undefined;
      const started = readStartTime(mark.pid);
      if (started === GONE) return false;
      // On a system with start times a mark without one was made when its process had already gone.
      return started === mark.started;
    },
  };
}

/** Field 22 of /proc/<pid>/stat; "" where only the pid can be asked; GONE for no process or a zombie. */
function readStartTime(pid: number): string {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return process.platform === "linux" || !answers(pid) ? GONE : "";
  }
  // The command name stands in brackets and may hold anything, so fields count from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return GONE;
  return fields[19] ?? "";
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
