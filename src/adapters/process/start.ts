// Starting a process that needs nothing of its parent: its own group, output into a file, input from a file.
// With pipes the answer of a finished agent would be lost when the driver dies.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../ports/failure.ts";
import { marker } from "./table.ts";

export interface Start {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly output: string;
  /** An open file that takes the output instead. */
  readonly sink?: number;
  readonly work: string;
  /** A text to read, or a named pipe that stays open although nobody writes. */
  readonly stdin?: string | { readonly pipe: string };
  /** Where standard error goes; into `output` if left out. */
  readonly errors?: string;
}

export interface StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
}

/** Resolves once the program runs. Throws Failure `process.not-found`, `process.no-folder` or `process.no-output`. */
export async function startProcess(what: Start): Promise<StartedProcess> {
  const output = what.sink ?? open(what.output, "a", 0o600);
  const errors = what.errors === undefined ? output : open(what.errors, "a", 0o600);
  const input = what.stdin === undefined ? "ignore" : openInput(what.output, what.stdin);
  try {
    const [program = "", ...args] = what.argv;
    const child = spawn(program, args, {
      cwd: what.cwd,
      env: { ...what.env, [marker]: what.work },
      stdio: [input, output, errors],
      detached: true,
    });
    return await awaitSpawn(child, what);
  } finally {
    if (what.sink === undefined) closeSync(output);
    if (errors !== output) closeSync(errors);
    if (input !== "ignore") closeSync(input);
  }
}

function awaitSpawn(child: ChildProcess, what: Start): Promise<StartedProcess> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve({ child, pid: child.pid ?? 0 }));
    child.once("error", (error) => reject(toStartFailure(error, what.argv, what.cwd)));
  });
}

/** Says which of the two is missing, program or folder: Node reports both as ENOENT. */
export function toStartFailure(error: Error, argv: readonly string[], cwd: string | undefined): Failure {
  if (cwd !== undefined && !existsSync(cwd))
    return new Failure("process.no-folder", `cannot run ${argv[0]} in ${cwd}: there is no such folder`, {
      cause: error,
    });
  const code =
    (error as NodeJS.ErrnoException).code === "ENOENT" ? "process.not-found" : "process.not-started";
  return new Failure(code, `cannot run ${argv[0]}: ${error.message}`, {
    cause: error,
    hint: `command -v ${argv[0]}`,
  });
}

/**
 * The text as an already unlinked file: readable after the caller is gone, and nothing to clean up. A pipe is opened for
 * both directions: its reader then never meets the end, whichever of its writers dies.
 */
function openInput(output: string, given: NonNullable<Start["stdin"]>): number {
  if (typeof given === "object") return open(given.pipe, "r+", 0o600);
  const text = given;
  const file = `${output}.${process.pid}.stdin`;
  const fd = open(file, "w+", 0o600);
  writeFileSync(file, text);
  rmSync(file);
  return fd;
}

function open(file: string, flags: "a" | "w+" | "r+", mode: number): number {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, flags, mode);
  } catch (cause) {
    throw new Failure("process.no-output", `cannot write ${file}`, { cause });
  }
}
