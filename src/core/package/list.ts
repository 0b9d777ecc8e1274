// The one list of sentences that a signature should rest on, and the one function that derives them from the record. The
// package, the approval screen, `explain` and the DONE_PACKAGE line show what it returns and nothing else.
// To add a sentence: a rule in the file of its topic under sentences/, its pair of histories in
// tests/core/package-histories.ts, and a row in docs/reviews.md, which a test compares with this list.
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import type { Sentence, SentenceRule } from "./sentence.ts";
import { doorSentences } from "./sentences/doors.ts";
import { finalRunSentences } from "./sentences/final-run.ts";
import { findingSentences } from "./sentences/findings.ts";
import { gateSentences } from "./sentences/gates.ts";
import { gitSentences } from "./sentences/git.ts";
import { packageSentences } from "./sentences/package.ts";
import { reviewSentences } from "./sentences/reviews.ts";
import { settingSentences } from "./sentences/settings.ts";
import { taskSentences } from "./sentences/tasks.ts";
import { treeSentences } from "./sentences/tree.ts";

/** In the order in which they are read. */
export const sentenceRules: readonly SentenceRule[] = [
  ...reviewSentences,
  ...findingSentences,
  ...taskSentences,
  ...packageSentences,
  ...gateSentences,
  ...finalRunSentences,
  ...settingSentences,
  ...treeSentences,
  ...gitSentences,
  ...doorSentences,
];

/** As much of a sentence as a line of the record holds. */
const longest = 500;

/** Everything that the person who signs this should know, from the record alone. */
export function listSentencesBeforeSigning(state: State): Sentence[] {
  return sentenceRules.flatMap(({ code, say }) =>
    say(state).map(({ text, facts }) => ({ code, text: clip(text, longest), facts })),
  );
}

/** What a child tells its parent: its gates judged its own tree, and those of the parent judge what is signed. */
export function listSentencesOfChild(state: State): Omit<Sentence, "facts">[] {
  return listSentencesBeforeSigning(state)
    .filter(({ code }) => !code.startsWith("gates."))
    .map(({ code, text }) => ({ code, text }));
}
