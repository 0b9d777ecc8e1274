// A glob as a tree for the automaton: `*`, `**`, `?`, character classes, braces and the extended groups of the shell.
// A sign that opens something and is never closed stands for itself; `findUnclosed` tells where a file has one.
import type { PatternPiece } from "./nfa.ts";

interface Reader {
  readonly source: string;
  readonly ignoreCase: boolean;
  /** Which of the `!(…)` groups, in their order, stands for what it excludes; all others stand for any name. */
  readonly excluded: number;
  at: number;
  exclusions: number;
}

export interface ParsedGlob {
  readonly piece: PatternPiece;
  /** How many `!(…)` groups it has. */
  readonly exclusions: number;
}

/** Numbers or letters of `{1..12}`; more are no range that somebody wrote. */
const longestRange = 1000;

const nothing: PatternPiece = { kind: "sequence", parts: [] };
const anything: PatternPiece = { kind: "one", is: () => true };
const inName: PatternPiece = { kind: "one", is: (character) => character !== "/" };
const slash: PatternPiece = { kind: "one", is: (character) => character === "/" };
const repeatPiece = (piece: PatternPiece, least = 0): PatternPiece => ({
  kind: "repeat",
  piece,
  least,
  most: Number.POSITIVE_INFINITY,
});
const buildSequence = (...parts: readonly PatternPiece[]): PatternPiece => ({ kind: "sequence", parts });
const buildChoice = (...among: readonly PatternPiece[]): PatternPiece => ({ kind: "choice", among });

/** Folders of `**` with a slash behind it: no folder, or any number of them. */
const anyFolders = buildChoice(nothing, buildSequence(repeatPiece(anything), slash));
const insideFolder = buildSequence(slash, repeatPiece(anything, 1));

/** One character as a person counts them: outside the basic plane it takes two units. */
function buildCharacter(is: (unit: string) => boolean): PatternPiece {
  const pair = buildSequence(buildSurrogates(0xd800, 0xdbff), buildSurrogates(0xdc00, 0xdfff));
  const isSurrogate = (unit: string) => unit >= "\ud800" && unit <= "\udfff";
  return buildChoice({ kind: "one", is: (unit) => unit !== "/" && !isSurrogate(unit) && is(unit) }, pair);
}

const buildSurrogates = (from: number, to: number): PatternPiece => ({
  kind: "one",
  is: (unit) => unit.charCodeAt(0) >= from && unit.charCodeAt(0) <= to,
});

/** Reads a glob. `excluded` picks the `!(…)` group that stands for what is in it. */
export function parseGlob(source: string, ignoreCase: boolean, excluded = -1): ParsedGlob {
  const reader: Reader = { source, ignoreCase, excluded, at: 0, exclusions: 0 };
  const piece = parseSequence(reader, "");
  return { piece, exclusions: reader.exclusions };
}

function parseSequence(reader: Reader, ends: string): PatternPiece {
  const parts: PatternPiece[] = [];
  while (reader.at < reader.source.length && !ends.includes(peek(reader)))
    parts.push(parsePart(reader, ends));
  return { kind: "sequence", parts };
}

type Parse = (reader: Reader, ends: string) => PatternPiece | undefined;

/** What each sign may open; one that opens nothing stands for itself. */
const parsers: Readonly<Record<string, Parse>> = {
  "\\": parseEscape,
  "*": parseStars,
  "/": parseSlash,
  "?": parseQuestionMark,
  "[": parseClass,
  "{": parseBraces,
  "(": parsePlainGroup,
};

function parsePart(reader: Reader, ends: string): PatternPiece {
  const sign = peek(reader);
  return parseGroup(reader) ?? parsers[sign]?.(reader, ends) ?? takeLiteral(reader);
}

function parseEscape(reader: Reader): PatternPiece | undefined {
  if (reader.at + 1 === reader.source.length) return undefined;
  reader.at++;
  return takeLiteral(reader);
}

function parseQuestionMark(reader: Reader): PatternPiece {
  reader.at++;
  return buildCharacter(() => true);
}

