// Processes on Node's own child_process: the only place of the project that starts programs.
import type { ChildProcess } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { countContinuationBytes } from "../../core/model/value/sizes.ts";
import { Failure } from "../../ports/failure.ts";
import type { Processes, RunResult, RunSpec } from "../../ports/system/process.ts";
import { createBoundedOutput } from "./bounded-output.ts";
import { endAll } from "./end.ts";
import { exec } from "./exec.ts";
import { startProcess } from "./start.ts";
import { isAlive, listWorkers } from "./table.ts";

/** Processes of this machine; keeps nothing in memory that a restarted caller would miss. */
export function createNodeProcesses(): Processes {
  return {
    exec,
    run,
    spawn: async (spec) => {
      const { child, pid } = await startProcess(spec);
      child.unref();
      const exited = new Promise<number>((resolve) =>
        child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))),
      );
      return { pid, exited };
    },
    async pipe(path) {
      if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) return;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const made = await exec(["mkfifo", "-m", "600", path]);
      if (made.code !== 0) throw new Failure("process.no-pipe", `cannot make ${path}: ${made.stderr.trim()}`);
    },
    find: async (work) =>
      listWorkers(work)
        .filter((one) => one.pid !== process.pid)
        .map((one) => ({ pid: one.pid, work: one.work ?? work })),
    alive: isAlive,
    end: (work) => endAll({ work }),
  };
}

/** Runs a shell command to its end, its time limit or the caller's abort; the latter two end its whole group. */
async function run(spec: RunSpec): Promise<RunResult> {
  const startedAt = performance.now();
  const result = (status: RunResult["status"], exitCode: number | null): RunResult => ({
    status,
    exitCode,
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (spec.signal?.aborted) return result("aborted", null);
  const outputFrom = statSync(spec.output, { throwIfNoEntry: false })?.size ?? 0;
  const bounded = await createBoundedOutput(spec.output);
  const argv = [...(spec.prefix ?? []), "/bin/sh", "-c", spec.command];
  const starting = startProcess({ ...spec, argv, ...(bounded ? { sink: bounded.sink } : {}) });
  const { child, pid } = await starting.finally(() => bounded?.handedOver());
  const ending = await race(child, spec);
  if (typeof ending === "string") {
    await endAll({ work: spec.work, group: pid });
    await bounded?.settled();
    return result(ending, null);
  }
  await bounded?.settled();
  const missing = ending.code === 127 && isWordMissing(spec.command, readTail(spec.output, outputFrom));
  const ended = result(missing ? "not-found" : "exited", ending.code);
  return ending.signal === null ? ended : { ...ended, signal: ending.signal };
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Whichever comes first. A death by signal has the code null and the signal's name. */
function race(child: ChildProcess, spec: RunSpec): Promise<"timeout" | "aborted" | End> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => settle("timeout"), spec.timeoutMs);
    const aborted = () => settle("aborted");
    const settle = (ending: Parameters<typeof resolve>[0]) => {
      clearTimeout(limit);
      spec.signal?.removeEventListener("abort", aborted);
      resolve(ending);
    };
    spec.signal?.addEventListener("abort", aborted);
    child.once("exit", (code, signal) => settle({ code, signal }));
    // The caller may have given up while the command was being started, which no listener hears of any more.
    if (spec.signal?.aborted) aborted();
  });
}

/**
 * Whether the shell itself could not find a word of this command. A tool that is missing deeper down, inside
 * a script of the project, is that script's failure.
 */
export function isWordMissing(command: string, output: string): boolean {
  const complaints = output.matchAll(/^\S*sh: (?:(?:line )?\d+: )?(.+?): (?:command )?not found$/gm);
  const words = command.split(/[\s;&|()]+/).map((word) => word.replace(/^["']|["']$/g, ""));
  return [...complaints].some(([, word]) => word !== undefined && words.includes(word));
}

/** The last 4 kB this run wrote. */
function readTail(file: string, from: number): string {
  const fd = openSync(file, "r");
  try {
    const end = fstatSync(fd).size;
    // A file that is shorter than before was cut, and what is left of its end is this run's.
    const tail = Buffer.alloc(Math.min(4096, end < from ? end : end - from));
    readSync(fd, tail, 0, tail.length, end - tail.length);
    return tail.toString("utf8", tail.length < end - from ? countContinuationBytes(tail) : 0);
  } catch (cause) {
    throw new Failure("process.no-output", `cannot read ${file}`, { cause });
  } finally {
    closeSync(fd);
  }
}
