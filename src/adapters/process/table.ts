// Which processes exist and which of them belong to a piece of work. The marker in a process's environment
// is the only link that survives a dead parent, so it is read from the system and never remembered.
import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { uptime } from "node:os";

/** The variable every process of a piece of work carries. */
export const marker = "PAIRFLOW_WORK";

export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  /** The value of the marker, when the process carries one and we may look. */
  readonly work: string | undefined;
}

const hasProc = existsSync("/proc/self/environ");
/** One for all reads: a look at the table makes hundreds. It begins with the zero byte that stands before a variable. */
let room = Buffer.alloc(64 * 1024);
/** How long a look at the table waits in all for processes that are becoming another program … */
const becomingMs = 1_000;
/** … and for young ones that only lack an environment: some have none on purpose. */
const youngMs = 50;
const youngSeconds = 5;
const ticksPerSecond = 100;
const kernelThread = 0x0020_0000;
const still = new Int32Array(new SharedArrayBuffer(4));
const beforeMarker = Buffer.from(`\0${marker}=`);

/** Whether a process works for this: its exact marker or, for a name that ends in `*`, any marker that begins so. */
export function isWorkingFor(name: string, { work }: ProcessEntry): boolean {
  if (work === undefined) return false;
  return name.endsWith("*") ? work.startsWith(name.slice(0, -1)) : work === name;
}

/** The living processes that work for this. */
export function listWorkers(name: string): ProcessEntry[] {
  if (!hasProc) return listByPs().filter((one) => isWorkingFor(name, one));
  const began = performance.now();
  return listPids().flatMap((pid) => {
    const work = readMarker(pid, began);
    if (!isWorkingFor(name, { pid, group: 0, work })) return [];
    const group = readStat(pid);
    return group === undefined ? [] : [{ pid, group, work }];
  });
}

/**
 * Every living process, zombies left out: they hold nothing and no signal ends them. Of markers only those of
 * `workers` are known: reading the environments of all is what costs most, and the caller has just done so.
 */
export function listProcesses(workers: readonly ProcessEntry[]): ProcessEntry[] {
  if (!hasProc) return listByPs();
  const works = new Map(workers.map(({ pid, work }) => [pid, work]));
  return listPids().flatMap((pid) => {
    const group = readStat(pid);
    return group === undefined ? [] : [{ pid, group, work: works.get(pid) }];
  });
}

function listPids(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
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

/** The process group, or undefined for a process that is gone or a zombie. */
function readStat(pid: number): number | undefined {
  const [state = "", , group] = listStatFields(pid);
  return ["", "Z", "X"].includes(state) ? undefined : Number(group);
}

/** What the system says of a process, from its state on: its name before that stands in parentheses and may hold anything. */
function listStatFields(pid: number): string[] {
  const end = 1 + (readInto(`/proc/${pid}/stat`) ?? 0);
  const stat = room.toString("latin1", 1, end);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/**
 * How long a process without an environment is worth waiting for: not at all if it is dead or the kernel's own; long if it
 * has no command line either, for then it is just becoming another program, however old it is; shortly if it is young.
 */
function findPatienceFor(pid: number): number | undefined {
  const [state = "", ...fields] = listStatFields(pid);
  const [flags, startedAt] = [Number(fields[5]), Number(fields[18]) / ticksPerSecond];
  if (["", "Z", "X"].includes(state) || (flags & kernelThread) !== 0) return undefined;
  if (readInto(`/proc/${pid}/cmdline`) === 0) return becomingMs;
  return uptime() - startedAt < youngSeconds ? youngMs : 0;
}

/** A process that is just becoming another program has no environment for a moment; it is asked again. */
function readMarker(pid: number, began: number): string | undefined {
  let length = readInto(`/proc/${pid}/environ`);
  while (length === 0) {
    const patience = findPatienceFor(pid);
    if (patience === undefined) return undefined;
    // Once more in any case: it may have got one while it was looked at.
    length = readInto(`/proc/${pid}/environ`);
    if (length !== 0 || performance.now() - began >= patience) break;
    Atomics.wait(still, 0, 0, 0.5);
  }
  const end = 1 + (length ?? 0);
  const at = room.subarray(0, end).indexOf(beforeMarker);
  if (at === -1) return undefined;
  const from = at + beforeMarker.length;
  const to = room.subarray(0, end).indexOf(0, from);
  return room.toString("utf8", from, to === -1 ? end : to);
}

/** Reads a file into the room behind its first byte; undefined for a process that is gone or somebody else's: neither is ours to judge. */
function readInto(file: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    for (let length = 0; ; ) {
      if (length + 1 === room.length) room = Buffer.concat([room, Buffer.alloc(room.length)]);
      const count = readSync(fd, room, length + 1, room.length - length - 1, null);
      if (count === 0) return length;
      length += count;
    }
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Where there is no /proc: `ps` appends the environment to the command line. */
function listByPs(): ProcessEntry[] {
  const text = execFileSync("ps", ["axeww", "-o", "pid=,pgid=,stat=,command="], { encoding: "utf8" });
  return parsePs(text);
}

/** Reads lines of `pid group state command-and-environment`. */
export function parsePs(text: string): ProcessEntry[] {
  const rows = text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s?(.*)$/gm);
  return [...rows]
    .filter(([, , , state]) => !state?.startsWith("Z"))
    .map(([, pid, group, , command]) => ({
      pid: Number(pid),
      group: Number(group),
      work: command?.match(/(?:^| )PAIRFLOW_WORK=(\S*)/)?.[1],
    }));
}
