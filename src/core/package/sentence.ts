// A sentence that the person who signs should know, as a value: a stable code, the words, and the facts of the record they say.
// A rule makes sentences of one code from the state alone; what it does not say was not so.
import type { State } from "../model/state.ts";

export interface Sentence {
  /** Dotted and stable, such as `review.own-work`; words may change, codes do not. */
  readonly code: string;
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What a rule says of one state: words and their facts; nothing where it does not hold. */
export type Sentences = readonly Omit<Sentence, "code">[];

export interface SentenceRule {
  readonly code: string;
  /** When it appears, in plain words: docs/reviews.md lists every rule with this. */
  readonly appears: string;
  readonly say: (state: State) => Sentences;
}

/** One sentence if there are words for it. */
export function sayOne(text: string | undefined, facts: Sentence["facts"] = {}): Sentences {
  return text === undefined ? [] : [{ text, facts }];
}

/** One sentence that names all of these, none without any. */
export function sayNames(names: readonly string[], say: (listed: string) => string): Sentences {
  return names.length === 0 ? [] : [{ text: say(names.join(", ")), facts: { names } }];
}
