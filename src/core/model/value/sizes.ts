// A line of the transcript has a limit, and so has the state: what the referee itself writes is cut to fit, and
// says so by its totals; whole texts are artifacts.

/** At most `max` characters; what was cut off is marked. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${keepStart(text, max - 1)}…`;
}

/** The start of a text, at most `max` characters of it, without half a character at its end. */
export function keepStart(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, findCutBefore(text, Math.max(0, Math.floor(max))));
}

/** The end of a text, at most `max` characters of it, without half a character at its start. */
export function keepEnd(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(findCutAfter(text, text.length - Math.max(0, Math.floor(max))));
}

/** The first items that together need at most `bytes` as JSON, at most `max` of them. */
export function takeFitting<T>(items: readonly T[], bytes: number, max = Number.POSITIVE_INFINITY): T[] {
  const kept: T[] = [];
  let used = 0;
  for (const item of items) {
    used += measureUtf8(JSON.stringify(item)) + 1;
    if (used > bytes || kept.length >= max) break;
    kept.push(item);
  }
  return kept;
}

/** The end of a text, at most so many bytes of it. */
export function keepLastBytes(text: string, bytes: number): string {
  let from = text.length;
  for (let used = 0; from > 0; from--) {
    used += measureUtf8Unit(text.charCodeAt(from - 1));
    if (used > bytes) break;
  }
  return text.slice(findCutAfter(text, from));
}

/** The beginning of a text, at most so many bytes of it. */
export function keepFirstBytes(text: string, bytes: number): string {
  let to = 0;
  for (let used = 0; to < text.length; to++) {
    used += measureUtf8Unit(text.charCodeAt(to));
    if (used > bytes) break;
  }
  return text.slice(0, findCutBefore(text, to));
}

/** How many bytes at the start of a piece of UTF-8 belong to a character that began before it. */
export function countContinuationBytes(bytes: Uint8Array): number {
  let rest = 0;
  while (rest < 3 && ((bytes[rest] ?? 0) & 0xc0) === 0x80) rest++;
  return rest;
}

function measureUtf8(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += measureUtf8Unit(text.charCodeAt(i));
  return bytes;
}

const measureUtf8Unit = (code: number) => (code < 0x80 ? 1 : code < 0x800 ? 2 : 3);

/** Where a text may be cut at this place or before it. */
function findCutBefore(text: string, at: number): number {
  let place = at;
  for (let step = 0; step < longestSign && isInside(text, place); step++) place--;
  return isInside(text, place) ? at - Number(isPair(text, at)) : place;
}

/** Where a text may be cut at this place or behind it. */
function findCutAfter(text: string, at: number): number {
  let place = at;
  for (let step = 0; step < longestSign && isInside(text, place); step++) place++;
  return isInside(text, place) ? at + Number(isPair(text, at)) : place;
}

/** A sign made of more parts than this is cut between its parts; a family of emoji has eleven. */
const longestSign = 16;

/** Whether one sign stands on both sides: a surrogate pair, an accent of its own, emoji that are joined or coloured. */
function isInside(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  if (after < 0x300 && before !== joiner) return false;
  return isPair(text, at) || before === joiner || after === joiner || joins.test(text.slice(at, at + 2));
}

const isPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;

const joiner = 0x200d;
const joins = /^(?:\p{M}|[\u{1f3fb}-\u{1f3ff}])/u;