/** Two stars alone between slashes mean any folders; everywhere else stars stay within a name. */
function parseStars(reader: Reader, ends: string): PatternPiece {
  const { source, at: from } = reader;
  while (peek(reader) === "*") reader.at++;
  const isAlone = isNameStart(source, from) && isNameEnd(source, reader.at, ends);
  if (reader.at - from < 2 || !isAlone) return repeatPiece(inName);
  if (peek(reader) !== "/") return repeatPiece(anything, 1);
  reader.at++;
  return anyFolders;
}

/** `/**` at the end: anything in the folder, and the folder itself where its name is spelled out. */
function parseSlash(reader: Reader, ends: string): PatternPiece {
  const hasName = reader.source[reader.at - 1] !== "*";
  const stars = /^(?:\/\*\*+)+/.exec(reader.source.slice(reader.at, reader.at + 400))?.[0] ?? "";
  const behind = reader.at + stars.length;
  const isEnd = behind >= reader.source.length || ends.includes(reader.source[behind] ?? "");
  if (stars !== "" && isEnd) {
    reader.at = behind;
    return hasName ? buildChoice(nothing, insideFolder) : insideFolder;
  }
  reader.at++;
  return slash;
}

const isNameStart = (source: string, at: number) => at === 0 || "/{,(|".includes(source[at - 1] ?? "");
const isNameEnd = (source: string, at: number, ends: string) =>
  at >= source.length || source[at] === "/" || ends.includes(source[at] ?? "");

/** `@(a|b)`, `+(a|b)`, `*(a|b)`, `?(a|b)` and `!(a|b)`. */
function parseGroup(reader: Reader): PatternPiece | undefined {
  const sign = peek(reader);
  const isGroup = /^[@+*?!]$/.test(sign) && reader.source[reader.at + 1] === "(";
  if (!isGroup || findClosing(reader.source, reader.at + 1) === undefined) return undefined;
  reader.at += 2;
  const inside = parseAlternatives(reader, "|)");
  if (sign === "@") return inside;
  if (sign === "!") return reader.exclusions++ === reader.excluded ? inside : repeatPiece(inName);
  if (sign === "?") return buildChoice(nothing, inside);
  return repeatPiece(inside, sign === "+" ? 1 : 0);
}

/** `(a|b)` means one of both; as the name of a folder, such as `(shop)`, it also means itself. */
function parsePlainGroup(reader: Reader): PatternPiece | undefined {
  const { source, at } = reader;
  const end = findClosing(source, at);
  if (end === undefined) return undefined;
  reader.at++;
  const inside = parseAlternatives(reader, "|)");
  return buildChoice(inside, buildLiteral(reader, source.slice(at, end + 1)));
}

/** The alternatives up to the closing sign, which is the last of `ends` and is passed. */
function parseAlternatives(reader: Reader, ends: string): PatternPiece {
  const among = [parseSequence(reader, ends)];
  while (peek(reader) === ends[0]) {
    reader.at++;
    among.push(parseSequence(reader, ends));
  }
  reader.at++;
  return { kind: "choice", among };
}

/** `{a,b}` or a range such as `{1..12}`; braces around one word are part of the name. */
function parseBraces(reader: Reader): PatternPiece | undefined {
  const { source, at } = reader;
  const end = findClosing(source, at);
  if (end === undefined) return undefined;
  const range = readRange(source.slice(at + 1, end));
  if (range) {
    reader.at = end + 1;
    return buildChoice(...range.map((item) => buildLiteral(reader, item)));
  }
  if (!hasComma(source, at, end)) return undefined;
  reader.at++;
  return parseAlternatives(reader, ",}");
}

function readRange(text: string): string[] | undefined {
  const [, from, to] = /^(-?\d{1,9}|[a-z])\.\.(-?\d{1,9}|[a-z])$/i.exec(text) ?? [];
  if (from === undefined || to === undefined || /\d/.test(from) !== /\d/.test(to)) return undefined;
  const isNumber = /\d/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const [low, high] = [Math.min(first, last), Math.max(first, last)];
  if (high - low >= longestRange) return undefined;
  const width = isNumber && /^-?0\d/.test(from) ? from.length : 0;
  return Array.from({ length: high - low + 1 }, (_, i) =>
    isNumber ? String(low + i).padStart(width, "0") : String.fromCharCode(low + i),
  );
}

