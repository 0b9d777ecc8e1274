// The rows of a screen that stays: which one is chosen, what a key makes of that, and as many lines as there is room for.
import type { ScreenRow } from "../render/overview/screen-row.ts";

export interface Chosen {
  readonly bubble: string;
  readonly item?: string | undefined;
  /** Where it was among all that can be chosen. */
  readonly at: number;
}

/** What can be chosen, in the order of the rows. */
export function listChoices(rows: readonly ScreenRow[]): Chosen[] {
  const named = rows.flatMap(({ bubble, item }) => (bubble === undefined ? [] : [{ bubble, item }]));
  return named.map((one, at) => ({ ...one, at }));
}

/**
 * The same row as before, wherever it stands now: a key that is being pressed must not meet another bubble because one came in
 * above it. Where it is gone, what stands in its place.
 */
export function findChosen(choices: readonly Chosen[], before: Chosen | undefined): Chosen | undefined {
  if (!before) return choices[0];
  const same = choices.find(({ bubble, item }) => bubble === before.bubble && item === before.item);
  const ofBubble = choices.find(({ bubble }) => bubble === before.bubble);
  return same ?? ofBubble ?? choices[Math.min(before.at, choices.length - 1)];
}

const steps: Readonly<Record<string, number>> = {
  j: 1,
  k: -1,
  "\u001b[B": 1,
  "\u001b[A": -1,
  "\u001bOB": 1,
  "\u001bOA": -1,
};
const pages: Readonly<Record<string, number>> = { "\u001b[6~": 1, "\u001b[5~": -1 };
const toFirst = ["g", "\u001b[H", "\u001b[1~", "\u001bOH"];
const toLast = ["G", "\u001b[F", "\u001b[4~", "\u001bOF"];

/** What is chosen after a key; it stays inside the list. */
export function moveChoice(
  choices: readonly Chosen[],
  chosen: Chosen | undefined,
  key: string,
  height: number,
): Chosen | undefined {
  if (toFirst.includes(key)) return choices[0];
  if (toLast.includes(key)) return choices.at(-1);
  const step = steps[key] ?? (pages[key] ?? 0) * Math.max(1, Math.floor(height / 2));
  return choices[Math.max(0, Math.min(choices.length - 1, (chosen?.at ?? 0) + step))];
}

const mark = "› ";

/** As many lines as there is room for, with all of the chosen row among them; every line moves in by two. */
export function drawRows(rows: readonly ScreenRow[], chosen: Chosen | undefined, room: number): string[] {
  let at = -1;
  const lines = rows.flatMap(({ text, bubble }) => {
    if (bubble !== undefined) at += 1;
    const isChosen = bubble !== undefined && at === chosen?.at;
    return text
      .split("\n")
      .map((line, i) => ({ text: `${isChosen && i === 0 ? mark : "  "}${line}`, isChosen }));
  });
  const first = Math.max(
    0,
    lines.findIndex(({ isChosen }) => isChosen),
  );
  const last = Math.max(
    first,
    lines.findLastIndex(({ isChosen }) => isChosen),
  );
  // One line more than the row, so that a person sees that there is one; a row that is too high is seen from its beginning.
  const start = Math.min(first, Math.max(0, Math.min(last + 2 - room, lines.length - room)));
  return lines.slice(start, start + room).map(({ text }) => text);
}

const ways = ["j/k move", "enter look", "d diff", "r reply", "a approve", "t attach"];

/** What each key does, on as many lines as it takes. */
export function listFooter(canAct: boolean, width: number): string[] {
  const lines: string[] = [];
  for (const way of [...(canAct ? ways : []), "q leave"]) {
    const longer = `${lines.at(-1) ?? " "}${lines.length > 0 ? "  " : ""} ${way}`;
    if (lines.length === 0) lines.push(`  ${way}`);
    else if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(`  ${way}`);
  }
  return lines;
}
