// Reading JSON that others wrote, within bounds. A document nested without end would break code that walks over it later, far
// from where it came in; so it is refused when it is read, with a message that names the bound.
import { tryOr } from "../model/value/try-or.ts";

/** Deeper than anything that is written by hand or by a tool on purpose, and far from what breaks. */
export const deepest = 100;

/** The value of a JSON text. Throws an error in plain words when it is none, or one beyond the bounds. */
export function parseJson(text: string): unknown {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (isTooDeep(plain)) throw new SyntaxError(tooDeep);
  return JSON.parse(plain);
}

export const tooDeep = `it is nested deeper than ${deepest} levels`;

/** The same, and undefined where it cannot be read: for lines that may be anything. */
export function tryParseJson(text: string): unknown {
  return tryOr(() => parseJson(text), undefined);
}

/** Whether brackets outside of texts are nested too deep. One look over the text, and none at most texts. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * deepest) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = findEndOfText(text, at);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

const quote = 0x22;

function findEndOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** Whether a value is nested too deep, wherever it comes from. */
export function isDeepValue(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= deepest) return true;
    level = level.flatMap((one) => Object.values(one)).filter(isNested);
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
