// A terminal's text as pieces with classes. Sixteen colours are the page's own; the rest is told in numbers.
import Anser, { type AnserJsonEntry } from "anser";

export interface Piece {
  readonly text: string;
  readonly kind: string;
  readonly style: { readonly color?: string; readonly backgroundColor?: string };
}

const esc = "\u001b";
const bell = "\u0007";
/** Everything a terminal is told beside colours: titles, links, places of the cursor, character sets. */
const orders = new RegExp(
  [
    `${esc}\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)`,
    `${esc}\\[[0-9;?]*[A-Za-ln-z]`,
    `${esc}[()][A-Z0-9]`,
    `${esc}[=>78cM]`,
  ].join("|"),
  "g",
);
/** Controls that draw nothing; line ends, tabs and what begins a colour stay. */
const unseen = new RegExp(`(?![\n\t${esc}])\\p{Cc}`, "gu");

export function piecesOf(text: string): Piece[] {
  const plain = drawnLines(text.replace(orders, "")).replace(unseen, "");
  return Anser.ansiToJson(plain, { use_classes: true, remove_empty: true }).map(pieceOf);
}

/** Of a line that was drawn over itself, what is seen. */
const drawnLines = (text: string): string =>
  text
    .split("\n")
    .map(
      (line) =>
        line
          .replace(/\r+$/, "")
          .split("\r")
          .findLast((part) => part !== "") ?? "",
    )
    .join("\n");

function pieceOf({ content, fg, bg, fg_truecolor, bg_truecolor, decorations }: AnserJsonEntry): Piece {
  const color = rgbOf(fg, fg_truecolor);
  const backgroundColor = rgbOf(bg, bg_truecolor);
  const kind = [
    color ? "" : fg,
    bg && !backgroundColor ? `${bg}-bg` : "",
    ...decorations.map((name) => `ansi-${name}`),
  ];
  return {
    text: content,
    kind: kind.filter(Boolean).join(" "),
    style: { ...(color ? { color } : {}), ...(backgroundColor ? { backgroundColor } : {}) },
  };
}

/** A colour of the 256, or one by its numbers; undefined for the sixteen that have names. */
function rgbOf(name: string, exact: string): string | undefined {
  if (name === "ansi-truecolor") return `rgb(${exact})`;
  const [, number] = /^ansi-palette-(\d+)$/.exec(name ?? "") ?? [];
  return number === undefined ? undefined : paletteColour(Number(number));
}

function paletteColour(number: number): string {
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10;
    return `rgb(${grey} ${grey} ${grey})`;
  }
  const at = number - 16;
  const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
  return `rgb(${level(Math.floor(at / 36))} ${level(Math.floor(at / 6) % 6)} ${level(at % 6)})`;
}