/** `[abc]`, `[a-z]`, `[!a]`, `[[:alpha:]]`. Since folders are named `[id]` too, it also means itself. */
function parseClass(reader: Reader): PatternPiece | undefined {
  const { source, at } = reader;
  const end = findClassEnd(source, at);
  if (end === undefined) return undefined;
  reader.at = end + 1;
  const inside = source.slice(at + 1, end);
  const isNegated = /^[!^]/.test(inside);
  const is = createMembershipTest(isNegated ? inside.slice(1) : inside, reader.ignoreCase);
  const member: PatternPiece = isNegated
    ? buildCharacter((unit) => !is(unit))
    : { kind: "one", is: (unit) => unit !== "/" && is(unit) };
  return buildChoice(member, buildLiteral(reader, source.slice(at, end + 1)));
}

const named: Readonly<Record<string, RegExp>> = {
  alpha: /^[a-z]$/i,
  digit: /^\d$/,
  alnum: /^[a-z\d]$/i,
  upper: /^[A-Z]$/,
  lower: /^[a-z]$/,
  space: /^\s$/,
  word: /^\w$/,
};

function createMembershipTest(inside: string, ignoreCase: boolean): (unit: string) => boolean {
  const tests: ((unit: string) => boolean)[] = [];
  const token = /\[:([a-z]+):\]|(\\?.)(?:-(\\?.))?/gsy;
  for (let found = token.exec(inside); found; found = token.exec(inside)) {
    const [, name, from = "", to = from] = found;
    const known = name === undefined ? undefined : named[name];
    const [low, high] = [from.at(-1) ?? "", to.at(-1) ?? ""];
    tests.push(known ? (unit) => known.test(unit) : (unit) => unit >= low && unit <= high);
  }
  const is = (unit: string) => tests.some((test) => test(unit));
  return ignoreCase ? (unit) => is(unit.toLowerCase()) || is(unit.toUpperCase()) : is;
}

function takeLiteral(reader: Reader): PatternPiece {
  reader.at++;
  return buildLiteral(reader, reader.source[reader.at - 1] ?? "");
}

function buildLiteral({ ignoreCase }: Pick<Reader, "ignoreCase">, text: string): PatternPiece {
  const parts = text.split("").map((wanted): PatternPiece => {
    if (!ignoreCase) return { kind: "one", is: (unit) => unit === wanted };
    const folded = wanted.toLowerCase();
    return { kind: "one", is: (unit) => unit.toLowerCase() === folded };
  });
  return { kind: "sequence", parts };
}

const peek = ({ source, at }: Reader): string => source[at] ?? "";

/** Where the class that opens at `at` closes; a `]` in the first place belongs to it. */
function findClassEnd(source: string, at: number): number | undefined {
  const found = /^\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/s.exec(source.slice(at, at + 400));
  return found && found[0].length > 2 ? at + found[0].length - 1 : undefined;
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "{": "}" };

/** Where the group or brace that opens at `at` closes. */
function findClosing(source: string, at: number): number | undefined {
  const open = source[at] ?? "";
  const close = pairs[open];
  let depth = 0;
  for (let i = at; i < source.length; i++) {
    const character = source[i];
    if (character === "\\") i++;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return i;
  }
  return undefined;
}

/** Whether there is a comma of this brace itself, not of one inside it. */
function hasComma(source: string, from: number, to: number): boolean {
  let depth = 0;
  for (let i = from + 1; i < to; i++) {
    const character = source[i];
    if (character === "\\") i++;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    else if (character === "," && depth === 0) return true;
  }
  return false;
}

/** The first sign that opens something which is never closed. */
export function findUnclosed(source: string): string | undefined {
  for (let i = 0; i < source.length; i++) {
    const character = source[i] ?? "";
    if (character === "\\") i++;
    else if (character === "[") {
      const end = findClassEnd(source, i);
      if (end === undefined) return character;
      i = end;
    } else if (character in pairs && findClosing(source, i) === undefined) return character;
  }
  return undefined;
}
