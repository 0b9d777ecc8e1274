// An item that is both in and out: the same words in scope and non-goals, or once with "no" and once without. Words are
// compared by stem and without filler, in any order; one more word of substance makes it another item.

import { parseLeadingId } from "../ids.ts";
import { blankNonProse, getProse, shortenExcerpt, splitProseWords } from "../inline.ts";
import type { DocumentProblem, DocumentReading } from "../problem.ts";
import type { PlacedBlock } from "../sections.ts";

interface Statement {
  readonly line: number;
  readonly text: string;
  /** Stems in order of the alphabet. */
  readonly key: string;
  /** "No gift cards", "Gift cards are not supported". */
  readonly isNegated: boolean;
  readonly side: "in" | "out";
}

/** Statements that say of one thing that it is wanted and that it is not. */
export function findContradictions({ placed }: DocumentReading): DocumentProblem[] {
  const statements = placed.flatMap(listStatementsIn);
  const wanted = new Map<string, Statement>();
  for (const one of statements) if (isWanted(one) && !wanted.has(one.key)) wanted.set(one.key, one);
  return statements.flatMap((one) => {
    const other = isWanted(one) ? undefined : wanted.get(one.key);
    if (!other) return [];
    const where =
      one.side === "out"
        ? `is among the non-goals, and in line ${other.line} it is not`
        : `contradicts line ${other.line}`;
    return [
      {
        line: one.line,
        message: `"${shortenExcerpt(one.text)}" ${where}`,
        hint: "keep it on one side, or say in both places which part is meant",
      },
    ];
  });
}

const isWanted = ({ side, isNegated }: Statement) => side === "in" && !isNegated;

function listStatementsIn({ block, places }: PlacedBlock): Statement[] {
  const isOut = places.includes("non-goals");
  const isIn = places.includes("scope") || places.includes("requirements");
  if (isOut === isIn || (block.kind !== "item" && block.kind !== "row")) return [];
  if (block.kind === "row" && block.header) return [];
  const text = block.kind === "row" ? describeRow(block.cells) : getProse(block).text;
  const head = getHead(text);
  const { key, isNegated } = splitNegation(head);
  return key === ""
    ? []
    : [{ line: block.line, text: head.trim(), key, isNegated, side: isOut ? "out" : "in" }];
}

/** The first cell that is more than an id. */
const describeRow = (cells: readonly string[]): string =>
  cells.find((cell) => cell.length > (parseLeadingId(cell)?.shown.length ?? 0) + 6) ?? "";

const reason =
  /\s(?:[-–—]|because|since)\s|[:;,(]\s*(?=(?:not|no|later|planned|because|since|until|deferred|postponed|next|separate|another|it|this|they|that|these|is|comes|will|out|see|handled|too)\b)|\.\s/i;

/** The statement without its id and without the reason behind it. */
function getHead(text: string): string {
  const id = parseLeadingId(text);
  const words = id ? text.slice(id.end).replace(/^[\s*_\])`~:.|–—-]+/, "") : text;
  const short = words.slice(0, 400);
  const cut = reason.exec(short)?.index;
  return cut === undefined || cut === 0 ? short : short.slice(0, cut);
}

const filler = new Set(
  `a an the of for to in on at by with and or is are be will can may must shall should support supports supported supporting feature
  features functionality ability able allow allows provide provides implement implements add adds adding any all user users system
  app application product this that these those our we it its via using new as from into also there`.split(
    /\s+/,
  ),
);
const negations = new Set(
  "no not without never none neither nor isn't aren't won't don't cannot can't exclude excludes excluded excluding".split(
    " ",
  ),
);
/** Behind a negation these say nothing of their own: "is not included". */
const afterNegation = new Set(
  "included part planned covered offered supported scope considered handled available changed done".split(
    " ",
  ),
);

function splitNegation(text: string): { key: string; isNegated: boolean } {
  const words = splitProseWords(blankNonProse(text)).map((word) =>
    word.text.toLowerCase().replace(/’/g, "'"),
  );
  const first = words.findIndex((word) => negations.has(word));
  // "without" in the middle qualifies: "checkout without an account" is a thing of its own.
  const isQualifier = first > 0 && words[first] === "without";
  const isNegated = first >= 0 && !isQualifier;
  const kept = words.filter((word, i) => {
    if (isNegated && (negations.has(word) || (i > first && afterNegation.has(word)))) return false;
    return !filler.has(word);
  });
  const stems = [...new Set(kept.map(stemWord))].sort();
  return { key: stems.join(" "), isNegated };
}

/** A word without its usual endings; near enough to compare, not meant to be read. */
export function stemWord(word: string): string {
  const short = word.replace(/'s$/, "");
  if (short.length > 5 && short.endsWith("ies")) return `${short.slice(0, -3)}y`;
  for (const ending of ["ing", "ed", "es", "s", "e"]) {
    if (short.length - ending.length >= 3 && short.endsWith(ending) && !short.endsWith("ss"))
      return undoubleConsonant(short.slice(0, -ending.length));
  }
  return short;
}

const undoubleConsonant = (stem: string) =>
  /([b-df-hj-np-tv-z])\1$/.test(stem) && !stem.endsWith("ss") && !stem.endsWith("ll")
    ? stem.slice(0, -1)
    : stem;
