// Looking for a regular expression in lines, in one walk along each: all ways to match are followed at once, so however
// a pattern is nested, no output can keep the driver busy.
import { type Piece, parse } from "./parse.ts";

/** `flaw`: why the pattern cannot be looked for, as the end of a sentence. */
export type Matcher = Search | { readonly flaw: string };

export interface Search {
  /** Whether the pattern stands anywhere in the line. */
  readonly matches: (line: string) => boolean;
  /** It was looked for too long; since then nothing matches. */
  readonly isSpent: () => boolean;
  readonly flaw?: undefined;
}

/** A place to stand while walking between two characters: where it leads to, if it likes what is on both sides. */
interface Place {
  readonly holds: (before: string, after: string) => boolean;
  readonly ways: readonly number[];
  /** Its ways lead past the next character. */
  readonly isStep?: boolean;
}

/** Counted repetitions are written out; so many places are enough for any pattern that a person can read. */
const mostPlaces = 600;
/** How many places are visited at most in all lines together: a second or two. Few patterns ever need a thousandth. */
const mostVisits = 10_000_000;
/** How many standings are remembered. */
const mostStandings = 2000;
const end = 0;
const ignoringCase = "(?i)";

/** The pattern, ready to be looked for. */
export function matcherOf(pattern: string): Matcher {
  const ignoreCase = pattern.startsWith(ignoringCase);
  const source = ignoreCase ? pattern.slice(ignoringCase.length) : pattern;
  const disorder = disorderOf(source);
  if (disorder !== undefined) return { flaw: `it is no regular expression: ${disorder}` };
  const read = parse(source, ignoreCase);
  if (read.flaw !== undefined) return read;
  if (sizeOf(read.piece) > mostPlaces) return { flaw: "it repeats too much" };
  return searchFor(laidOut(read.piece));
}

/** What is wrong with brackets and quantifiers, in the language's own words. */
function disorderOf(source: string): string | undefined {
  try {
    new RegExp(source);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message.split(": ").at(-1) : undefined)?.toLowerCase() ?? "";
  }
}

/** How many places a piece takes at most. */
function sizeOf(piece: Piece): number {
  if (piece.kind === "one" || piece.kind === "edge") return 1;
  if (piece.kind === "sequence") return sum(piece.parts);
  if (piece.kind === "choice") return 1 + sum(piece.among);
  const times = piece.most === Number.POSITIVE_INFINITY ? piece.least + 1 : piece.most;
  return times * (sizeOf(piece.piece) + 1);
}

const sum = (pieces: readonly Piece[]) => pieces.reduce((size, piece) => size + sizeOf(piece), 0);

interface Layout {
  readonly places: readonly Place[];
  readonly start: number;
}

const always = () => true;

/** The pieces as places with ways between them, built from the end to the beginning. */
function laidOut(whole: Piece): Layout {
  const places: Place[] = [{ holds: always, ways: [] }];
  const put = (place: Place) => places.push(place) - 1;
  const fork = (ways: readonly number[]) => put({ holds: always, ways });

  function build(piece: Piece, next: number): number {
    if (piece.kind === "one")
      return put({ holds: (_before, after) => after !== "" && piece.is(after), ways: [next], isStep: true });
    if (piece.kind === "edge") return put({ holds: piece.holds, ways: [next] });
    if (piece.kind === "sequence") return piece.parts.reduceRight((after, part) => build(part, after), next);
    if (piece.kind === "choice") return fork(piece.among.map((way) => build(way, next)));
    return repeat(piece, next);
  }

  function repeat({ piece, least, most }: Extract<Piece, { kind: "repeat" }>, next: number): number {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) start = endless(piece, next);
    else for (let i = least; i < most; i++) start = fork([next, build(piece, start)]);
    for (let i = 0; i < least; i++) start = build(piece, start);
    return start;
  }

  function endless(piece: Piece, next: number): number {
    const ways = [next];
    const start = fork(ways);
    ways.push(build(piece, start));
    return start;
  }

  const start = build(whole, end);
  return { places, start };
}

/** Where one can stand behind a character, and where one stands behind the next one, as far as that was looked up. */
interface Standing {
  readonly here: readonly number[];
  readonly before: string;
  readonly next: Map<string, Standing | "found">;
}

/** Standings come again and again: each is worked out once. */
function searchFor({ places, start }: Layout): Search {
  const known = new Map<string, Standing>();
  /** The standing at which each place was last visited: once is enough. */
  const visited = new Int32Array(places.length);
  let standings = 0;
  let visits = 0;

  function standing(here: readonly number[], before: string): Standing {
    // Edges ask of the character before only whether it is there and part of a word.
    const key = `${before === "" ? "^" : /\w/.test(before) ? "w" : "-"}${[...here].sort((a, b) => a - b)}`;
    const found = known.get(key) ?? { here, before, next: new Map() };
    if (known.size < mostStandings) known.set(key, found);
    return found;
  }

  function isNew(number: number): boolean {
    if (visited[number] === standings) return false;
    visited[number] = standings;
    visits++;
    return true;
  }

  function stepFrom({ here, before }: Standing, after: string): Standing | "found" {
    standings++;
    const there: number[] = [];
    // The pattern may begin at every character.
    const open = [...here, start];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      if (number === end) return "found";
      const place = places[number];
      if (place && isNew(number) && place.holds(before, after))
        (place.isStep ? there : open).push(...place.ways);
    }
    return standing(there, after);
  }

  function matches(line: string): boolean {
    let at = standing([], "");
    for (let i = 0; i <= line.length; i++) {
      if (visits > mostVisits) return false;
      const after = line[i] ?? "";
      const next = at.next.get(after) ?? stepFrom(at, after);
      if (known.size < mostStandings) at.next.set(after, next);
      if (next === "found") return true;
      at = next;
    }
    return false;
  }

  return { matches, isSpent: () => visits > mostVisits };
}
