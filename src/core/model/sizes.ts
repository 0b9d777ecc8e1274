// A line of the transcript has a limit, and so has the state: what the referee itself writes is cut to fit, and
// says so by its totals; whole texts are artifacts.

/** At most `max` characters; what was cut off is marked. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** The first items that together need at most `bytes` as JSON, at most `max` of them. */
export function fitting<T>(items: readonly T[], bytes: number, max = Number.POSITIVE_INFINITY): T[] {
  const kept: T[] = [];
  let used = 0;
  for (const item of items) {
    used += utf8Length(JSON.stringify(item)) + 1;
    if (used > bytes || kept.length >= max) break;
    kept.push(item);
  }
  return kept;
}

/** The end of a text, at most so many bytes of it. */
export function tail(text: string, bytes: number): string {
  let from = text.length;
  for (let used = 0; from > 0; from--) {
    used += utf8Size(text.charCodeAt(from - 1));
    if (used > bytes) break;
  }
  return text.slice(from);
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += utf8Size(text.charCodeAt(i));
  return bytes;
}

const utf8Size = (code: number) => (code < 0x80 ? 1 : code < 0x800 ? 2 : 3);
