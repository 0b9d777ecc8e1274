// Places in a sentence: `file:39`, `file:L39`, `file#L39-L41`, `file lines 39-41`, `line 39 of file`, or a file alone.
// A word is a file because the tree or the base has it; a path that neither has is reported, another word is prose.
import { isAscii } from "./letters.ts";
import { type Names, normalizePath, type PlaceToken } from "./token.ts";

const marker = /(?::L?|#L)(\d{1,7})(?:(?:-|–|\.\.)L?(\d{1,7})|:\d{1,7})?(?!\w|\.\d)/g;
/** How many words a name with spaces has: in a folder, and without one. */
const mostWords = { inFolder: 8, alone: 3 };
const opening = /^[([{<"'“„«*_]+/u;

/** Places that name their line with the file. */
export function findLineReferences(text: string, names: Names): PlaceToken[] {
  const spots: PlaceToken[] = [];
  for (const found of text.matchAll(marker)) {
    const line = Number(found[1]);
    const after = spots.at(-1)?.to ?? 0;
    const named = line > 0 ? findFileBefore(text, after, found.index, names) : undefined;
    if (!named) continue;
    const end = found[2] === undefined ? {} : { end_line: Number(found[2]) };
    spots.push({ ...named, to: found.index + found[0].length, line, ...end });
  }
  return spots;
}

type Named = Pick<PlaceToken, "from" | "file">;

/** The file whose name ends here: the longest run of words that is one. */
function findFileBefore(text: string, after: number, end: number, names: Names): Named | undefined {
  const starts = listNameStarts(text, after, end);
  const last = starts[0];
  if (last === undefined) return undefined;
  for (const from of sortNameStarts(text, starts, end)) {
    const word = text.slice(from, end);
    const file = names(normalizePath(word), true);
    if (file !== undefined) return { from, file };
  }
  const word = text.slice(last, end);
  return isPath(word) ? { from: last, file: normalizePath(word) } : undefined;
}

/** Where a name that ends here may begin, the nearest first: at a word, with or without the signs before it. */
function listNameStarts(text: string, after: number, end: number): number[] {
  const starts: number[] = [];
  const line = text.slice(Math.max(after, text.lastIndexOf("\n", end - 1) + 1), end);
  const base = end - line.length;
  const words = [...line.matchAll(/\S+/g)].slice(-mostWords.inFolder).reverse();
  for (const { 0: word, index } of words) {
    const signs = opening.exec(word)?.[0].length ?? 0;
    for (let skip = signs; skip >= 0; skip--) if (skip < word.length) starts.push(base + index + skip);
  }
  const [nearest] = words;
  // Nothing but white space before the marker names no file.
  return nearest && base + nearest.index + nearest[0].length === end ? starts : [];
}

/** Names with spaces are tried first only where a folder stands before them; most names have none. */
function sortNameStarts(text: string, starts: readonly number[], end: number): number[] {
  const isSpaced = (from: number) => /\s/.test(text.slice(from, end));
  const whole = starts.filter((from) => !isSpaced(from));
  const spaced = starts.filter(isSpaced);
  const first = spaced.filter((from) => /^\S*\//.test(text.slice(from, end))).reverse();
  const alone = spaced.filter(
    (from) => !first.includes(from) && countWords(text.slice(from, end)) <= mostWords.alone,
  );
  return [...first, ...whole, ...alone];
}

const countWords = (text: string) => text.split(/\s+/).length;

/** Written as a path: a folder and a name with an ending. An address or an image of a registry is none. */
function isPath(word: string): boolean {
  if (word.includes("://")) return false;
  return isAscii(word)
    ? /^(?:\.{0,2}\/)?(?:[^\s/:]+\/)+[^\s/:]*[\w)\]]\.[A-Za-z]\w{0,9}$/.test(word)
    : /^(?:\.{0,2}\/)?(?:[^\s/:]+\/)+[^\s/:]*[\p{L}\p{N}_)\]]\.[A-Za-z]\w{0,9}$/u.test(word);
}

const closing = /[.,;:!?)\]}>"'”»*_]+$/u;
const namedFiles = /^(?:[A-Z]\w*file|LICENSE|README|CHANGELOG)$/;

/** Files that are named without a line. */
export function findFileReferences(text: string, names: Names): PlaceToken[] {
  const files: PlaceToken[] = [];
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!/[./]/.test(word) && !namedFiles.test(word.replace(closing, ""))) continue;
    const found = findFileAt(text, files.at(-1)?.to ?? 0, { from: index, word }, names);
    if (found) files.push(found);
  }
  return files;
}

interface Word {
  readonly from: number;
  readonly word: string;
}

function findFileAt(text: string, after: number, { from, word }: Word, names: Names): PlaceToken | undefined {
  const signs = closing.exec(word)?.[0].length ?? 0;
  for (let cut = signs; cut >= 0; cut--) {
    const to = from + word.length - cut;
    const starts = listNameStarts(text, after, to);
    for (const start of sortNameStarts(text, starts, to)) {
      const file = names(normalizePath(text.slice(start, to)));
      if (file !== undefined) return { from: start, to, file };
    }
  }
  return undefined;
}

const behind = /^(?:(?::L?|#L)|[\s,(]*(?:at |on )?lines?\s+)(\d{1,7})(?:\s*(?:-|–|to|and)\s*L?(\d{1,7}))?/i;
const before = /lines?\s+(\d{1,7})(?:\s*(?:-|–|to|and)\s*(\d{1,7}))?\s+(?:of|in)\s+[`"“]?$/i;

/** The same places, with the lines that words give them: `src/cart.ts lines 39-41`, `line 39 of src/cart.ts`. */
export function addLineNumbers(sentence: string, places: readonly PlaceToken[]): PlaceToken[] {
  return places.map((place) => {
    if (place.line !== undefined) return place;
    const after = behind.exec(sentence.slice(place.to));
    const ahead = after ? undefined : before.exec(sentence.slice(0, place.from));
    const [whole = "", first, last] = after ?? ahead ?? [];
    if (first === undefined || Number(first) < 1) return place;
    const end = last === undefined ? {} : { end_line: Number(last) };
    const reach = after ? { to: place.to + whole.length } : { from: place.from - whole.length };
    return { ...place, ...reach, line: Number(first), ...end };
  });
}
