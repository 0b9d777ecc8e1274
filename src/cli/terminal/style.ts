// The look of every screen: one accent colour, dim for what matters less, and lines that fit. What agents and
// people wrote passes through here first, so that no text can move the cursor of the terminal that shows it.

import { relative } from "node:path";
import { isTerminal } from "./terminal.ts";

/** How a screen is drawn. A width of Infinity never cuts, nor does a height of Infinity. */
export interface Look {
  readonly now: string;
  readonly colour: boolean;
  readonly width: number;
  readonly height?: number;
}

export interface Ink {
  accent(text: string): string;
  dim(text: string): string;
  bold(text: string): string;
  /** Lines of a change. */
  added(text: string): string;
  removed(text: string): string;
}

const esc = "\u001b";
const painted = new RegExp(`${esc}\\[\\d*m`, "gu");
const terminalCode = new RegExp(`${esc}\\[[0-?]*[ -/]*[@-~]`, "gu");
const plainAscii = /^[\x20-\x7e]*$/;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;

/** Colours, or the same text when there are none. */
export function createInk(colour: boolean): Ink {
  const paint = (code: number) => (text: string) =>
    colour && text ? `${esc}[${code}m${text}${esc}[0m` : text;
  return { accent: paint(36), dim: paint(2), bold: paint(1), added: paint(32), removed: paint(31) };
}

/** The look of this terminal; a pipe or a file gets whole lines without colour. */
export function buildLook(shell: { readonly colour: boolean }, now: string): Look {
  return { now, colour: shell.colour, width: getScreenWidth(), height: getScreenHeight() };
}

/** A path as a person here would type it: relative where that is shorter. */
export function shortenPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near !== "" && near.length < path.length ? near : path;
}

/** Foreign text on one line: terminal codes are taken out, other control characters become spaces. */
export function toPlainLine(text: string): string {
  if (plainAscii.test(text)) return text.trim();
  const shown = [...text.replace(terminalCode, "")].map((one) => (isUnsafe(one) ? " " : one));
  return shown.join("").trim();
}

/** Foreign text with its lines and tabs as they are; control characters become visible signs. */
export function showControlCharacters(text: string): string {
  const sign = (one: string) => {
    const code = one.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : "\ufffd";
  };
  return [...text].map((one) => (isUnsafe(one) && one !== "\n" && one !== "\t" ? sign(one) : one)).join("");
}

/** Foreign text as its own lines, each of them plain. */
export function toPlainLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(toPlainLine)
    .filter((line) => line !== "");
}

/** The same with the spaces that lines begin with. */
export function toIndentedLines(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const shown = toPlainLine(line);
    return shown === "" ? [] : [`${/^ */.exec(line)?.[0] ?? ""}${shown}`];
  });
}

/** A line in parts that fit; each part begins where the first one does, and `more` further in. */
export function wrapLines(line: string, width: number, more = 0): string[] {
  const start = /^ */.exec(line.replace(painted, ""))?.[0].length ?? 0;
  return wrap(line, width, start + more).split("\n");
}

function isUnsafe(one: string): boolean {
  const code = one.codePointAt(0) ?? 0;
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const isDirection =
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069);
  return isControl || isDirection;
}

/** Columns a text takes on a terminal; colours take none. */
export function measureWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let columns = 0;
  for (const one of text.replace(painted, "")) columns += wide.test(one) ? 2 : 1;
  return columns;
}

/** The lines that fit a screen: the first ones, and always the last one, which is what to type. */
export function fitRows(lines: readonly string[], rows: number, columns: number): string[] {
  const height = (line: string) => Math.max(1, Math.ceil(measureWidth(line) / Math.max(1, columns)));
  const last = lines.slice(-1);
  const first: string[] = [];
  let left = rows - last.reduce((sum, line) => sum + height(line), 0);
  for (const line of lines.slice(0, -1)) {
    left -= height(line);
    if (left >= 0) first.push(line);
  }
  return [...first, ...last];
}

/**
 * The text broken between words, so that each line fits; the lines after the first begin with `indent` spaces. A word
 * that is too long stays whole: it may be a path or a command. A width of 0 is unknown.
 */
export function wrap(text: string, width: number, indent = 0): string {
  if (width <= 0 || measureWidth(text) <= width) return text;
  const [lead = ""] = /^ */.exec(text) ?? [];
  const lines: string[] = [];
  let line = lead;
  for (const word of text.slice(lead.length).split(" ")) {
    const isFirst = line.trim() === "";
    const longer = isFirst ? line + word : `${line} ${word}`;
    if (isFirst || measureWidth(longer) <= width) line = longer;
    else {
      lines.push(line.trimEnd());
      line = " ".repeat(indent) + word;
    }
  }
  return [...lines, line.trimEnd()].join("\n");
}

/** Lines that a person copies: a terminal breaks them so that they can be taken as one, which no wrapping can. */
const isToPaste = (line: string): boolean =>
  /^\s*(?:\S+: +)?(?:\$ )?(?:pairflow|git|gh|npm|npx|cd|export|sudo|rm) /.test(line.replace(painted, ""));

/** Sentences broken between words at the width, each line on its own; what continues stands two further in. */
export function wrapSentences(text: string, width: number): string {
  if (!Number.isFinite(width) || width <= 0 || text.length <= width) return text;
  return text
    .split("\n")
    .map((line) => (isToPaste(line) ? line : wrapLines(line, width, 2).join("\n")))
    .join("\n");
}

/** Columns of the terminal that is written to; a pipe or a file gets whole lines. */
export function getScreenWidth(): number {
  return (isTerminal(1) ? process.stdout.columns : undefined) ?? Number.POSITIVE_INFINITY;
}

/** Rows of the terminal that is written to. */
const getScreenHeight = (): number =>
  (isTerminal(1) ? process.stdout.rows : undefined) || Number.POSITIVE_INFINITY;

/** The text, or as much of it as fits with … at its end. Colours are kept and closed; a width of 0 is unknown. */
export function cut(text: string, width: number): string {
  if (width <= 0 || text.length * 2 <= width || measureWidth(text) <= width) return text;
  let kept = "";
  let left = width - 1;
  let hasColour = false;
  for (const part of text.split(new RegExp(`(${esc}\\[\\d*m)`, "u"))) {
    if (part.startsWith(esc)) {
      kept += part;
      hasColour = true;
      continue;
    }
    for (const one of part) {
      left -= measureWidth(one);
      if (left < 0) return `${kept}…${hasColour ? `${esc}[0m` : ""}`;
      kept += one;
    }
  }
  return kept;
}
