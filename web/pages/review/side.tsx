// What there is to read: files, findings, comments and what stands behind the change, each leading to its place.
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { Counts } from "./diff/counts.tsx";
import { isViewed, type Reading } from "./reading.ts";

export const fileId = (path: string): string => `file-${encodeURIComponent(path)}`;

interface SideProps {
  readonly page: ReviewPage;
  readonly reading: Reading;
  /** Called when somebody goes somewhere. */
  go?(): void;
}

export function Side({ page, reading, go }: SideProps) {
  const to = (id: string) => (event: Event) => {
    go?.();
    jump(id)(event);
  };
  return (
    <nav class="side" aria-label="In this change">
      <h2>Files</h2>
      <ul class="tree-of-files">
        {page.files.map((file) => (
          <li key={file.path}>
            <a class="to-file" href={`#${fileId(file.path)}`} onClick={to(fileId(file.path))}>
              <span class="mark" role="img" aria-label={isViewed(reading, file) ? "viewed" : "not viewed"}>
                {isViewed(reading, file) ? "✓" : "●"}
              </span>
              <Path path={file.path} />
            </a>
            <span class="counts">
              <Counts file={file} />
            </span>
          </li>
        ))}
      </ul>
      {page.findings.length > 0 ? <h2>Findings</h2> : null}
      <ul>
        {page.findings.map((finding) => (
          <li key={finding.id}>
            <a href={`#finding-${finding.id}`} onClick={to(`finding-${finding.id}`)}>
              {finding.id} {finding.severity}
            </a>{" "}
            <span class={`status ${finding.status}`}>{finding.status}</span>{" "}
            <span class="quiet">{finding.title}</span>
          </li>
        ))}
      </ul>
      {reading.comments.value.length > 0 ? <h2>Your comments</h2> : null}
      <ul>
        {reading.comments.value.map(({ id, path, line, at, open }) => (
          <li key={id}>
            <a href={`#comment-${id}`} onClick={to(`comment-${id}`)}>
              {path}:{at ?? line}
            </a>{" "}
            <span class="quiet">{open ? "being written" : "draft"}</span>
          </li>
        ))}
      </ul>
      <h2>Behind it</h2>
      <ul>
        {["evidence", ...(page.gates.length > 0 ? ["gates"] : []), ...(page.sign ? ["message"] : [])].map(
          (id) => (
            <li key={id}>
              <a href={`#${id}`} onClick={to(id)}>
                {id}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

/** The name is what is looked for; where it lies is read second. */
function Path({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <span class="path">
      <span class="folder">{path.slice(0, cut)}</span>
      <span class="name">{path.slice(cut)}</span>
    </span>
  );
}

/** Goes to a place of this page without changing the address. */
export const jump = (id: string) => (event: Event) => {
  event.preventDefault();
  showPlace(document.getElementById(id));
};

/** To a line of the new side, or to its file where the line is not drawn. */
export const goToLine = (file: string, line: number | null) => (event: Event) => {
  event.preventDefault();
  const section = document.getElementById(fileId(file));
  const number = line === null ? null : section?.querySelector<HTMLElement>(`button[data-line="${line}"]`);
  showPlace(number ?? section, number ? "center" : "start");
};

function showPlace(place: HTMLElement | null, block: ScrollLogicalPosition = "start"): void {
  place?.scrollIntoView({ block });
  place?.focus({ preventScroll: true });
}
