// Turns as plain background processes: for machines without tmux, for headless runs and for tests. What sits in
// which seat is kept in a small file each, so that another process can end a turn or close the room.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Seats } from "../../ports/agent/seat.ts";
import type { Processes } from "../../ports/system/process.ts";
import { findLeader, isSeated, waitUntilGone, waitUntilSeated, wrapSeatCommand } from "./leader.ts";

export interface ProcessSeatOptions {
  readonly processes: Processes;
  /** What every turn gets; the turn's own variables come on top. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of the bubble's own where the seats are kept; made by `open`, removed by `close`. */
  folder(bubble: string): string;
}

/** Seats without a terminal. Nobody can read a notice there, so `deliver` always says `gone`. */
export function createProcessSeats({ processes, env = {}, folder }: ProcessSeatOptions): Seats {
  /** The turns that were started here: their processes, and how they end. */
  const started = new Map<string, { readonly pid: number; readonly exited: Promise<number | null> }>();
  /** Of which nothing is left: their markers are never given to a process again. */
  const ended = new Set<string>();
  const seatOf = (bubble: string, agent: string) => join(folder(bubble), agent);

  /** Ends what was there. Written before the spawn: a turn that nobody could find must not exist. */
  async function takeSeat(bubble: string, agent: string, work: string): Promise<void> {
    const seat = seatOf(bubble, agent);
    const previous = await readText(seat);
    if (previous && !ended.has(previous)) await processes.end(previous);
    await mkdir(folder(bubble), { recursive: true, mode: 0o700 });
    await writeFile(`${seat}.new`, work, { mode: 0o600 });
    await rename(`${seat}.new`, seat);
  }

  /** Making one starts a program, so each is made while the turn before it runs. Without a spare one it is made now. */
  async function makeChannel(channel: string): Promise<void> {
    await rename(getSpare(channel), channel).catch(() => processes.pipe(channel));
  }

  return {
    kind: "process",

    async open(bubble) {
      await mkdir(folder(bubble), { recursive: true, mode: 0o700 });
    },

    async start({ bubble, agent, argv, cwd, env: own, output, errors, stdin, work }) {
      const channel = getChannelPath(output);
      await Promise.all([
        takeSeat(bubble, agent, work),
        stdin === "channel" ? makeChannel(channel) : undefined,
      ]);
      const whole = { ...env, ...own };
      const { pid, exited } = await processes.spawn({
        argv: wrapSeatCommand(argv),
        cwd,
        env: whole,
        output,
        work,
        ...(errors ? { errors } : {}),
        ...(stdin === undefined ? {} : { stdin: stdin === "channel" ? { pipe: channel } : stdin }),
      });
      started.set(work, { pid, exited });
      if (stdin === "channel") void processes.pipe(getSpare(channel)).catch(() => undefined);
      await waitUntilSeated(processes, pid);
      return { pid };
    },

    async find(work) {
      if (ended.has(work)) return undefined;
      // The process that started it need not look through all processes of the machine.
      const own = started.get(work)?.pid;
      const isOwn = own !== undefined && (await isSeated(processes, own));
      const pid = isOwn ? own : await findLeader(processes, work);
      return pid === undefined ? undefined : { pid };
    },

    alive: ({ pid }) => isSeated(processes, pid),
    async gone(work, { pid }, signal) {
      const own = started.get(work);
      return own ? Promise.race([own.exited, waitForAbort(signal)]) : waitUntilGone(processes, pid, signal);
    },
    async end(work) {
      await processes.end(work);
      ended.add(work);
    },
    deliver: async () => "gone",

    async close(bubble) {
      const names = existsSync(folder(bubble)) ? await readdir(folder(bubble)) : [];
      const works = await Promise.all(names.map((name) => readText(join(folder(bubble), name))));
      await Promise.all(works.map((work) => (work ? processes.end(work) : undefined)));
      await rm(folder(bubble), { recursive: true, force: true });
    },

    isOpen: async (bubble) => existsSync(folder(bubble)),
  };
}

/** Where lines for a turn's standard input go. */
export const getChannelPath = (output: string): string => `${output}.in`;

const getSpare = (channel: string): string => join(dirname(channel), "next.in");

const waitForAbort = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) =>
    signal.addEventListener("abort", () => resolve(undefined), { once: true }),
  );

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
