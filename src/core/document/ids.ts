// Ids of requirements and criteria: R1, REQ-2, NFR-3.1, AC4. How they are spelled, found and compared.

export interface Id {
  /** The same for R1, R-1 and R01. */
  readonly key: string;
  /** As it is written. */
  readonly shown: string;
  readonly prefix: string;
  /** The number before any dot. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export const requirementPrefixes = new Set("R REQ RQ FR NFR BR UR SR TR PR DR IR F NF US UC".split(" "));
export const criterionPrefixes = new Set(["AC", "ACC", "A"]);
/** Names with a number that are no ids, even at the beginning of a line. */
const neverIds = new Set("UTF ISO HTTP SHA MD TLS RFC IPV MP P V B Q IE CSS ES RC".split(" "));

const shape = /(?<![\p{L}\p{N}_])([A-Z]{1,6})-?(\d{1,6})((?:\.\d{1,4}){0,3})([a-z]?)(?![\p{L}\p{N}_])/gu;

/** Everything in a text that is spelled like an id. */
export function findIds(text: string): Id[] {
  return [...text.matchAll(shape)].flatMap((match) => {
    const [shown, prefix = "", number = "", deeper = "", letter = ""] = match;
    const before = text.slice(Math.max(0, match.index - 2), match.index);
    // The end of a longer name, as in ISO-R1; a range (R1-R3) has a digit there.
    if (/[\p{L}]-$/u.test(before)) return [];
    const key = `${prefix}${Number(number)}${deeper}${letter}`;
    return [
      { key, shown, prefix, number: Number(number), start: match.index, end: match.index + shown.length },
    ];
  });
}

const widest = 200;

/** The keys a text refers to; "R1–R4" and "R1 to R4" stand for all four. */
export function findIdKeys(text: string): string[] {
  const ids = findIds(text);
  return ids.flatMap((id, i) => {
    const last = ids[i + 1];
    const isRange =
      last?.prefix === id.prefix &&
      last.number > id.number &&
      last.number - id.number < widest &&
      /^\s*(?:-|–|—|\.\.\.?|…|to|through)\s*$/.test(text.slice(id.end, Math.min(last.start, id.end + 20)));
    if (!isRange) return [id.key];
    return [
      id.key,
      ...Array.from({ length: last.number - id.number - 1 }, (_, n) => `${id.prefix}${id.number + n + 1}`),
    ];
  });
}

/** The id a statement begins with, behind bold marks, brackets or the word "Requirement". */
export function parseLeadingId(text: string): Id | undefined {
  const head = text.slice(0, 80);
  const marks =
    /^(?:[*_[(`~\s]|<[^>]{0,60}>)*(?:(?:requirement|criterion|acceptance criterion|story)[*_\s]+)?/i.exec(
      head,
    )?.[0];
  const at = marks?.length ?? 0;
  const id = findIds(head)[0];
  if (!id || id.start !== at || neverIds.has(id.prefix)) return undefined;
  const known = requirementPrefixes.has(id.prefix) || criterionPrefixes.has(id.prefix);
  const isSetOff = /^(?:[*_\])`~]*\s*(?:[:.)|\]–—]|-\s|$)|\*\*|__)/.test(head.slice(id.end));
  return known || isSetOff ? id : undefined;
}
