// The output of a command as a file that cannot fill the disk. It is read here for a moment, which is enough for a short command;
// then the pipe leads to a small program of its own (pump.ts).
import { spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { exec } from "./exec.ts";
import { outputLimits, pumpSource } from "./pump.ts";

/** How long the pipe is read here, and how often: starting a program costs as much as many a gate. */
const patienceMs = 1_000;
const lookMs = 50;
/** A command that prints more than this wants a reader of its own. */
const mostReadHere = 256 * 1024;
/** How long what a command has printed may take to reach the file once it is over; somebody may still hold the pipe. */
const drainMs = 2_000;

export interface BoundedOutput {
  /** The command's stdout and stderr. Closed here as soon as the command has it. */
  readonly sink: number;
  /** The command has been started: the pipe ends with its last writer from now on. */
  handedOver(): void;
  /** Resolves when all that the command has printed is in the file. */
  settled(): Promise<void>;
}

/** Undefined where the file system has no named pipes: the caller then writes into the file itself. */
export async function createBoundedOutput(output: string): Promise<BoundedOutput | undefined> {
  mkdirSync(dirname(output), { recursive: true });
  closeSync(openSync(output, "a", 0o600));
  const taken = spare;
  spare = undefined;
  const pipe = (await taken) ?? (await makePipe());
  // Made while the command runs: between two turns it would be waited for.
  spare ??= makePipe().catch(() => undefined);
  return pipe && pipeOutput(output, pipe.source, pipe.sink);
}

interface Pipe {
  readonly source: number;
  readonly sink: number;
}

let spare: Promise<Pipe | undefined> | undefined;
/** A named pipe that has lost its name again: Node itself only makes sockets, which programs cannot open by name. */
async function makePipe(): Promise<Pipe | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-pipe-"));
  const path = join(folder, "output");
  try {
    if ((await exec(["mkfifo", "-m", "600", path])).code !== 0) return undefined;
    const source = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { source, sink: openSync(path, constants.O_WRONLY) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pipeOutput(output: string, source: number, sink: number): BoundedOutput {
  let pump: Promise<void> | undefined;
  let looks = 0;
  let bytes = 0;
  const begin = () => {
    clearInterval(timer);
    pump = startPump(output, source);
    closeSync(source);
  };
  const timer = setInterval(() => {
    bytes += drainPipe(source, output).bytes;
    looks += 1;
    if (bytes > mostReadHere || looks * lookMs >= patienceMs) begin();
  }, lookMs);
  return {
    sink,
    handedOver: () => closeSync(sink),
    async settled() {
      clearInterval(timer);
      if (pump) await waitAtMost(pump, drainMs);
      else if (drainPipe(source, output).isOver) closeSync(source);
      else begin();
    },
  };
}

interface Drained {
  /** How much was read; at most a little more than is read here in all. */
  readonly bytes: number;
  /** Every writer is gone. Otherwise the pipe is empty now, and somebody may still write. */
  readonly isOver: boolean;
}

/** Moves what the pipe holds into the file. */
function drainPipe(source: number, output: string): Drained {
  const page = Buffer.alloc(64 * 1024);
  for (let bytes = 0; ; ) {
    try {
      const got = bytes > mostReadHere ? 0 : readSync(source, page);
      if (got === 0) return { bytes, isOver: bytes <= mostReadHere };
      appendFileSync(output, page.subarray(0, got), { mode: 0o600 });
      bytes += got;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return { bytes, isOver: false };
      throw error;
    }
  }
}

/** Starts the pump on the pipe; resolves when it has written everything. It needs no marker: it ends with its last writer. */
function startPump(output: string, source: number): Promise<void> {
  const { most, head, tail } = outputLimits;
  const args = ["-e", pumpSource, output, String(most), String(head), String(tail)];
  const child = spawn(process.execPath, args, {
    env: {},
    stdio: [source, "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
}

/** Resolves with the work or after this time. The timer keeps the process alive: the pump alone would let it end here. */
async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
