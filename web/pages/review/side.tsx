// What there is to read: files, findings and comments, each leading to its place.
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { type Desk, isViewed } from "./desk.ts";

export const fileId = (path: string): string => `file-${encodeURIComponent(path)}`;

export function Side({ page, desk }: { readonly page: ReviewPage; readonly desk: Desk }) {
  return (
    <nav class="side" aria-label="In this change">
      <h2>Files</h2>
      <ul>
        {page.files.map((file) => (
          <li key={file.path}>
            <a class="to-file" href={`#${fileId(file.path)}`} onClick={jump(fileId(file.path))}>
              <span class="mark" role="img" aria-label={isViewed(desk, file) ? "viewed" : "not viewed"}>
                {isViewed(desk, file) ? "✓" : "●"}
              </span>
              {file.path}
            </a>{" "}
            <span class="quiet">
              <ins>+{file.added ?? "?"}</ins> <del>−{file.removed ?? "?"}</del>
            </span>
          </li>
        ))}
      </ul>
      {page.findings.length > 0 ? <h2>Findings</h2> : null}
      <ul>
        {page.findings.map((finding) => (
          <li key={finding.id}>
            <a href={`#finding-${finding.id}`} onClick={jump(`finding-${finding.id}`)}>
              {finding.id} {finding.severity}
            </a>{" "}
            <span class={`status ${finding.status}`}>{finding.status}</span>
          </li>
        ))}
      </ul>
      {desk.comments.value.length > 0 ? <h2>Your comments</h2> : null}
      <ul>
        {desk.comments.value.map(({ id, path, line }) => (
          <li key={id}>
            <a href={`#comment-${id}`} onClick={jump(`comment-${id}`)}>
              {path}:{line}
            </a>{" "}
            <span class="quiet">draft</span>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Goes to a place of this page without changing the address. */
export const jump = (id: string) => (event: Event) => {
  event.preventDefault();
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "start" });
  place?.focus({ preventScroll: true });
};
