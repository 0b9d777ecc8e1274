// A comment on a line: written here, kept by the server, sent with the rework, where it becomes a finding.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DiffFile, DiffRow } from "../../../src/core/views/page/review/diff.ts";
import type { Comment, Desk } from "./desk.ts";

interface CommentProps {
  readonly desk: Desk;
  readonly file: DiffFile;
  readonly row: DiffRow;
  readonly tree: string;
}

const severities = ["P0", "P1", "P2", "P3"] as const;

export function CommentForm({ desk, file, row, tree }: CommentProps) {
  const text = useSignal("");
  const severity = useSignal<Comment["severity"]>("P2");
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key: what is typed right behind `c` belongs to the comment.
  useLayoutEffect(() => field.current?.focus(), []);
  const close = () => {
    desk.writing.value = "";
  };
  const save = (event: Event) => {
    event.preventDefault();
    const words = text.value.trim();
    if (words === "" || row.after === null) return;
    const comment = {
      id: crypto.randomUUID(),
      path: file.path,
      line: row.after,
      quote: row.text.slice(0, 2000),
      tree,
    };
    desk.setComments([...desk.comments.value, { ...comment, severity: severity.value, text: words }]);
    close();
  };
  return (
    <form class="comment" onSubmit={save}>
      <label>
        Comment on line {row.after}; it becomes a finding in your rework
        <textarea
          ref={field}
          rows={3}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") close();
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
          }}
        />
      </label>
      <p class="way">
        <label>
          How bad{" "}
          <select
            value={severity.value}
            onChange={(event) => {
              severity.value = event.currentTarget.value as Comment["severity"];
            }}
          >
            {severities.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button type="submit">Keep</button>
        <button type="button" class="plain" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

export function SavedComment({ comment, desk }: { readonly comment: Comment; readonly desk: Desk }) {
  return (
    <article class="finding draft" id={`comment-${comment.id}`} tabIndex={-1} aria-label="Your comment">
      <p>
        <b>{comment.severity}</b> {comment.text}{" "}
        <span class="quiet">not sent yet · becomes a finding in your rework</span>{" "}
        <button
          type="button"
          class="plain"
          onClick={() => desk.setComments(desk.comments.value.filter(({ id }) => id !== comment.id))}
        >
          remove
        </button>
      </p>
    </article>
  );
}
