// The repository around the work: branches that moved, commits of an agent's own, settings that were changed.
import type { SentenceRule } from "../sentence.ts";

/** All notes of one code, each a sentence of its own. */
function defineNote(code: string, appears: string): SentenceRule {
  return {
    code,
    appears,
    say: ({ gitNotes = [] }) =>
      gitNotes
        .filter((note) => note.code === code)
        .map(({ message, seq }) => ({ text: message, facts: { seq } })),
  };
}

export const gitSentences: readonly SentenceRule[] = [
  defineNote("git.ref-moved", "a branch of the repository moved while an agent or the gates ran"),
  defineNote(
    "git.own-commits",
    "an agent made commits of its own, which the approved commit does not contain",
  ),
  defineNote("git.settings-changed", "harmless git settings of the repository were changed after the start"),
  defineNote("git.settings-kept", "git settings were changed after the start, and a human kept them"),
  defineNote("git.settings-put-back", "git settings were changed after the start, and put back"),
];
