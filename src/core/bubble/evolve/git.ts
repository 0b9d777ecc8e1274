// What the record knows about the repository around a bubble: the git settings that count as known, and what happened
// in git beside the work.
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import type { Question } from "../../model/state/turn.ts";
import type { GitNote, State } from "../../model/state.ts";

const keptNotes = 30;

/** Warnings about git are shown to the person who signs; the same words count once. */
export function applyGitWarning(
  { gitNotes = [] }: State,
  { payload, seq }: EnvelopeOf<"WARNING">,
): Pick<State, "gitNotes"> {
  const { code, message } = payload;
  if (!code.startsWith("git.") || gitNotes.some((note) => note.message === message)) return {};
  return { gitNotes: addNote(gitNotes, { code, message, seq }) };
}

/** A human keeps changed settings, or has them put back. */
export function applyGitReply(
  { git, gitNotes = [] }: State,
  question: Question | undefined,
  { payload, seq }: EnvelopeOf<"HUMAN_REPLY">,
): Pick<State, "git" | "gitNotes"> {
  const { choice = "" } = payload;
  if (question?.kind !== "git-settings" || !question.git || !git) return {};
  const changes = /: (.*?)\. Pairflow itself/s.exec(question.text)?.[1] ?? "";
  if (choice === "put-back") {
    const message = `git settings were changed after the start and put back: ${changes}`;
    const note = { code: "git.settings-put-back", message, seq };
    return { git: { ...git, putBack: question.git.sha256 }, gitNotes: addNote(gitNotes, note) };
  }
  if (choice !== "keep") return {};
  const message = `git settings were changed after the start, and a human kept them: ${changes}`;
  return { git: question.git, gitNotes: addNote(gitNotes, { code: "git.settings-kept", message, seq }) };
}

const addNote = (notes: readonly GitNote[], note: GitNote) => [...notes, note].slice(-keptNotes);
