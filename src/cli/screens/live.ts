// A screen that stays: drawn over once a second and at every key. One row is chosen; a key acts on its bubble by the same command
// that a person could type, in the foreground, and the screen comes back afterwards.
import { runCommandHere } from "../../app/caller/run-command.ts";
import { buildUsageError } from "../../app/host/usage.ts";
import type { Clock } from "../../ports/system/clock.ts";
import { buildLook, cut, type Look } from "../terminal/style.ts";
import { writeAll } from "../terminal/terminal.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";
import { createLeaveSignal } from "./watch.ts";

export interface LiveView {
  readonly text: string;
  /** What can be chosen, in the order of the rows. */
  readonly bubbles: readonly string[];
}

type Act = (bubble: string) => readonly string[];

/** What each key does with the chosen bubble. */
const actions: Readonly<Record<string, Act>> = {
  "\r": (id) => ["bubble", "status", "--id", id],
  d: (id) => ["bubble", "diff", "--id", id],
  r: (id) => ["bubble", "reply", "--id", id],
  a: (id) => ["bubble", "approve", "--id", id],
  t: (id) => ["bubble", "attach", "--id", id],
};
const footer = "j/k move   enter look   d diff   r reply   a approve   t attach   q leave";
const tickMs = 1000;

/** The place in the list after a key. */
export function moveChoice(chosen: number, key: string, count: number): number {
  const step = key === "j" || key === "\u001b[B" ? 1 : key === "k" || key === "\u001b[A" ? -1 : 0;
  return Math.max(0, Math.min(count - 1, chosen + step));
}

const mark = "› ";

/** Every line moves in by two; the row of the chosen bubble is pointed at. */
export function markChoice(text: string, bubble: string | undefined): string[] {
  let isMarked = bubble === undefined;
  return text.split("\n").map((line) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with an escape
    const plain = line.replaceAll(/\u001b\[\d*m/g, "").trimStart();
    const isChosen = !isMarked && (plain === bubble || plain.startsWith(`${bubble} `));
    if (isChosen) isMarked = true;
    return `${isChosen ? mark : "  "}${line}`;
  });
}

/** What a view is read with: the clock, and how it is drawn beside the marks. */
type Read = (look: Look) => Promise<LiveView>;

/** For `--watch` of a list: refuses where there is no terminal to stay on. */
export async function showUntilLeft(
  shell: Shell,
  { repo, clock }: { readonly repo: string; readonly clock: Clock },
  read: Read,
): Promise<CommandResult> {
  if (!shell.interactive || shell.json)
    throw buildUsageError(
      "usage.no-terminal",
      "--watch draws a screen and reads keys; there is no terminal here",
      "pairflow --json, or pairflow bubble status --watch",
    );
  // The screen scrolls, so that nothing is folded away; two columns are for the mark.
  const buildFitting = () => {
    const look = buildLook(shell, clock.now());
    return { ...look, width: look.width - 2, height: Number.POSITIVE_INFINITY };
  };
  await watchLive(() => read(buildFitting()), clock, repo);
  return {};
}

/** Until q, Ctrl-C or the end of the terminal. */
async function watchLive(read: () => Promise<LiveView>, clock: Clock, repo: string): Promise<void> {
  const leave = createLeaveSignal();
  const keys = createKeys(() => leave.abort());
  let chosen = 0;
  try {
    while (!leave.signal.aborted) {
      const view = await read();
      chosen = moveChoice(chosen, "", view.bubbles.length);
      const bubble = view.bubbles[chosen];
      draw(scrollToChoice(markChoice(view.text, bubble), (process.stdout.rows ?? 24) - 2));
      const key = await keys.next(clock, leave.signal);
      const act = key === undefined || bubble === undefined ? undefined : actions[key];
      if (key === "q") break;
      if (act && bubble !== undefined) await keys.pause(() => runAction([...act(bubble), "--repo", repo]));
      else if (key !== undefined) chosen = moveChoice(chosen, key, view.bubbles.length);
    }
  } finally {
    keys.end();
    writeAll(1, "\n");
  }
}

/** As many lines as there is room for, with the chosen one among them. */
export function scrollToChoice(lines: readonly string[], room: number): readonly string[] {
  const at = Math.max(
    0,
    lines.findIndex((line) => line.startsWith(mark)),
  );
  const start = Math.min(Math.max(0, at - room + 2), Math.max(0, lines.length - room));
  return lines.slice(start, start + room);
}

function draw(lines: readonly string[]): void {
  const { columns = 80, rows = 24 } = process.stdout;
  const shown = [...lines.map((line) => cut(line, columns)), "", cut(`  ${footer}`, columns)];
  writeAll(
    1,
    `\u001b[H${shown
      .slice(0, rows)
      .map((line) => `${line}\u001b[K`)
      .join("\n")}\u001b[J`,
  );
}

async function runAction(words: readonly string[]): Promise<void> {
  writeAll(1, "\u001b[2J\u001b[H");
  await runCommandHere(words);
  writeAll(1, "\n  any key goes back ");
}

/** Keys one at a time; between them the terminal belongs to the program that the keys pause for. */
function createKeys(interrupt: () => void) {
  const typed: string[] = [];
  let wake = () => {};
  const hear = (bytes: Buffer) => {
    const key = bytes.toString("utf8");
    if (key === "\u0003" || key === "\u0004") interrupt();
    typed.push(key);
    wake();
  };
  const start = () => {
    process.stdin.setRawMode(true);
    process.stdin.resume();
    process.stdin.on("data", hear);
  };
  const stop = () => {
    process.stdin.off("data", hear);
    process.stdin.setRawMode(false);
    process.stdin.pause();
  };
  const next = async (clock: Clock, signal: AbortSignal): Promise<string | undefined> => {
    if (typed.length === 0) {
      const over = new AbortController();
      signal.addEventListener("abort", () => over.abort(), { once: true });
      wake = () => over.abort();
      await clock.sleep(tickMs, over.signal);
    }
    return typed.shift();
  };
  start();
  return {
    next,
    end: stop,
    async pause(work: () => Promise<void>): Promise<void> {
      stop();
      await work();
      typed.length = 0;
      start();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      typed.length = 0;
    },
  };
}
