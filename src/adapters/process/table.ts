// Which processes exist and which of them belong to a piece of work. The marker in a process's environment
// is the only link that survives a dead parent, so it is read from the system and never remembered.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The variable every process of a piece of work carries. */
export const marker = "PAIRFLOW_WORK";

export interface Listed {
  readonly pid: number;
  readonly group: number;
  /** The value of the marker, when the process carries one and we may look. */
  readonly work: string | undefined;
}

const hasProc = existsSync("/proc/self/environ");

/** Whether a process works for this: its exact marker or, for a name that ends in `*`, any marker that begins so. */
export function worksFor(name: string, { work }: Listed): boolean {
  if (work === undefined) return false;
  return name.endsWith("*") ? work.startsWith(name.slice(0, -1)) : work === name;
}

/** Every living process, zombies left out: they hold nothing and no signal ends them. */
export function listProcesses(): Listed[] {
  if (!hasProc) return listByPs();
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => readProc(Number(pid))).filter((found) => found !== undefined);
}

/** Whether this process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  if (hasProc) return readStat(pid) !== undefined;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function readProc(pid: number): Listed | undefined {
  const group = readStat(pid);
  return group === undefined ? undefined : { pid, group, work: readMarker(pid) };
}

/** The process group, or undefined for a process that is gone or a zombie. */
function readStat(pid: number): number | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  // The name stands in parentheses and may hold anything, so fields count from the last one on.
  const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" || state === "Z" || state === "X" ? undefined : Number(group);
}

function readMarker(pid: number): string | undefined {
  const found = `\0${readQuietly(`/proc/${pid}/environ`)}`.split(`\0${marker}=`)[1];
  return found?.split("\0")[0];
}

/** Empty for a process that ended meanwhile or belongs to somebody else: neither is ours to judge. */
function readQuietly(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Where there is no /proc: `ps` appends the environment to the command line. */
function listByPs(): Listed[] {
  const text = execFileSync("ps", ["axeww", "-o", "pid=,pgid=,stat=,command="], { encoding: "utf8" });
  return parsePs(text);
}

/** Reads lines of `pid group state command-and-environment`. */
export function parsePs(text: string): Listed[] {
  const rows = text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s?(.*)$/gm);
  return [...rows]
    .filter(([, , , state]) => !state?.startsWith("Z"))
    .map(([, pid, group, , command]) => ({
      pid: Number(pid),
      group: Number(group),
      work: command?.match(/(?:^| )PAIRFLOW_WORK=(\S*)/)?.[1],
    }));
}
