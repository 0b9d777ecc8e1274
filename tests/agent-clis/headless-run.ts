// A turn without a terminal, run as a driver runs it: standard input a FIFO that outlives whoever holds it, output a
// file opened before the start, and every line of it given to the conversation.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TurnEnd } from "../../src/core/model/turn-end.ts";
import type { Conversation, Headless, TurnEvent } from "../../src/ports/agent/adapter.ts";

export interface HeadlessRun {
  readonly events: readonly TurnEvent[];
  readonly sent: readonly string[];
  readonly conversation: Conversation;
  readonly output: string;
  /** Waits for an event of this kind; throws with all that was seen when the process ends without one. */
  event<T extends TurnEvent["type"]>(type: T): Promise<Extract<TurnEvent, { type: T }>>;
  /** How the turn ended; waits for the process to end too. */
  end(): Promise<TurnEnd>;
  /** The exit code, or undefined after a signal. */
  exited(): Promise<number | undefined>;
  kill(signal: NodeJS.Signals): void;
}

export interface RunOptions {
  readonly headless: Headless;
  readonly cwd: string;
  /** The environment of the home; the adapter's own words are added. */
  readonly env: Readonly<Record<string, string>>;
  /** Where its FIFO and files are put, under this name. */
  readonly folder: string;
  readonly name: string;
}

const limitMs = 120_000;

/** Starts it and follows it to its end. */
export function runHeadless({ headless, cwd, env, folder, name }: RunOptions): HeadlessRun {
  const [program = "", ...args] = headless.argv;
  const files = {
    in: join(folder, `${name}.in`),
    out: join(folder, `${name}.out`),
    err: join(folder, `${name}.err`),
  };
  execFileSync("mkfifo", [files.in]);
  const pipe = openSync(files.in, constants.O_RDWR);
  const [out, err] = [openSync(files.out, "a"), openSync(files.err, "a")];
  const all = { ...env, ...headless.env };
  const child = spawn(program, args, { cwd, env: all, stdio: [pipe, out, err], detached: true });
  closeSync(out);
  closeSync(err);
  const events: TurnEvent[] = [];
  const sent: string[] = [];
  const conversation = headless.converse({
    send(line) {
      if (sent.includes(line)) return;
      sent.push(line);
      writeSync(pipe, `${line}\n`);
    },
    happened: (event) => void events.push(event),
  });
  conversation.begin();
  const exited = follow(child, conversation, files).finally(() => closeSync(pipe));
  return {
    ...{ events, sent, conversation, output: files.out },
    ...waits(events, exited, files),
    kill: (signal) => killGroup(child, signal),
  };
}

function waits(
  events: readonly TurnEvent[],
  exited: Promise<number | undefined>,
  files: { out: string; err: string },
) {
  let isGone = false;
  exited.then(
    () => (isGone = true),
    () => (isGone = true),
  );
  const seen = () => `${JSON.stringify(events)}\n${read(files.out).slice(-3000)}\n${read(files.err)}`;
  async function event<T extends TurnEvent["type"]>(type: T): Promise<Extract<TurnEvent, { type: T }>> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const found = events.find((one) => one.type === type);
      if (found) return found as Extract<TurnEvent, { type: T }>;
      if (isGone || Date.now() > deadline) throw new Error(`no event ${type}:\n${seen()}`);
      await pause(20);
    }
  }
  return {
    event,
    exited: () => exited,
    async end() {
      const { end } = await event("over");
      await exited;
      return end;
    },
  };
}

/** Reads the output as it grows; after the process the rest of it, and then the end. */
async function follow(
  child: ChildProcess,
  conversation: Conversation,
  files: { out: string; err: string },
): Promise<number | undefined> {
  let code: number | undefined;
  let isGone = false;
  child.once("exit", (exit) => {
    code = exit ?? undefined;
    isGone = true;
  });
  child.once("error", () => {
    isGone = true;
  });
  const deadline = Date.now() + limitMs;
  let heard = 0;
  for (;;) {
    const wasGone = isGone;
    const lines = read(files.out).split("\n");
    for (; heard < lines.length - 1; heard += 1) conversation.heard(lines[heard] ?? "");
    if (wasGone) break;
    if (Date.now() > deadline) killGroup(child, "SIGKILL");
    await pause(20);
  }
  conversation.closed({ ...(code === undefined ? {} : { code }), stderr: read(files.err) });
  return code;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It is gone already.
  }
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}
