// A screen that stays: drawn over once a second, at every key and when the terminal changes its size. One row is chosen; a key acts
// on its bubble by the same command that a person could type, in the foreground, and the screen comes back afterwards.
import { runCommandHere } from "../../app/caller/run-command.ts";
import { watchReader } from "../../app/host/reader.ts";
import { buildUsageError } from "../../app/host/usage.ts";
import type { Clock } from "../../ports/system/clock.ts";
import type { ScreenRow } from "../render/overview/screen-row.ts";
import { catchInterrupts } from "../terminal/interrupt.ts";
import { isLeavingKey, type KeyReader, listenForKeys } from "../terminal/keys.ts";
import { buildLook, cut, type Look } from "../terminal/style.ts";
import { enterOwnScreen, leaveOwnScreen, writeAll } from "../terminal/terminal.ts";
import type { CommandResult, Shell } from "../verb/declaration.ts";
import { type Chosen, drawRows, findChosen, listChoices, listFooter, moveChoice } from "./live-rows.ts";

type Act = (chosen: Chosen) => readonly string[];

const nameBubble =
  (...words: readonly string[]): Act =>
  ({ bubble }) => [...words, "--id", bubble];

/** What each key does with the chosen row; a question is answered by its own name. */
const actions: Readonly<Record<string, Act>> = {
  "\r": nameBubble("bubble", "status"),
  "\n": nameBubble("bubble", "status"),
  d: nameBubble("bubble", "diff"),
  r: ({ bubble, item }) => [
    ...["bubble", "reply", "--id", bubble],
    ...(item?.startsWith("q") ? ["--question", item] : []),
  ],
  a: nameBubble("bubble", "approve"),
  t: nameBubble("bubble", "attach"),
};
const tickMs = 1000;

/** What a view is read with: the clock, and how it is drawn beside the marks. */
type Read = (look: Look) => Promise<readonly ScreenRow[]>;

interface Place {
  readonly repo: string;
  readonly clock: Clock;
}

/** For `--watch` of a list: refuses where there is no terminal to stay on. */
export async function showUntilLeft(shell: Shell, place: Place, read: Read): Promise<CommandResult> {
  if (!shell.interactive || shell.json)
    throw buildUsageError(
      "usage.no-terminal",
      "--watch draws a screen and reads keys; there is no terminal here",
      "pairflow --json, or pairflow bubble status --watch",
    );
  // The screen scrolls, so that nothing is folded away; two columns are for the mark.
  const readFitting = () => {
    const look = buildLook(shell, place.clock.now());
    return read({ ...look, width: look.width - 2, height: Number.POSITIVE_INFINITY });
  };
  await watchLive(readFitting, place.repo);
  return {};
}

/** Until q, Ctrl-C or the end of the terminal. */
async function watchLive(read: () => Promise<readonly ScreenRow[]>, repo: string): Promise<void> {
  let isActing = false;
  // A Ctrl-C while a command has the terminal is for that command.
  const signals = catchInterrupts((name) => name === "SIGINT" && isActing);
  const left = signals.signal;
  watchReader(signals.abort);
  const keys = listenForKeys();
  left.addEventListener("abort", keys.wake);
  process.stdout.on("resize", keys.wake);
  enterOwnScreen();
  let chosen: Chosen | undefined;
  try {
    while (!left.aborted) {
      const rows = await read();
      const choices = listChoices(rows);
      chosen = findChosen(choices, chosen);
      draw(rows, chosen);
      const key = await keys.next(tickMs);
      if (key === undefined) continue;
      if (key === "q" || isLeavingKey(key)) break;
      const act = chosen && actions[key];
      if (!chosen || !act) {
        chosen = moveChoice(choices, chosen, key, process.stdout.rows ?? usualRows);
        continue;
      }
      isActing = true;
      const isLeft = await runAction(keys, [...act(chosen), "--repo", repo]);
      isActing = false;
      if (isLeft) break;
    }
  } finally {
    keys.stop();
    process.stdout.off("resize", keys.wake);
    signals.over();
    leaveOwnScreen();
  }
}

const usualRows = 24;

function draw(rows: readonly ScreenRow[], chosen: Chosen | undefined): void {
  const { columns = 80, rows: height = usualRows } = process.stdout;
  const footer = listFooter(chosen !== undefined, columns);
  const lines = drawRows(rows, chosen, height - footer.length - 1);
  const shown = [...lines, "", ...footer].slice(-height).map((line) => `${cut(line, columns)}\u001b[K`);
  writeAll(1, `\u001b[H${shown.join("\n")}\u001b[J`);
}

/** On the screen that was there before, so that what a command printed can be read there later. Whether the person left by it. */
async function runAction(keys: KeyReader, words: readonly string[]): Promise<boolean> {
  keys.stop();
  leaveOwnScreen();
  writeAll(1, `$ pairflow ${words.slice(0, words.indexOf("--repo")).join(" ")}\n`);
  await runCommandHere(words);
  writeAll(1, "\nany key goes back ");
  keys.start();
  const key = await keys.next(Number.POSITIVE_INFINITY);
  writeAll(1, "\r\u001b[K");
  enterOwnScreen();
  return key !== undefined && isLeavingKey(key);
}
