// Short helper programs run to their end, with their output in memory: git and tmux, never an agent or a gate.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { Failure } from "../../ports/failure.ts";
import type { ExecOptions, ExecResult } from "../../ports/system/process.ts";
import { toStartFailure } from "./start.ts";

const defaultTimeoutMs = 60_000;
const defaultMaxBytes = 256 * 1024 * 1024;
/** A daemon left behind may keep the pipes open; what the program itself wrote arrives well before this. */
const quietMs = 1_000;

/** A non-zero code is a result. Throws Failure `process.not-found`, `process.timeout` or `process.too-much-output`. */
export function exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...(options.env ?? getPlainEnv()) },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    detached: true,
  });
  // A program may end without reading its input; its exit code says whether that was wrong.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.input);
  return collect(child, argv, options);
}

/**
 * The same where this process has nothing else to do until the program has ended, such as an agent's verb that waits for git: no
 * pipe is watched and no stream is made, which takes a third of what a short program takes in all.
 */
export async function execWaiting(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const [program = "", ...args] = argv;
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, encoding } = options;
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd: options.cwd,
    env: { ...(options.env ?? getPlainEnv()) },
    input: options.input,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: maxBytes,
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ETIMEDOUT") throw toTimeout(argv, timeoutMs);
  if (code === "ENOBUFS") throw toTooMuchOutput(argv, maxBytes);
  // A program may end without reading its input; its exit code says whether that was wrong.
  if (error && code !== "EPIPE") throw toStartFailure(error, argv, options.cwd);
  return { code: status ?? 128, stdout: decodeText([stdout], encoding), stderr: decodeText([stderr]) };
}

/** The environment of a program that is given none. */
function getPlainEnv(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, LANG: "C.UTF-8" };
}

function collect(child: ChildProcess, argv: readonly string[], options: ExecOptions): Promise<ExecResult> {
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, encoding } = options;
  return new Promise((resolve, reject) => {
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let bytes = 0;
    let quiet: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => fail(toTimeout(argv, timeoutMs)), timeoutMs);
    const settle = () => {
      clearTimeout(limit);
      clearTimeout(quiet);
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const fail = (failure: Failure) => {
      if (child.pid !== undefined) killGroup(child.pid);
      settle();
      reject(failure);
    };
    const done = () => {
      settle();
      const stdout = decodeText(chunks.stdout, encoding);
      // A death by signal has no code; shells tell it by a number too.
      resolve({ code: child.exitCode ?? 128, stdout, stderr: decodeText(chunks.stderr) });
    };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.on("data", (chunk: Buffer) => {
        chunks[name].push(chunk);
        quiet?.refresh();
        bytes += chunk.length;
        if (bytes > maxBytes) fail(toTooMuchOutput(argv, maxBytes));
      });
    }
    child.once("error", (error) => fail(toStartFailure(error, argv, options.cwd)));
    child.once("exit", () => {
      // setImmediate: after a stalled event loop, what waits in the pipe is still read first.
      quiet = setTimeout(() => setImmediate(done), quietMs);
    });
    child.once("close", done);
  });
}

function decodeText(chunks: readonly Buffer[], encoding: ExecOptions["encoding"] = "utf8"): string {
  return Buffer.concat(chunks).toString(encoding);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function toTimeout(argv: readonly string[], timeoutMs: number): Failure {
  return new Failure(
    "process.timeout",
    `${argv.slice(0, 3).join(" ")} did not end in ${timeoutMs / 1000} s`,
    { retryable: true },
  );
}

function toTooMuchOutput(argv: readonly string[], maxBytes: number): Failure {
  return new Failure(
    "process.too-much-output",
    `${argv.slice(0, 3).join(" ")} printed more than ${maxBytes} bytes`,
  );
}
