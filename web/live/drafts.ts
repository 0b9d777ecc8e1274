// Words that are not sent yet. They live outside of what is rendered, so that no update takes them away, and with the server,
// so that neither a reload nor another browser does.
import { type Signal, signal } from "@preact/signals";
import { type NotePlace, note } from "./notes.ts";

interface DraftPlace extends NotePlace {
  readonly key: string;
}

const drafts = new Map<string, Signal<string>>();
const nameOf = ({ repo, bubble, key }: DraftPlace) => `${repo}/${bubble}/${key}`;

/** `kept`: what the server has; it counts until something is typed here. */
export function draftOf(place: DraftPlace, kept = ""): Signal<string> {
  const name = nameOf(place);
  const known = drafts.get(name) ?? signal(kept);
  drafts.set(name, known);
  return known;
}

export const typingPauseMs = 400;

export function writeDraft(place: DraftPlace, text: string): void {
  draftOf(place).value = text;
  const { key } = place;
  note(place, `draft ${key}`, { note: "draft", key, text }, text === "" ? 0 : typingPauseMs);
}
