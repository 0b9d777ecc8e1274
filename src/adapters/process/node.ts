// Processes on Node's own child_process: the only place of the project that starts programs.
import type { ChildProcess } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../ports/failure.ts";
import type { Processes, RunResult, RunSpec } from "../../ports/process.ts";
import { endAll } from "./end.ts";
import { exec } from "./exec.ts";
import { start } from "./start.ts";
import { isAlive, workersFor } from "./table.ts";

/** Processes of this machine; keeps nothing in memory that a restarted caller would miss. */
export function nodeProcesses(): Processes {
  return {
    exec,
    run,
    spawn: async (spec) => {
      const { child, pid } = await start(spec);
      child.unref();
      return { pid, exited: new Promise((resolve) => child.once("exit", (code) => resolve(code))) };
    },
    async pipe(path) {
      if (statSync(path, { throwIfNoEntry: false })?.isFIFO()) return;
      mkdirSync(dirname(path), { recursive: true });
      const made = await exec(["mkfifo", "-m", "600", path]);
      if (made.code !== 0) throw new Failure("process.no-pipe", `cannot make ${path}: ${made.stderr.trim()}`);
    },
    find: async (work) =>
      workersFor(work)
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
  const outputFrom = sizeOf(spec.output);
  const { child, pid } = await start({ ...spec, argv: ["/bin/sh", "-c", spec.command] });
  const ending = await race(child, spec);
  if (typeof ending === "string") {
    await endAll({ work: spec.work, group: pid });
    return result(ending, null);
  }
  const missing = ending.code === 127 && isWordMissing(spec.command, tailOf(spec.output, outputFrom));
  return result(missing ? "not-found" : "exited", ending.code);
}

/** Whichever comes first. A death by signal has the code null. */
function race(child: ChildProcess, spec: RunSpec): Promise<"timeout" | "aborted" | { code: number | null }> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => settle("timeout"), spec.timeoutMs);
    const aborted = () => settle("aborted");
    const settle = (ending: Parameters<typeof resolve>[0]) => {
      clearTimeout(limit);
      spec.signal?.removeEventListener("abort", aborted);
      resolve(ending);
    };
    spec.signal?.addEventListener("abort", aborted);
    child.once("exit", (code) => settle({ code }));
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

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last 4 kB this run wrote. */
function tailOf(file: string, from: number): string {
  const fd = openSync(file, "r");
  try {
    const end = fstatSync(fd).size;
    const tail = Buffer.alloc(Math.min(4096, Math.max(0, end - from)));
    readSync(fd, tail, 0, tail.length, end - tail.length);
    return tail.toString("utf8");
  } catch (cause) {
    throw new Failure("process.no-output", `cannot read ${file}`, { cause });
  } finally {
    closeSync(fd);
  }
}
