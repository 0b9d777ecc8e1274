// What a person notes and has not said yet, on its way to the server: sent after a pause in typing, again when the server is back,
// and at once when the tab goes away. Until it is there it stays here.
import { gone, send } from "./ask.ts";
import { onChanged } from "./stream.ts";

export interface NotePlace {
  readonly repo: string;
  readonly bubble: string;
}

interface WaitingNote extends NotePlace {
  readonly change: object;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

const waiting = new Map<string, WaitingNote>();
const nameOf = ({ repo, bubble }: NotePlace, what: string) => `${repo}/${bubble}/${what}`;

/** Whether the newest words are not with the server yet. */
export const isWaiting = (place: NotePlace, what: string): boolean => waiting.has(nameOf(place, what));

/** `what`: which note; a later one of the same name replaces it. */
export function note(place: NotePlace, what: string, change: object, afterMs = 0): void {
  const name = nameOf(place, what);
  clearTimeout(waiting.get(name)?.timer);
  const { repo, bubble } = place;
  const timer = setTimeout(() => void deliver(name), afterMs);
  waiting.set(name, { repo, bubble, change, timer });
}

async function deliver(name: string): Promise<void> {
  const one = waiting.get(name);
  if (!one) return;
  const { repo, bubble, change } = one;
  const answer = await send("/api/notes", { repo, bubble, change });
  // Without a server it is kept; what the server does not take would not be taken later either.
  if ((answer.ok || answer.code !== gone.code) && waiting.get(name) === one) waiting.delete(name);
}

const deliverAll = () => {
  for (const name of waiting.keys()) void deliver(name);
};
onChanged((keys) => {
  if (keys.includes("all")) deliverAll();
});
addEventListener("pagehide", deliverAll);
