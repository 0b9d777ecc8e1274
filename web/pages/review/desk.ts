// What the person does while reading: how it is shown, which files are done, comments that are not sent. Kept while the page
// changes under it, and by the server.
import { type Signal, signal } from "@preact/signals";
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { send } from "../../live/ask.ts";

type Notes = ReviewPage["notes"];
export type Comment = Notes["comments"][number];

export interface Desk {
  readonly isSplit: Signal<boolean>;
  readonly ignoresSpace: Signal<boolean>;
  readonly viewed: Signal<Notes["viewed"]>;
  readonly comments: Signal<readonly Comment[]>;
  /** The line whose comment is being written: `path:line`. */
  readonly writing: Signal<string>;
  /** The file whose whole text is shown. */
  readonly whole: Signal<string>;
  /** Files that are open although they would be folded, and the other way round. */
  readonly open: Signal<Readonly<Record<string, boolean>>>;
  setViewed(path: string, blob: string | null): void;
  setComments(comments: readonly Comment[]): void;
}

const desks = new Map<string, Desk>();
/** Wide screens have room for both sides. */
const startsSplit = matchMedia("(min-width: 1600px)").matches;

export function openDesk({ repo, id }: { repo: string; id: string }, { notes }: ReviewPage): Desk {
  const name = `${repo}/${id}`;
  const known = desks.get(name);
  if (known) return known;
  const note = (change: object) => void send("/api/notes", { repo, bubble: id, change });
  const desk: Desk = {
    isSplit: signal(startsSplit),
    ignoresSpace: signal(false),
    viewed: signal(notes.viewed),
    comments: signal(notes.comments),
    writing: signal(""),
    whole: signal(""),
    open: signal({}),
    setViewed(path, blob) {
      const { [path]: _, ...others } = desk.viewed.value;
      desk.viewed.value = blob === null ? others : { ...others, [path]: blob };
      note({ note: "viewed", path, blob });
    },
    setComments(comments) {
      desk.comments.value = comments;
      note({ note: "comments", comments });
    },
  };
  desks.set(name, desk);
  return desk;
}

export const isViewed = (desk: Desk, file: { path: string; blob: string }): boolean =>
  desk.viewed.value[file.path] === file.blob;
