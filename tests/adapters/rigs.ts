// What the tests of the file adapters stand on: a folder of their own, the log over it, and worker processes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { createPidLocks } from "../../src/adapters/lock/pid.ts";
import { createProcessMarks } from "../../src/adapters/lock/process-marks.ts";
import { createFileLog } from "../../src/adapters/log/file.ts";
import { chainLines } from "../../src/adapters/log/line.ts";
import type { CrashPoint } from "../../src/ports/crash-point.ts";
import type { Head } from "../../src/ports/record/log.ts";
import type { LogRig } from "../../src/testing/log/rig.ts";
import type { buildMessages } from "../../src/testing/messages.ts";
import { removeAtExit } from "../helpers/commands.ts";
import type { Orders } from "./worker.ts";

export const marks = createProcessMarks();

/** A folder that other users may look into; `remove` takes it away. */
export function scratch(): { readonly root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "pf-record-"));
  chmodSync(root, 0o755);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function locksIn(root: string, waitMs?: number) {
  return createPidLocks({
    folder: join(root, ".pairflow", "locks"),
    marks,
    ...(waitMs === undefined ? {} : { waitMs }),
  });
}

export function logIn(root: string, crashPoint?: CrashPoint) {
  return createFileLog({ root, locks: locksIn(root), ...(crashPoint ? { crashPoint } : {}) });
}

export function transcriptIn(root: string, bubble = "b1"): string {
  return join(root, ".pairflow", "bubbles", bubble, "transcript.ndjson");
}

/** The bytes one command's envelopes become behind `expected`. */
export function bytesOf(expected: Head, envelopes: ReturnType<typeof buildMessages>): Buffer {
  const lines = chainLines(envelopes, expected.seq, expected.token.split(":")[2] ?? "");
  return Buffer.concat(lines.flatMap((line) => [line.bytes, Buffer.from("\n")]));
}

export async function fileLogRig(): Promise<LogRig> {
  const { root, remove } = scratch();
  const again = () => logIn(root);
  return {
    log: again(),
    again,
    forgetful: () =>
      logIn(root, (point) => {
        if (point === "log.after-write") throw Object.assign(new Error("i/o error"), { code: "EIO" });
      }),
    crashPoints: {
      ...{ "log.locked": "no", "log.before-write": "no" },
      ...{ "log.after-write": "yes", "log.after-fsync": "yes" },
    },
    async appendAndDie(bubble, expected, envelopes, at) {
      const orders = { root, job: "append", bubble, expected, envelopes, signal: "SIGKILL", at } as const;
      await ended(await startWorker(orders));
    },
    async tear(bubble, expected, envelopes, missing) {
      const path = transcriptIn(root, bubble);
      const bytes = bytesOf(expected, [...envelopes]);
      writeFileSync(path, bytes.subarray(0, -missing), { flag: "a" });
    },
    async loseLast(bubble) {
      const text = readFileSync(transcriptIn(root, bubble), "utf8");
      truncateSync(
        transcriptIn(root, bubble),
        Buffer.byteLength(text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)),
      );
    },
    async edit(bubble, change) {
      const path = transcriptIn(root, bubble);
      const lines = readFileSync(path, "utf8").trimEnd().split("\n");
      writeFileSync(path, `${change(lines).join("\n")}\n`);
    },
    close: async () => remove(),
  };
}

const bundled = new Map<string, Promise<string>>();

/** A worker as one file that any user may run, built once for all test files of a process. */
export function workerFile(name = "worker"): Promise<string> {
  const file = bundled.get(name) ?? bundle(name);
  bundled.set(name, file);
  return file;
}

async function bundle(name: string): Promise<string> {
  const folder = scratch();
  removeAtExit(folder.root);
  const outfile = join(folder.root, `${name}.cjs`);
  await build({
    entryPoints: [resolve(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "warning",
  });
  return outfile;
}

export async function startWorker(
  orders: Orders,
  options: { uid?: number; gid?: number } = {},
): Promise<ChildProcess> {
  return spawn(process.execPath, [await workerFile(), JSON.stringify(orders)], {
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Waits for the end of a worker; returns the lines it wrote. */
export async function ended(child: ChildProcess): Promise<Record<string, unknown>[]> {
  let text = "";
  child.stdout?.on("data", (piece) => {
    text += piece;
  });
  await once(child, "close");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** The pid of a process that has ended. */
export async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "close");
  return child.pid ?? 0;
}
