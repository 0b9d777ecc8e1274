// The rows of a file, in one column or side by side, with findings and comments below their lines.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { DiffFile, DiffHunk, DiffRow } from "../../../src/core/views/page/review/diff.ts";
import type { PinnedFinding, ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { Code } from "./code.tsx";
import { colourHunk } from "./colours.ts";
import { CommentForm, SavedComment } from "./comment.tsx";
import type { Desk } from "./desk.ts";
import { Finding } from "./finding.tsx";
import { pairsOf, type Token, withoutSpace } from "./rows.ts";

interface HunksProps {
  readonly hunks: readonly DiffHunk[];
  readonly file: DiffFile;
  readonly page: ReviewPage;
  readonly desk: Desk;
  readonly findings: readonly PinnedFinding[];
}

export function Hunks(props: HunksProps) {
  const { hunks, desk, file } = props;
  const shown = useMemo(
    () => (desk.ignoresSpace.value ? hunks.map(withoutSpace) : hunks),
    [hunks, desk.ignoresSpace.value],
  );
  return (
    <div class={`hunks ${desk.isSplit.value ? "split" : "unified"}`}>
      {shown.map((hunk) => (
        <Hunk key={`${hunk.before}-${hunk.after}`} hunk={hunk} {...props} />
      ))}
      {desk.whole.value === file.path ? null : (
        <button
          type="button"
          class="plain"
          onClick={() => {
            desk.whole.value = file.path;
          }}
        >
          show the whole file
        </button>
      )}
    </div>
  );
}

function Hunk({ hunk, desk, file, page, findings }: HunksProps & { readonly hunk: DiffHunk }) {
  const colours = useSignal<ReadonlyMap<DiffRow, readonly Token[]>>(new Map());
  useEffect(() => {
    let isOver = false;
    void colourHunk(file.path, hunk.rows).then((found) => {
      if (!isOver) colours.value = found;
    });
    return () => {
      isOver = true;
    };
  }, [hunk]);
  const pairs = useMemo(() => pairsOf(hunk.rows), [hunk]);
  const isSplit = desk.isSplit.value;
  return (
    <table class="hunk">
      <tbody>
        {pairs.map(({ left, right, words }) => {
          const rows = isSplit ? [{ left, right }] : oneByOne(left, right);
          const key = `${left?.before ?? ""}/${right?.after ?? ""}`;
          return rows.map((row, index) => (
            <Line
              key={`${key}/${index}`}
              {...row}
              isSplit={isSplit}
              words={words}
              colours={colours.value}
              desk={desk}
              file={file}
              page={page}
              findings={findings}
            />
          ));
        })}
      </tbody>
    </table>
  );
}

interface Sides {
  readonly left: DiffRow | undefined;
  readonly right: DiffRow | undefined;
}

/** What was, then what is; a line that stayed is shown once. */
function oneByOne(left: DiffRow | undefined, right: DiffRow | undefined): Sides[] {
  if (left && right && left.kind === "kept") return [{ left, right }];
  return [...(left ? [{ left, right: undefined }] : []), ...(right ? [{ left: undefined, right }] : [])];
}

interface LineProps extends Sides {
  readonly isSplit: boolean;
  readonly words: { readonly left: readonly number[]; readonly right: readonly number[] } | undefined;
  readonly colours: ReadonlyMap<DiffRow, readonly Token[]>;
  readonly desk: Desk;
  readonly file: DiffFile;
  readonly page: ReviewPage;
  readonly findings: readonly PinnedFinding[];
}

function Line(props: LineProps) {
  const { left, right, isSplit, desk, file } = props;
  const row = right ?? left;
  if (!row) return null;
  const line = right?.after ?? null;
  const comment = () => {
    desk.writing.value = `${file.path}:${line}`;
  };
  return (
    <>
      <tr class={`line ${row.kind}`}>
        <Numbers value={left?.before} />
        {isSplit ? <Side row={left} words={props.words?.left} colours={props.colours} /> : null}
        <Numbers value={line} comment={comment} />
        {isSplit ? (
          <Side row={right} words={props.words?.right} colours={props.colours} />
        ) : (
          <Side row={row} words={right ? props.words?.right : props.words?.left} colours={props.colours} />
        )}
      </tr>
      {right && line !== null ? <Below {...props} right={right} line={line} /> : null}
    </>
  );
}

interface SideProps extends Pick<LineProps, "colours"> {
  readonly row: DiffRow | undefined;
  readonly words: readonly number[] | undefined;
}

function Side({ row, words, colours }: SideProps) {
  if (!row) return <td class="none" />;
  return (
    <td class={row.kind}>
      <Code row={row} tokens={colours.get(row)} words={words} />
    </td>
  );
}

/** What is said about a line, and what is being said. */
function Below({
  right,
  line,
  isSplit,
  desk,
  file,
  page,
  findings,
}: LineProps & { right: DiffRow; line: number }) {
  const pinned = findings.filter(({ at }) => at === line);
  const comments = desk.comments.value.filter((one) => one.path === file.path && one.line === line);
  const isWriting = desk.writing.value === `${file.path}:${line}`;
  if (pinned.length + comments.length === 0 && !isWriting) return null;
  return (
    <tr class="pinned">
      <td colSpan={isSplit ? 4 : 3}>
        {pinned.map((finding) => (
          <Finding key={finding.id} finding={finding} />
        ))}
        {comments.map((one) => (
          <SavedComment key={one.id} comment={one} desk={desk} />
        ))}
        {isWriting ? <CommentForm desk={desk} file={file} row={right} tree={page.to.id} /> : null}
      </td>
    </tr>
  );
}

function Numbers({ value, comment }: { readonly value: number | null | undefined; comment?(): void }) {
  return (
    <td class="number">
      {value === null || value === undefined ? null : comment ? (
        <button type="button" tabIndex={-1} aria-label={`Comment on line ${value}`} onClick={comment}>
          {value}
        </button>
      ) : (
        value
      )}
    </td>
  );
}
