// Turns as plain background processes: for machines without tmux, for headless runs and for tests. What sits in
// which seat is kept in a small file each, so that another process can end a turn or close the room.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Processes } from "../../ports/process.ts";
import type { Seats } from "../../ports/seat.ts";
import { isSeated, leaderOf, seated, untilGone, untilSeated } from "./leader.ts";

export interface ProcessSeatOptions {
  readonly processes: Processes;
  /** What every turn gets; the turn's own variables come on top. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of the bubble's own where the seats are kept; made by `open`, removed by `close`. */
  folder(bubble: string): string;
}

/** Seats without a terminal. Nobody can read a notice there, so `deliver` always says `gone`. */
export function processSeats({ processes, env = {}, folder }: ProcessSeatOptions): Seats {
  /** Of the turns that were started here: how they ended. */
  const exits = new Map<string, Promise<number | null>>();
  const seatOf = (bubble: string, agent: string) => join(folder(bubble), agent);

  return {
    kind: "process",

    async open(bubble) {
      await mkdir(folder(bubble), { recursive: true });
    },

    async start({ bubble, agent, argv, cwd, env: own, output, errors, stdin, work }) {
      const seat = seatOf(bubble, agent);
      const previous = await readText(seat);
      if (previous) await processes.end(previous);
      await mkdir(folder(bubble), { recursive: true });
      // Written before the spawn: a turn that nobody could find must not exist.
      await writeFile(`${seat}.new`, work);
      await rename(`${seat}.new`, seat);
      const whole = { ...env, ...own };
      const channel = channelOf(output);
      if (stdin === "channel") await processes.pipe(channel);
      const { pid, exited } = await processes.spawn({
        argv: seated(argv),
        cwd,
        env: whole,
        output,
        work,
        ...(errors ? { errors } : {}),
        ...(stdin === undefined ? {} : { stdin: stdin === "channel" ? { pipe: channel } : stdin }),
      });
      exits.set(work, exited);
      await untilSeated(processes, pid);
      return { pid };
    },

    async find(work) {
      const pid = await leaderOf(processes, work);
      return pid === undefined ? undefined : { pid };
    },

    alive: ({ pid }) => isSeated(processes, pid),
    async gone(work, { pid }, signal) {
      const own = exits.get(work);
      return own ? Promise.race([own, aborted(signal)]) : untilGone(processes, pid, signal);
    },
    end: (work) => processes.end(work),
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
export const channelOf = (output: string): string => `${output}.in`;

const aborted = (signal: AbortSignal) =>
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
