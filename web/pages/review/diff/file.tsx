// One file of the change: loaded when it comes near, folded when a tool wrote it or when it was viewed.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RefusedPayload } from "../../../../src/core/views/page/payload.ts";
import type { DiffFile, FileDiffPage } from "../../../../src/core/views/page/review/diff.ts";
import type { PinnedFinding, ReviewPage } from "../../../../src/core/views/page/review/payload.ts";
import { bubblePath } from "../../../app/route.ts";
import { fetchPayload, forget } from "../../../live/ask.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import type { BubbleAt } from "../../bubble/head.tsx";
import { CommentCard } from "../comment.tsx";
import { Finding } from "../finding.tsx";
import { isViewed, type Reading } from "../reading.ts";
import { fileId } from "../side.tsx";
import { Counts } from "./counts.tsx";
import { Hunks } from "./hunks.tsx";

interface FileProps {
  readonly file: DiffFile;
  readonly page: ReviewPage;
  readonly reading: Reading;
  readonly at: BubbleAt;
}

export function File({ file, page, reading, at }: FileProps) {
  const isDone = isViewed(reading, file);
  const isOpen = reading.open.value[file.path] ?? (!file.generated && !isDone);
  return (
    <section class="file" id={fileId(file.path)} tabIndex={-1} aria-label={file.path}>
      <header>
        <button
          type="button"
          class="plain fold"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Fold" : "Show"} ${file.path}`}
          onClick={() => {
            reading.open.value = { ...reading.open.value, [file.path]: !isOpen };
          }}
        >
          {isOpen ? "▾" : "▸"}
        </button>
        <h2>
          {file.from ? `${file.from} → ` : ""}
          {file.path}
        </h2>
        <span class="quiet">
          {file.status === "modified" ? "" : `${file.status} · `}
          <Counts file={file} />
          {file.generated ? " · written by a tool" : ""}
        </span>
        {file.notes.map((note) => (
          <span key={note} class="note">
            {note}
          </span>
        ))}
        <label class="check">
          <input
            type="checkbox"
            checked={isDone}
            onChange={(event) => reading.setViewed(file.path, event.currentTarget.checked ? file.blob : null)}
          />
          viewed
        </label>
      </header>
      {isOpen ? <Rows file={file} page={page} reading={reading} at={at} /> : null}
    </section>
  );
}

function Rows({ file, page, reading, at }: FileProps) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useSignal(false);
  const diff = useSignal<FileDiffPage | undefined>(undefined);
  const refused = useSignal<RefusedPayload | undefined>(undefined);
  const isWhole = reading.whole.value === file.path;
  const isUncovered = reading.uncovered.value.includes(file.path);
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) isNear.value = true;
      },
      { rootMargin: "1200px" },
    );
    if (place.current) watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    if (!isNear.value) return;
    const query = new URLSearchParams({ from: page.from.id, to: page.to.id, path: file.path });
    if (isWhole) query.set("whole", "1");
    if (isUncovered) query.set("secrets", "1");
    const path = `/api${bubblePath(at.repo, at.id, "file")}?${query}`;
    forget(path);
    void fetchPayload<FileDiffPage>(path).then((answer) => {
      if (answer?.ok) diff.value = answer;
      else refused.value = answer;
    });
  }, [isNear.value, isWhole, isUncovered]);
  const here = page.findings.filter((finding) => finding.file === file.path);
  return (
    <div ref={place}>
      {refused.value ? <Refusal refused={refused.value} /> : null}
      {diff.value ? <Unpinned diff={diff.value} file={file} reading={reading} findings={here} /> : null}
      {diff.value && diff.value.secrets > 0 ? (
        <p class="file-note">
          {diff.value.secrets === 1 ? "One spot looks" : `${diff.value.secrets} spots look`} like a secret and{" "}
          {diff.value.secrets === 1 ? "is" : "are"} covered.{" "}
          <button
            type="button"
            class="plain"
            onClick={() => {
              reading.uncovered.value = [...reading.uncovered.value, file.path];
            }}
          >
            show
          </button>
        </p>
      ) : null}
      {diff.value?.note ? <p class="file-note quiet">{diff.value.note}</p> : null}
      {diff.value?.hunks ? (
        <Hunks hunks={diff.value.hunks} file={file} page={page} reading={reading} findings={here} />
      ) : diff.value || refused.value ? null : (
        <p class="file-note quiet">Loading …</p>
      )}
    </div>
  );
}

interface UnpinnedProps extends Pick<FileProps, "file" | "reading"> {
  readonly diff: FileDiffPage;
  readonly findings: readonly PinnedFinding[];
}

/** What is said about lines that are not shown stands above the others: nothing that was said may be out of sight. */
function Unpinned({ diff, file, reading, findings }: UnpinnedProps) {
  const shown = useMemo(
    () => new Set((diff.hunks ?? []).flatMap(({ rows }) => rows.map(({ after }) => after))),
    [diff],
  );
  const isApart = ({ at }: { readonly at: number | null }) => at === null || !shown.has(at);
  const comments = reading.comments.value.filter(({ path }) => path === file.path);
  return (
    <>
      {findings.filter(isApart).map((finding) => (
        <Finding key={finding.id} finding={finding} isApart />
      ))}
      {comments.filter(isApart).map((one) => (
        <CommentCard key={one.id} comment={one} reading={reading} />
      ))}
    </>
  );
}
