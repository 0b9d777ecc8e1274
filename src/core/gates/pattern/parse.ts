// A parser for regular expressions. Constructs that need backtracking (look-around, back-references), and those that mean
// different things in different regex dialects, are rejected with a message.
import type { PatternPiece } from "../../text/nfa.ts";

/** `flaw`: why the pattern cannot be used, as the end of a sentence. */
export type Read = { readonly piece: PatternPiece; readonly flaw?: undefined } | { readonly flaw: string };

/** Where the reader is. After a flaw it is at the end, so that all callers return. */
interface Reader {
  readonly source: string;
  readonly ignoreCase: boolean;
  at: number;
  flaw?: string;
}

const flaws = {
  lineBreak: "it has a line break, and patterns are looked for line by line",
  lookAround: "it looks ahead or behind, which is not possible; say only what stands there",
  reference: "it refers back to a group, which is not possible",
};

const quantifier = /(?:([*+?])|\{(\d{1,6})(?:(,)(\d{0,6}))?\})\??/y;
const opening = /\((?:\?:|\?<[A-Za-z_$][\w$]*>|(?!\?))/y;
const set = /\[(?:\\.|[^\]\\])*\]/y;
const escapeAlone = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|c[A-Za-z]|0(?!\d)|[dDwWsStfv]|[^A-Za-z\d])/y;
const escapeInSet = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|0(?!\d)|[dDwWsStfvnrb]|[^A-Za-z\d])/g;

/** Reads a pattern whose brackets and quantifiers are known to be in order. */
export function parsePattern(source: string, ignoreCase: boolean): Read {
  const reader: Reader = { source, ignoreCase, at: 0 };
  const piece = parseChoice(reader);
  return reader.flaw === undefined ? { piece } : { flaw: reader.flaw };
}

function parseChoice(reader: Reader): PatternPiece {
  const among = [parseSequence(reader)];
  while (peek(reader) === "|") {
    reader.at++;
    among.push(parseSequence(reader));
  }
  return { kind: "choice", among };
}

function parseSequence(reader: Reader): PatternPiece {
  const parts: PatternPiece[] = [];
  while (!["", "|", ")"].includes(peek(reader))) parts.push(parseRepeat(reader));
  return { kind: "sequence", parts };
}

function parseRepeat(reader: Reader): PatternPiece {
  const piece = parseAtom(reader);
  const found = take(reader, quantifier);
  if (!found) return piece;
  const [, sign, least, comma, most] = found;
  if (sign !== undefined)
    return {
      kind: "repeat",
      piece,
      least: sign === "+" ? 1 : 0,
      most: sign === "?" ? 1 : Number.POSITIVE_INFINITY,
    };
  const fewest = Number(least);
  return {
    kind: "repeat",
    piece,
    least: fewest,
    most: comma ? Number(most || Number.POSITIVE_INFINITY) : fewest,
  };
}

function parseAtom(reader: Reader): PatternPiece {
  const character = peek(reader);
  if (character === "(") return group(reader);
  if (character === "[") return parseAmong(reader);
  if (character === "\\") return parseEscape(reader);
  if (character === "\n" || character === "\r") return fail(reader, flaws.lineBreak);
  reader.at++;
  if (character === "^") return { kind: "edge", holds: (before) => before === "" };
  if (character === "$") return { kind: "edge", holds: (_before, after) => after === "" };
  return parseCharacter(reader, character === "." ? "[^]" : character.replace(/[{}\]/]/, "\\$&"));
}

function group(reader: Reader): PatternPiece {
  if (!take(reader, opening)) return fail(reader, flaws.lookAround);
  const inside = parseChoice(reader);
  reader.at++;
  return inside;
}

function parseAmong(reader: Reader): PatternPiece {
  const text = take(reader, set)?.[0] ?? "";
  const strange = /\\./.exec(text.replace(escapeInSet, ""))?.[0];
  return strange === undefined ? parseCharacter(reader, text) : fail(reader, `${strange} means nothing here`);
}

function parseEscape(reader: Reader): PatternPiece {
  const name = reader.source[reader.at + 1] ?? "";
  if (name === "n" || name === "r") return fail(reader, flaws.lineBreak);
  if (/[1-9k]/.test(name)) return fail(reader, flaws.reference);
  if (name === "b" || name === "B") {
    reader.at += 2;
    return { kind: "edge", holds: (before, after) => isBoundary(before, after) === (name === "b") };
  }
  const found = take(reader, escapeAlone);
  return found ? parseCharacter(reader, found[0]) : fail(reader, `\\${name} means nothing here`);
}

const isWord = (character: string) => /^\w$/.test(character);
const isBoundary = (before: string, after: string) => isWord(before) !== isWord(after);

/** One character, by what the language itself thinks of it. */
function parseCharacter({ ignoreCase }: Reader, text: string): PatternPiece {
  const expression = new RegExp(`^${text}$`, ignoreCase ? "i" : "");
  return { kind: "one", is: (character) => expression.test(character) };
}

const peek = ({ source, at }: Reader): string => source[at] ?? "";

function take(reader: Reader, token: RegExp): RegExpExecArray | undefined {
  token.lastIndex = reader.at;
  const found = token.exec(reader.source) ?? undefined;
  reader.at += found?.[0].length ?? 0;
  return found;
}

function fail(reader: Reader, flaw: string): PatternPiece {
  reader.flaw ??= flaw;
  reader.at = reader.source.length;
  return { kind: "sequence", parts: [] };
}
