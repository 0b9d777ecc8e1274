// What a person has noted on the page and not said yet: files looked at, comments on lines, words half written. Kept by the
// server, so that it survives whatever happens to a tab.
import * as v from "valibot";
import { Severity } from "../review/finding.ts";

const defineText = (max: number) => v.pipe(v.string(), v.maxLength(max));
const line = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A comment on a line, which becomes a finding of a rework. */
export const PageComment = v.strictObject({
  id: defineText(40),
  path: defineText(400),
  line,
  /** What stands on the line. */
  quote: defineText(2000),
  /** The tree it was written on. */
  tree: v.pipe(defineText(64), v.regex(/^[\w-]+$/, "must be a tree")),
  severity: Severity,
  text: defineText(2000),
  /** It is still being written: kept, and not sent with a rework. */
  open: v.optional(v.boolean()),
});
export type PageComment = v.InferOutput<typeof PageComment>;

export const PageNotes = v.object({
  /** The bytes of each path that were looked at: other bytes are unviewed by themselves. */
  viewed: v.record(v.string(), v.string()),
  drafts: v.record(v.string(), v.string()),
  comments: v.array(PageComment),
  /** The tree that is looked at now, and the one before. */
  looked: v.nullable(v.strictObject({ now: v.string(), before: v.nullable(v.string()) })),
});
export type PageNotes = v.InferOutput<typeof PageNotes>;

export const noNotes: PageNotes = { viewed: {}, drafts: {}, comments: [], looked: null };

/** One change of them. */
export const NoteChange = v.variant("note", [
  v.strictObject({ note: v.literal("viewed"), path: defineText(4096), blob: v.nullable(defineText(64)) }),
  v.strictObject({ note: v.literal("draft"), key: defineText(400), text: defineText(20_000) }),
  /** One comment, new or in other words; without one it is removed. One at a time, so that two tabs lose nothing. */
  v.strictObject({ note: v.literal("comment"), id: defineText(40), comment: v.nullable(PageComment) }),
  v.strictObject({ note: v.literal("looked"), tree: defineText(64) }),
]);
export type NoteChange = v.InferOutput<typeof NoteChange>;

export const NotesBody = v.strictObject({
  repo: defineText(200),
  bubble: defineText(63),
  change: NoteChange,
});

/** As many as one rework takes. */
const mostComments = 200;

export function addNote(notes: PageNotes, change: NoteChange): PageNotes {
  switch (change.note) {
    case "viewed": {
      const { [change.path]: _, ...others } = notes.viewed;
      return { ...notes, viewed: change.blob === null ? others : { ...others, [change.path]: change.blob } };
    }
    case "draft": {
      const { [change.key]: _, ...others } = notes.drafts;
      return { ...notes, drafts: change.text === "" ? others : { ...others, [change.key]: change.text } };
    }
    case "comment": {
      const others = notes.comments.filter(({ id }) => id !== change.id);
      const comments = change.comment ? [...others, change.comment].slice(-mostComments) : others;
      return { ...notes, comments };
    }
    case "looked":
      if (notes.looked?.now === change.tree) return notes;
      return { ...notes, looked: { now: change.tree, before: notes.looked?.now ?? null } };
  }
}
