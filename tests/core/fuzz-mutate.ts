// Texts that are nearly right: a good one with pieces struck out, doubled, swapped, cut off or put in; two good ones
// grown together; one piece over and over; and noise.
import { chance, type Dice } from "./fuzz-dice.ts";

export interface Matter {
  /** Texts to begin with, good ones and bad ones. */
  readonly seeds: readonly string[];
  /** Pieces that mean something to the reader. */
  readonly words: readonly string[];
}

const signs = [
  ...[
    "\n",
    "\r\n",
    "\t",
    " ",
    "",
    "\u0000",
    "\u2028",
    "\uFEFF",
    "\ud83d",
    "😀",
    "ß",
    "\u202e",
    "\\",
    "/",
    "//",
  ],
  ...[
    '"',
    "'",
    "`",
    "```",
    "---",
    "...",
    "***",
    "#",
    "##",
    ":",
    ": ",
    "- ",
    "-",
    "? ",
    "| ",
    "> ",
    "& ",
    "*a",
    "!!x",
  ],
  ...[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "=",
    ",",
    ";",
    "%",
    "@",
    "$",
    "${",
    "}}",
    "{{",
    "~",
    "^",
    "0",
    "-1",
  ],
  ...[
    "1e999",
    "9".repeat(20),
    "NaN",
    "null",
    "true",
    "false",
    "__proto__",
    "constructor",
    "../",
    "a".repeat(300),
  ],
] as const;

type Change = (text: string, dice: Dice, matter: Matter) => string;

const cut = (text: string, dice: Dice): [number, number] => {
  const from = dice.below(text.length + 1);
  return [from, Math.min(text.length, from + 1 + dice.below(dice.below(4) === 0 ? 200 : 12))];
};
const piece = (dice: Dice, { words }: Matter): string => dice.pick(dice.below(2) === 0 ? words : signs);

const changes: readonly Change[] = [
  (text, dice) => {
    const [from, to] = cut(text, dice);
    return text.slice(0, from) + text.slice(to);
  },
  (text, dice) => {
    const [from, to] = cut(text, dice);
    return text.slice(0, to) + text.slice(from);
  },
  (text, dice) => {
    const [from, to] = cut(text, dice);
    const at = dice.below(text.length + 1);
    return text.slice(0, at) + text.slice(from, to) + text.slice(at);
  },
  (text, dice, matter) => {
    const at = dice.below(text.length + 1);
    return text.slice(0, at) + piece(dice, matter) + text.slice(at);
  },
  (text, dice, matter) => {
    const [from, to] = cut(text, dice);
    return text.slice(0, from) + piece(dice, matter) + text.slice(to);
  },
  (text, dice) => {
    const at = dice.below(text.length + 1);
    return text.slice(0, at) + String.fromCharCode(dice.below(0x250)) + text.slice(at + 1);
  },
  (text, dice) => text.slice(0, dice.below(text.length + 1)),
  (text, dice, { seeds }) => {
    const other = dice.pick(seeds);
    return text.slice(0, dice.below(text.length + 1)) + other.slice(dice.below(other.length + 1));
  },
  (text, dice) => {
    const lines = text.split("\n");
    const at = dice.below(lines.length);
    const [taken = ""] = lines.splice(at, 1);
    lines.splice(dice.below(lines.length + 1), 0, taken);
    return lines.join("\n");
  },
];

/** The same piece over and over: what takes more than its length shows here. */
function pumped(text: string, dice: Dice, matter: Matter): string {
  const said = piece(dice, matter) || "a";
  const at = dice.below(text.length + 1);
  const times = Math.ceil((2000 + dice.below(30_000)) / said.length);
  return text.slice(0, at) + said.repeat(times) + text.slice(at);
}

const noise = (dice: Dice, matter: Matter): string =>
  Array.from({ length: dice.below(60) }, () =>
    dice.below(3) === 0 ? String.fromCharCode(dice.below(0x3000)) : piece(dice, matter),
  ).join("");

/** The input with this number: always the same one. */
export function inputOf(matter: Matter, number: number): string {
  const dice = chance(number);
  const kind = dice.below(400);
  if (kind === 0) return pumped(dice.pick(matter.seeds), dice, matter);
  if (kind < 40) return noise(dice, matter);
  let text = dice.pick(matter.seeds);
  for (let left = 1 + dice.below(dice.below(3) === 0 ? 12 : 3); left > 0; left--)
    text = dice.pick(changes)(text, dice, matter);
  return text;
}
