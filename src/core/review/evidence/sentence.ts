// The grammar of evidence that is written as one text: places, code between back-ticks, and prose. A place or a quote is
// always looked up; what is neither is prose and proves nothing. docs/reviews.md states it.
import type { Place } from "../../model/evidence.ts";
import { clausesOf } from "./clauses.ts";
import { codeBehind, spansOf } from "./quotes.ts";
import { filesIn, linesIn, spotsIn } from "./spots.ts";
import type { Names, PlaceToken, Token } from "./token.ts";

interface QuoteToken extends Token {
  readonly quote: string;
}

/** A quote, and the places beside which it is written: it must stand at one of them. */
export interface Quoted {
  readonly quote: string;
  readonly at: readonly Omit<Place, "quote">[];
}

export interface ReadSentence {
  readonly places: readonly Omit<Place, "quote">[];
  readonly quotes: readonly Quoted[];
  /** What it says beside the places it names. */
  readonly words: string;
}

export function readSentence(sentence: string, names: Names): ReadSentence {
  const spans = spansOf(sentence);
  const ticked = spans.map((span) => ({ span, place: placeIn(span.quote, names) }));
  const text = blanked(sentence, spans);
  const spots = spotsIn(text, names);
  const named = filesIn(blanked(text, spots), names);
  const inTicks = ticked.flatMap(({ span: { from, to }, place }) => (place ? [{ ...place, from, to }] : []));
  const places = linesIn(sentence, [...spots, ...named, ...inTicks].sort(byPosition));
  const code = codeBehind(
    blanked(text, named),
    places.filter(({ line }) => line !== undefined),
    spans,
  );
  const quotes = [...ticked.flatMap(({ span, place }) => (place ? [] : [span])), ...code].sort(byPosition);
  return {
    places: places.map(placeOf),
    quotes: belonging(sentence, places, quotes),
    words: blanked(sentence, places),
  };
}

const byPosition = (a: Token, b: Token) => a.from - b.from;

/** A span that is nothing but a place; code that merely looks like one names no file. */
function placeIn(quote: string, names: Names): PlaceToken | undefined {
  const text = quote.trim();
  const [spot] = spotsIn(text, names);
  if (spot && spot.from === 0 && spot.to === text.length) return spot;
  const file = names(text);
  return file === undefined ? undefined : { from: 0, to: text.length, file };
}

/** The same text with spaces in place of what was read already; line breaks stay. */
export function blanked(text: string, tokens: readonly Token[]): string {
  let left = text;
  for (const { from, to } of tokens)
    left = left.slice(0, from) + left.slice(from, to).replace(/[^\n]/g, " ") + left.slice(to);
  return left;
}

function placeOf({ file, line, end_line: end }: PlaceToken): Omit<Place, "quote"> {
  return {
    file,
    ...(line === undefined ? {} : { line }),
    ...(end === undefined ? {} : { end_line: end }),
  };
}

/** Each quote with the places of its own clause; where that has none, with the nearest before and behind it. */
function belonging(
  sentence: string,
  places: readonly PlaceToken[],
  quotes: readonly QuoteToken[],
): readonly Quoted[] {
  const clauseOf = clausesOf(sentence, [...places, ...quotes]);
  return quotes.map((quote) => {
    const own = places.filter((place) => clauseOf(place) === clauseOf(quote));
    const from = own.length > 0 ? own : places;
    const before = from.filter((place) => place.from < quote.from).at(-1);
    const behind = from.find((place) => place.from > quote.from);
    const at = [before, behind].flatMap((place) => (place ? [placeOf(place)] : []));
    return { quote: quote.quote, at };
  });
}
