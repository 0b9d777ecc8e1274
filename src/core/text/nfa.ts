// A nondeterministic finite automaton over single characters. All ways to match are followed at once, so the time is
// linear in the text whatever the pattern says. The patterns of gates and the globs of paths both compile to it.

/** A pattern as a tree. */
export type PatternPiece =
  | { readonly kind: "one"; readonly is: (character: string) => boolean }
  | { readonly kind: "edge"; readonly holds: (before: string, after: string) => boolean }
  | { readonly kind: "sequence"; readonly parts: readonly PatternPiece[] }
  | { readonly kind: "choice"; readonly among: readonly PatternPiece[] }
  | { readonly kind: "repeat"; readonly piece: PatternPiece; readonly least: number; readonly most: number };

/** An NFA state: the assertion it requires about the characters on both sides, and the states that follow. */
interface NfaState {
  readonly holds: (before: string, after: string) => boolean;
  readonly next: readonly number[];
  /** Its next states are behind the next character. */
  readonly consumes?: boolean;
}

interface Nfa {
  readonly states: readonly NfaState[];
  readonly start: number;
}

export interface Search {
  readonly matches: (text: string) => boolean;
  /** The limit of visits is used up; since then nothing matches. */
  readonly isSpent: () => boolean;
}

export interface SearchOptions {
  /** The match must begin at the first and end at the last character; otherwise it may be anywhere. */
  readonly whole?: boolean;
  /** How many states may be visited in all texts together; without it there is no limit. */
  readonly mostVisits?: number;
}

const accepting = 0;
/** How many sets of states are remembered: a determinised part of the automaton, built while it is used. */
const mostRemembered = 2000;
const acceptAlways = () => true;

/** How many states a pattern needs at most; counted repetitions are written out. */
export function countStates(piece: PatternPiece): number {
  if (piece.kind === "one" || piece.kind === "edge") return 1;
  if (piece.kind === "sequence") return sum(piece.parts);
  if (piece.kind === "choice") return 1 + sum(piece.among);
  const times = piece.most === Number.POSITIVE_INFINITY ? piece.least + 1 : piece.most;
  return times * (countStates(piece.piece) + 1);
}

const sum = (pieces: readonly PatternPiece[]) => pieces.reduce((size, piece) => size + countStates(piece), 0);

/** The pattern, ready to be looked for. */
export function compileSearch(piece: PatternPiece, options: SearchOptions = {}): Search {
  return searchWith(buildNfa(options.whole ? anchorPiece(piece) : piece), options);
}

const anchorPiece = (piece: PatternPiece): PatternPiece => ({
  kind: "sequence",
  parts: [
    { kind: "edge", holds: (before) => before === "" },
    piece,
    { kind: "edge", holds: (_before, after) => after === "" },
  ],
});

/** Thompson's construction, from the end of the pattern to its beginning. */
function buildNfa(whole: PatternPiece): Nfa {
  const states: NfaState[] = [{ holds: acceptAlways, next: [] }];
  const add = (state: NfaState) => states.push(state) - 1;
  const fork = (next: readonly number[]) => add({ holds: acceptAlways, next });

  function build(piece: PatternPiece, next: number): number {
    if (piece.kind === "one")
      return add({
        holds: (_before, after) => after !== "" && piece.is(after),
        next: [next],
        consumes: true,
      });
    if (piece.kind === "edge") return add({ holds: piece.holds, next: [next] });
    if (piece.kind === "sequence") return piece.parts.reduceRight((after, part) => build(part, after), next);
    if (piece.kind === "choice") return fork(piece.among.map((way) => build(way, next)));
    return buildRepeat(piece, next);
  }

  function buildRepeat(
    { piece, least, most }: Extract<PatternPiece, { kind: "repeat" }>,
    next: number,
  ): number {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) start = buildStar(piece, next);
    else for (let i = least; i < most; i++) start = fork([next, build(piece, start)]);
    for (let i = 0; i < least; i++) start = build(piece, start);
    return start;
  }

  function buildStar(piece: PatternPiece, next: number): number {
    const ways = [next];
    const start = fork(ways);
    ways.push(build(piece, start));
    return start;
  }

  const start = build(whole, accepting);
  return { states, start };
}

/** A set of NFA states behind one character, and the sets that follow it, as far as they were worked out. */
interface StateSet {
  readonly members: readonly number[];
  readonly before: string;
  readonly next: Map<string, StateSet | "found">;
}

/** Simulates the automaton. A set of states is worked out once and remembered. */
function searchWith({ states, start }: Nfa, { whole = false, mostVisits }: SearchOptions): Search {
  const limit = mostVisits ?? Number.POSITIVE_INFINITY;
  const remembered = new Map<string, StateSet>();
  /** The step in which each state was last visited: once a step is enough. */
  const visited = new Int32Array(states.length);
  let steps = 0;
  let visits = 0;

  function stateSet(members: readonly number[], before: string): StateSet {
    // Edges ask of the character before only whether it is there and part of a word.
    const key = `${before === "" ? "^" : /\w/.test(before) ? "w" : "-"}${[...members].sort((a, b) => a - b)}`;
    const found = remembered.get(key) ?? { members, before, next: new Map() };
    if (remembered.size < mostRemembered) remembered.set(key, found);
    return found;
  }

  function isFirstVisit(number: number): boolean {
    if (visited[number] === steps) return false;
    visited[number] = steps;
    visits++;
    return true;
  }

  // Unless the whole text is meant, the pattern may begin at every character.
  const mayBegin = (before: string) => !whole || before === "";

  function stepFrom({ members, before }: StateSet, after: string): StateSet | "found" {
    steps++;
    const there: number[] = [];
    const open = mayBegin(before) ? [...members, start] : [...members];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      if (number === accepting) return "found";
      const state = states[number];
      if (state && isFirstVisit(number) && state.holds(before, after))
        (state.consumes ? there : open).push(...state.next);
    }
    return stateSet(there, after);
  }

  function follow(set: StateSet, after: string): StateSet | "found" {
    const next = set.next.get(after) ?? stepFrom(set, after);
    if (remembered.size < mostRemembered) set.next.set(after, next);
    return next;
  }

  function matches(text: string): boolean {
    let set = stateSet([], "");
    for (let i = 0; i <= text.length && visits <= limit; i++) {
      const next = follow(set, text[i] ?? "");
      if (next === "found") return true;
      if (whole && next.members.length === 0) return false;
      set = next;
    }
    return false;
  }

  return { matches, isSpent: () => visits > limit };
}
