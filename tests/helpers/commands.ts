// The pairflow command for tests: as a process of its own, or by a process that stays and runs one line after another.
// Starting Node and compiling the bundle is most of what a short command costs, and the suite types thousands of them.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAnswer } from "./json-forms.ts";

export const cli = join(import.meta.dirname, "..", "..", "bin", "pairflow");

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Runs a program without a terminal, whoever runs the tests: granting verbs would take the developer's for a person. */
export function execute([program = "", ...args]: readonly string[], { cwd, env }: Place): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => (said[stream] += text));
    }
    child.once("error", (error) => resolve({ code: 128, ...said, stderr: String(error) }));
    child.once("close", (code) => resolve({ code: code ?? 128, ...said }));
  });
}

interface Host {
  readonly child: ChildProcess;
  readonly stdout: string;
  readonly stderr: string;
}

const waiting: Host[] = [];
/** Enough for the tests that run at once; more would only hold memory for the files that come after. */
const mostWaiting = 6;

/**
 * Runs a command line in a process that ran others before. For tests whose subject is what a command does; one whose
 * subject is the process itself, its signals or its death, uses `execute`.
 */
export async function runInHost(argv: readonly string[], place: Place): Promise<Ran> {
  const host = waiting.pop() ?? startHost();
  const { child, stdout, stderr } = host;
  for (const file of [stdout, stderr]) truncateSync(file);
  const code = await sendLine(host, { argv, stdout, stderr, ...place });
  if (code === undefined) return runInHost(argv, place);
  if (child.connected && waiting.length < mostWaiting) waiting.push(host);
  else if (child.connected) child.disconnect();
  const ran = { code, stdout: readFileSync(stdout, "utf8"), stderr: readFileSync(stderr, "utf8") };
  checkAnswer(argv, ran);
  return ran;
}

/** The exit code of a line; undefined when the host was gone before it began, as tests that kill drivers may leave it. */
function sendLine({ child }: Host, line: object): Promise<number | undefined> {
  let hasBegun = false;
  child.ref();
  child.channel?.ref();
  return new Promise((resolve) => {
    const end = (code: number | undefined) => {
      child.removeAllListeners("exit").removeAllListeners("message").removeAllListeners("error");
      child.unref();
      child.channel?.unref();
      resolve(code);
    };
    child.on("exit", (code) => end(hasBegun ? (code ?? 128) : undefined));
    child.on("error", () => end(undefined));
    child.on("message", (answer: { begun: true } | { code: number }) => {
      if ("code" in answer) end(answer.code);
      else hasBegun = true;
    });
    if (child.exitCode !== null || child.signalCode !== null) end(undefined);
    else child.send(line, (error) => error && !hasBegun && end(undefined));
  });
}

function startHost(): Host {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-host-"));
  const [stdout, stderr] = [join(folder, "stdout"), join(folder, "stderr")];
  for (const file of [stdout, stderr]) writeFileSync(file, "");
  const child = fork(join(import.meta.dirname, "command-host.cjs"), {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  removeAtExit(folder);
  return { child, stdout, stderr };
}

const leftFolders = new Set<string>();

/** Removes a folder that all test files of this process share. */
export function removeAtExit(folder: string): void {
  if (leftFolders.size === 0)
    process.once("exit", () => {
      for (const left of leftFolders) rmSync(left, { recursive: true, force: true });
    });
  leftFolders.add(folder);
}
