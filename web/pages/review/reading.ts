// What the person does while reading: how it is shown, which files are done, comments that are not sent. Kept while the page
// changes under it, and by the server.
import { type Signal, signal } from "@preact/signals";
import type { DiffRow } from "../../../src/core/views/page/review/diff.ts";
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { typingPauseMs } from "../../live/drafts.ts";
import { isWaiting, note } from "../../live/notes.ts";

type Notes = ReviewPage["notes"];
export type Comment = ReviewPage["comments"][number];

export interface Reading {
  readonly isSplit: Signal<boolean>;
  readonly ignoresSpace: Signal<boolean>;
  readonly viewed: Signal<Notes["viewed"]>;
  readonly comments: Signal<readonly Comment[]>;
  /** The file whose whole text is shown. */
  readonly whole: Signal<string>;
  /** Files whose covered secrets are shown. */
  readonly uncovered: Signal<readonly string[]>;
  /** Files that are open although they would be folded, and the other way round. */
  readonly open: Signal<Readonly<Record<string, boolean>>>;
  /** What came from the server; what was done here since stays. */
  take(page: ReviewPage): void;
  setViewed(path: string, blob: string | null): void;
  /** Begins a comment on a line, or continues the one that is open there. */
  comment(path: string, row: DiffRow, tree: string): void;
  write(comment: Comment): void;
  remove(comment: Comment): void;
}

const readings = new Map<string, Reading>();
/** Wide screens have room for both sides. */
const startsSplit = matchMedia("(min-width: 1600px)").matches;

export function openReading(at: { repo: string; id: string }, page: ReviewPage): Reading {
  const name = `${at.repo}/${at.id}`;
  const known = readings.get(name);
  if (known) return known;
  const reading = createReading({ repo: at.repo, bubble: at.id }, page);
  readings.set(name, reading);
  return reading;
}

function createReading(place: { repo: string; bubble: string }, { notes, comments }: ReviewPage): Reading {
  const removed = new Set<string>();
  const reading: Reading = {
    isSplit: signal(startsSplit),
    ignoresSpace: signal(false),
    viewed: signal(notes.viewed),
    comments: signal(comments),
    whole: signal(""),
    uncovered: signal([]),
    open: signal({}),
    take(page) {
      const here = reading.comments.value;
      const isOwn = ({ id, text }: Comment) => isWaiting(place, id) || text === "";
      const told = page.comments.filter(({ id }) => !removed.has(id));
      const own = here.filter((one) => isOwn(one) && !removed.has(one.id));
      const others = told.filter(({ id }) => !own.some((one) => one.id === id));
      reading.comments.value = [...others, ...own.map((one) => ({ ...one, at: findPlace(told, one) }))];
      reading.viewed.value = page.notes.viewed;
    },
    setViewed(path, blob) {
      const { [path]: _, ...others } = reading.viewed.value;
      reading.viewed.value = blob === null ? others : { ...others, [path]: blob };
      note(place, `viewed ${path}`, { note: "viewed", path, blob });
    },
    comment(path, row, tree) {
      if (row.after === null) return;
      const { after: line } = row;
      const open = reading.comments.value.find((one) => one.open && one.path === path && one.at === line);
      if (open) return focusComment(open.id);
      const id = crypto.randomUUID();
      const quote = row.text.slice(0, 2000);
      const begun = { id, path, line, at: line, quote, tree, severity: "P2", text: "", open: true } as const;
      reading.comments.value = [...reading.comments.value, begun];
    },
    write(comment) {
      reading.comments.value = reading.comments.value.map((one) => (one.id === comment.id ? comment : one));
      const { at: _, id, ...words } = comment;
      const kept = words.text.trim() === "" ? null : { id, ...words };
      note(place, id, { note: "comment", id, comment: kept }, words.open ? typingPauseMs : 0);
    },
    remove({ id, text }) {
      removed.add(id);
      reading.comments.value = reading.comments.value.filter((one) => one.id !== id);
      if (text !== "" || isWaiting(place, id)) note(place, id, { note: "comment", id, comment: null });
    },
  };
  return reading;
}

/** The server knows where its line is in the tree that is shown. */
const findPlace = (told: readonly Comment[], { id, at }: Comment): number | null => {
  const found = told.find((one) => one.id === id);
  return found ? found.at : at;
};

function focusComment(id: string): void {
  document.getElementById(`comment-${id}`)?.querySelector("textarea")?.focus();
}

export const isViewed = (reading: Reading, file: { path: string; blob: string }): boolean =>
  reading.viewed.value[file.path] === file.blob;

/** Those that a rework would send. */
export const listReady = (reading: Reading): readonly Comment[] =>
  reading.comments.value.filter(({ open }) => !open);
