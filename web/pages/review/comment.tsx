// A comment on a line: written here, kept by the server with every pause, sent with the rework, where it becomes a finding.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Comment, Reading } from "./reading.ts";

interface CommentProps {
  readonly comment: Comment;
  readonly reading: Reading;
}

const severities = ["P0", "P1", "P2", "P3"] as const;

export function CommentCard(props: CommentProps) {
  return props.comment.open ? <CommentForm {...props} /> : <SavedComment {...props} />;
}

function CommentForm({ comment, reading }: CommentProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key: what is typed right behind `c` belongs to the comment. One that was left open before is not jumped to.
  useLayoutEffect(() => {
    if (comment.text === "") field.current?.focus();
  }, []);
  const save = (event: Event) => {
    event.preventDefault();
    if (comment.text.trim() !== "") reading.write({ ...comment, open: false });
  };
  return (
    <form class="comment" id={`comment-${comment.id}`} onSubmit={save}>
      <label>
        Comment on line {comment.at ?? comment.line}; it becomes a finding in your rework
        <textarea
          ref={field}
          rows={3}
          maxLength={2000}
          value={comment.text}
          onInput={(event) => reading.write({ ...comment, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
          }}
        />
      </label>
      <p class="way">
        <label>
          How bad{" "}
          <select
            value={comment.severity}
            onChange={(event) =>
              reading.write({ ...comment, severity: event.currentTarget.value as Comment["severity"] })
            }
          >
            {severities.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="first" disabled={comment.text.trim() === ""}>
          Keep
        </button>
        <button type="button" class="plain" onClick={() => reading.remove(comment)}>
          Discard
        </button>
        <span class="quiet hint">
          <kbd>ctrl</kbd> <kbd>enter</kbd> keeps it
        </span>
      </p>
    </form>
  );
}

function SavedComment({ comment, reading }: CommentProps) {
  const { id, severity, text, line, at, quote } = comment;
  return (
    <article class="finding draft" id={`comment-${id}`} tabIndex={-1} aria-label="Your comment">
      {at === null && quote ? <pre class="quote">{quote}</pre> : null}
      <p class="prose">
        <b>{severity}</b> {text}
      </p>
      <p class="quiet">
        not sent yet · becomes a finding in your rework
        {at === null ? " · its line was changed since" : at === line ? "" : ` · line ${line} → ${at}`}{" "}
        <button type="button" class="plain" onClick={() => reading.write({ ...comment, open: true })}>
          edit
        </button>
        <button type="button" class="plain" onClick={() => reading.remove(comment)}>
          remove
        </button>
      </p>
    </article>
  );
}
