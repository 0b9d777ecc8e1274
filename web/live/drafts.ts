// Words that are not sent yet. They live outside of what is rendered, so that no update takes them away, and with the server,
// so that neither a reload nor another browser does.
import { type Signal, signal } from "@preact/signals";
import { send } from "./ask.ts";

interface DraftPlace {
  readonly repo: string;
  readonly bubble: string;
  readonly key: string;
}

const drafts = new Map<string, Signal<string>>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const nameOf = ({ repo, bubble, key }: DraftPlace) => `${repo}/${bubble}/${key}`;

/** `kept`: what the server has; it counts until something is typed here. */
export function draftOf(place: DraftPlace, kept = ""): Signal<string> {
  const name = nameOf(place);
  const known = drafts.get(name) ?? signal(kept);
  drafts.set(name, known);
  return known;
}

const pauseMs = 400;

export function writeDraft(place: DraftPlace, text: string): void {
  const name = nameOf(place);
  draftOf(place).value = text;
  clearTimeout(timers.get(name));
  const { repo, bubble, key } = place;
  const keep = () => void send("/api/notes", { repo, bubble, change: { note: "draft", key, text } });
  timers.set(name, setTimeout(keep, text === "" ? 0 : pauseMs));
}
