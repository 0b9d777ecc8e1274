// The review: somebody who was not there judges a change, says on the line what is wrong, or signs it.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { note } from "../../live/notes.ts";
import { type BubbleAt, BubbleHead, useTab } from "../bubble/head.tsx";
import { About } from "./about.tsx";
import { Brief } from "./brief.tsx";
import { CommentCard } from "./comment.tsx";
import { Bar } from "./decide/bar.tsx";
import { File } from "./diff/file.tsx";
import { Finding } from "./finding.tsx";
import { openReading, type Reading } from "./reading.ts";
import { ReviewKeys } from "./review-keys.tsx";
import { Side } from "./side.tsx";
import { queryOf, Trees } from "./trees.tsx";

export function Review({ at }: { readonly at: BubbleAt }) {
  const query = useSignal(location.search);
  const loaded = useTab<ReviewPage>(at, "review", query.value);
  const { value } = loaded;
  // What is shown stays: from here on these two trees are asked for by name, and a newer one is offered.
  useEffect(() => {
    if (value && query.value === "") query.value = queryOf(value.from.id, value.to.id);
  }, [value]);
  return (
    <div class="review">
      <BubbleHead at={at} loaded={loaded} />
      {value ? (
        <Loaded
          at={at}
          page={value}
          choose={(wanted) => {
            history.replaceState(null, "", location.pathname + wanted);
            query.value = wanted;
          }}
        />
      ) : null}
    </div>
  );
}

interface LoadedProps {
  readonly at: BubbleAt;
  readonly page: ReviewPage;
  choose(query: string): void;
}

function Loaded({ at, page, choose }: LoadedProps) {
  const reading: Reading = openReading(at, page);
  useLayoutEffect(() => reading.take(page), [page]);
  const isNewest = page.newer === null;
  useEffect(() => {
    if (isNewest) note({ repo: at.repo, bubble: at.id }, "looked", { note: "looked", tree: page.to.id });
  }, [page.to.id, isNewest]);
  return (
    <>
      <Brief page={page} />
      <Trees page={page} reading={reading} choose={choose} />
      <div class="reading">
        <Side page={page} reading={reading} />
        <div class="files">
          {page.files.length === 0 ? <p class="nothing">These trees are the same.</p> : null}
          {page.files.map((file) => (
            <File
              key={`${page.from.id}${page.to.id}${file.path}`}
              file={file}
              page={page}
              reading={reading}
              at={at}
            />
          ))}
          <Elsewhere page={page} reading={reading} />
          <About page={page} />
        </div>
      </div>
      <Bar at={at} page={page} reading={reading} />
      <ReviewKeys page={page} reading={reading} choose={choose} />
    </>
  );
}

/** What is said about files that do not differ here, or about no file. */
function Elsewhere({ page, reading }: { readonly page: ReviewPage; readonly reading: Reading }) {
  const isShown = (path: string | null) => page.files.some((file) => file.path === path);
  const findings = page.findings.filter(({ file }) => !isShown(file));
  const comments = reading.comments.value.filter(({ path }) => !isShown(path));
  if (findings.length + comments.length === 0) return null;
  return (
    <section class="file" aria-label="Elsewhere">
      <header>
        <h2>not in these files</h2>
      </header>
      {findings.map((finding) => (
        <div key={finding.id}>
          {finding.file ? <p class="file-note quiet">{finding.file}</p> : null}
          <Finding finding={finding} isApart />
        </div>
      ))}
      {comments.map((one) => (
        <div key={one.id}>
          <p class="file-note quiet">{one.path}</p>
          <CommentCard comment={one} reading={reading} />
        </div>
      ))}
    </section>
  );
}
