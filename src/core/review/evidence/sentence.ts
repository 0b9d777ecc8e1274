// The grammar of evidence that is written as one text: places, code between back-ticks, and prose. A place or a quote is
// always looked up; what is neither is prose and proves nothing. docs/reviews.md states it.

import type { CodeLocation } from "../../model/review/evidence.ts";
import { chooseLetters } from "./letters.ts";
import { findQuotedSpans, findTrailingCode, type QuotedSpan } from "./quotes.ts";
import { addLineNumbers, findFileReferences, findLineReferences } from "./spots.ts";
import type { EvidenceToken, Names, PlaceToken } from "./token.ts";

/** A quote, and the places beside which it is written: it must stand at one of them. */
export interface QuoteAtPlaces {
  readonly quote: string;
  readonly at: readonly Omit<CodeLocation, "quote">[];
}

export interface ReadSentence {
  readonly places: readonly Omit<CodeLocation, "quote">[];
  readonly quotes: readonly QuoteAtPlaces[];
  /** What it says beside the places it names. */
  readonly words: string;
}

export function readSentence(sentence: string, names: Names): ReadSentence {
  const spans = findQuotedSpans(sentence);
  const ticked = spans.map((span) => ({ span, place: findPlaceIn(span.quote, names) }));
  const text = blankTokens(sentence, spans);
  const spots = findLineReferences(text, names);
  const named = findFileReferences(blankTokens(text, spots), names);
  const inTicks = ticked.flatMap(({ span: { from, to }, place }) => (place ? [{ ...place, from, to }] : []));
  const places = addLineNumbers(sentence, [...spots, ...named, ...inTicks].sort(compareByPosition));
  const code = findTrailingCode(
    blankTokens(text, named),
    places.filter(({ line }) => line !== undefined),
    spans,
  );
  const quotes = [...ticked.flatMap(({ span, place }) => (place ? [] : [span])), ...code].sort(
    compareByPosition,
  );
  return {
    places: places.map(buildPlace),
    quotes: assignQuotes(sentence, places, quotes),
    words: blankTokens(sentence, places),
  };
}

const compareByPosition = (a: EvidenceToken, b: EvidenceToken) => a.from - b.from;

/** A span that is nothing but a place; code that merely looks like one names no file. */
function findPlaceIn(quote: string, names: Names): PlaceToken | undefined {
  const text = quote.trim();
  const [spot] = findLineReferences(text, names);
  if (spot && spot.from === 0 && spot.to === text.length) return spot;
  const file = names(text);
  return file === undefined ? undefined : { from: 0, to: text.length, file };
}

/** The same text with spaces in place of what was read already; line breaks stay. */
export function blankTokens(text: string, tokens: readonly EvidenceToken[]): string {
  let left = text;
  for (const { from, to } of tokens)
    left = left.slice(0, from) + left.slice(from, to).replace(/[^\n]/g, " ") + left.slice(to);
  return left;
}

function buildPlace({ file, line, end_line: end }: PlaceToken): Omit<CodeLocation, "quote"> {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(end === undefined ? {} : { end_line: end }),
  };
}

/** Each quote with the places of its own clause; where that has none, with the nearest before and behind it. */
function assignQuotes(
  sentence: string,
  places: readonly PlaceToken[],
  quotes: readonly QuotedSpan[],
): readonly QuoteAtPlaces[] {
  const clauseOf = numberClauses(sentence, [...places, ...quotes]);
  return quotes.map((quote) => {
    const own = places.filter((place) => clauseOf(place) === clauseOf(quote));
    const from = own.length > 0 ? own : places;
    const before = from.filter((place) => place.from < quote.from).at(-1);
    const behind = from.find((place) => place.from > quote.from);
    const at = [before, behind].flatMap((place) => (place ? [buildPlace(place)] : []));
    return { quote: quote.quote, at };
  });
}

// The clauses of a sentence: commas, semicolons, line breaks, full stops and the words between two statements part them.
// A quote belongs to the places of its own clause.
/** The number of the clause that a token stands in. What stands inside of tokens parts nothing. */
function numberClauses(sentence: string, tokens: readonly EvidenceToken[]): (token: EvidenceToken) => number {
  const ends = [...sentence.matchAll(chooseLetters(sentence).parting)]
    .map(({ index }) => index)
    .filter((at) => !tokens.some(({ from, to }) => at >= from && at < to));
  return ({ from }) => ends.filter((at) => at < from).length;
}
