// Notices: the terminal's bell, the desktop, a sound file, a command of the person's own, an address. All of it is best effort and
// bounded in time, because a bubble must never wait for a notice.
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

/** Rings, shows, plays, runs and sends what the notice names. Never throws, and returns within five seconds. */
export function createNotifier({
  processes,
  bell = process.stderr.isTTY ? process.stderr : undefined,
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
      const desktop = notice.desktop ? buildDesktopCommand(notice, env) : undefined;
      await Promise.allSettled([
        Promise.resolve().then(() => bell?.write("\x07")),
        notice.sound ? play(notice.sound) : undefined,
        notice.command ? run(notice.command, notice) : undefined,
        desktop ? processes.exec(desktop, { env, timeoutMs: limitMs }) : undefined,
        notice.webhook ? send(notice.webhook, notice) : undefined,
      ]);
    },
  };
}

/** The program that shows a notice on this desktop; undefined where there is no desktop. */
function buildDesktopCommand(
  { bubble, text }: Notice,
  env: Readonly<Record<string, string>>,
): readonly string[] | undefined {
  const title = `Pairflow: ${bubble}`;
  // The words stand behind the script as arguments, so that no text becomes AppleScript.
  const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
  if (process.platform === "darwin") return ["osascript", "-e", script, title, text];
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  return ["notify-send", "--app-name=Pairflow", "--", title, text];
}

async function send(address: string, { event, bubble, text }: Notice): Promise<void> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ event, bubble, text }),
    redirect: "error",
    signal: AbortSignal.timeout(limitMs),
  });
  await response.body?.cancel();
}

function buildSessionEnv(): Record<string, string> {
  const kept = sessionVariables.map((name) => [name, process.env[name]]);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}
