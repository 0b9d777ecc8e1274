// What a passage says in its own words: code, link targets, tags and quotations are blanked, letter for letter, so that
// places stay where they are.

import { keepEnd, keepStart } from "../model/value/sizes.ts";
import { findCodeSpans } from "../text/markdown.ts";
import type { Block } from "./markdown.ts";

/** The words of a block as one text. */
export interface Prose {
  readonly text: string;
  /** The line on which a place of the text stands. */
  lineAt(place: number): number;
}

/** The words of a block, with a way back to their lines. */
export function getProse(block: Block): Prose {
  if (block.kind === "heading") return { text: block.text, lineAt: () => block.line };
  if (block.kind === "row") return { text: block.cells.join(" | "), lineAt: () => block.line };
  const text = block.pieces.map((piece) => piece.text).join("\n");
  const starts: number[] = [];
  let at = 0;
  for (const piece of block.pieces) {
    starts.push(at);
    at += piece.text.length + 1;
  }
  return { text, lineAt: (place) => block.pieces[findIndexBefore(starts, place)]?.line ?? block.line };
}

/** The last start that is not behind a place; a passage can have thousands of lines and problems. */
function findIndexBefore(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The text with everything blanked that is not the author's own prose. */
export const blankNonProse = (text: string): string => blankSpans(blankCode(text), { quotes: true });

/** The text with quotations, link targets and tags blanked, and its code as it is. */
export const blankQuotations = (text: string): string => blankSpans(text, { quotes: true });

/** The text with only link targets and tags blanked. */
export const blankLinksAndTags = (text: string): string => blankSpans(text, { quotes: false });

/** The text with code between backticks blanked, and nothing else. */
export function blankCode(text: string): string {
  let result = "";
  let at = 0;
  for (const { start, end } of findCodeSpans(text)) {
    result += text.slice(at, start) + blank(text, start, end);
    at = end;
  }
  return result + text.slice(at);
}

const blank = (text: string, start: number, end: number): string =>
  text.slice(start, end).replace(/[^\n]/g, " ");

const reach = 500;
const closers: Readonly<Record<string, string>> = { '"': '"', "“": "”", "„": "“", "«": "»" };

function blankSpans(text: string, { quotes }: { quotes: boolean }): string {
  let result = "";
  let at = 0;
  while (at < text.length) {
    const end = findHiddenEnd(text, at, quotes);
    if (end > at) {
      result += blank(text, at, end);
      at = end;
    } else result += text[at++] ?? "";
  }
  return result;
}

/** Where something that is not prose ends, if it begins here. */
function findHiddenEnd(text: string, at: number, quotes: boolean): number {
  const one = text[at] ?? "";
  if (one === "<" && /[a-z/!]/i.test(text[at + 1] ?? "")) return findTagEnd(text, at);
  if (one === "(" && text[at - 1] === "]") return findClosingMark(text, at, ")");
  if (one === "h" || one === "w") return findAddressEnd(text, at);
  if (!quotes || !closers[one] || /\d/.test(text[at - 1] ?? "")) return at;
  return findClosingMark(text, at, closers[one]);
}

function findTagEnd(text: string, at: number): number {
  for (let i = at + 1; i < Math.min(text.length, at + reach); i++) {
    if (text[i] === ">") return i + 1;
    if (text[i] === "<" || text[i] === "\n") return at;
  }
  return at;
}

/** Behind the closing mark; the opening place itself when there is none near. */
function findClosingMark(text: string, at: number, closer: string): number {
  const near = text.slice(at + 1, at + reach).indexOf(closer);
  return near < 0 ? at : at + near + 2;
}

function findAddressEnd(text: string, at: number): number {
  if (!/^(?:https?:\/\/|www\.)/.test(text.slice(at, at + 8))) return at;
  let end = at;
  while (end < text.length && !/[\s)>\]]/.test(text[end] ?? " ")) end++;
  return end;
}

export interface ProseWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text; hyphens and apostrophes hold a word together. */
export function splitProseWords(text: string): ProseWord[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** A few words of a text for a message, without marks. */
export function shortenExcerpt(text: string, length = 60): string {
  const words = keepStart(text, 4 * length)
    .replace(/[*_`~]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return words.length > length ? `${keepStart(words, length - 1).trimEnd()}…` : words;
}

/** A few words of a text around a place. */
export function shortenExcerptAt(text: string, place: number): string {
  if (place <= 40) return shortenExcerpt(keepStart(text, 300));
  const near = keepStart(keepEnd(text, text.length - place + 40), 300);
  return `…${shortenExcerpt(near.slice(near.lastIndexOf(" ", 20) + 1))}`;
}
