// Notices on this machine: the terminal's bell, a sound file, a command of the person's own. All of it is best effort and bounded
// in time, because a bubble must never wait for a notice.
import type { Notice, Notifier } from "../../ports/system/notifier.ts";
import type { Processes } from "../../ports/system/process.ts";

export interface NotifierOptions {
  readonly processes: Processes;
  /** Where the bell rings; the terminal behind stderr, if there is one, when left out. */
  readonly bell?: { write(text: string): unknown };
  /** The environment of players and commands. */
  readonly env?: Readonly<Record<string, string>>;
}

const limitMs = 5_000;

/** Sound players in the order in which they are tried. */
const players: readonly (readonly string[])[] = [
  ["afplay"],
  ["paplay"],
  ["aplay", "-q"],
  ["ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"],
  ["play", "-q"],
];

/** What a player or a desktop notification needs to reach the person's session. */
const sessionVariables = [
  ...["PATH", "HOME", "USER", "LANG", "DISPLAY", "WAYLAND_DISPLAY"],
  ...["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "PULSE_SERVER"],
];

/** Rings, plays and runs what the notice names. Never throws, and returns within five seconds. */
export function createNotifier({
  processes,
  bell = getOwnTerminal(),
  env = buildSessionEnv(),
}: NotifierOptions): Notifier {
  async function play(sound: string): Promise<void> {
    const until = performance.now() + limitMs;
    for (const player of players) {
      const timeoutMs = Math.ceil(until - performance.now());
      if (timeoutMs <= 0) return;
      const isPlayed = await processes.exec([...player, sound], { env, timeoutMs }).then(
        (result) => result.code === 0,
        // Not installed, or still playing when the time was up: the next one finds no time left then.
        () => false,
      );
      if (isPlayed) return;
    }
  }

  async function run(command: string, { event, bubble, text }: Notice): Promise<void> {
    const told = { PAIRFLOW_EVENT: event, PAIRFLOW_BUBBLE: bubble, PAIRFLOW_TEXT: text };
    await processes.exec(["/bin/sh", "-c", command], { env: { ...env, ...told }, timeoutMs: limitMs });
  }

  return {
    async tell(notice) {
      await Promise.allSettled([
        Promise.resolve().then(() => bell?.write("\x07")),
        notice.sound ? play(notice.sound) : undefined,
        notice.command ? run(notice.command, notice) : undefined,
      ]);
    },
  };
}

function getOwnTerminal(): NodeJS.WriteStream | undefined {
  return process.stderr.isTTY ? process.stderr : undefined;
}

function buildSessionEnv(): Record<string, string> {
  const kept = sessionVariables.map((name) => [name, process.env[name]]);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}
