// Some lines of a change, in one column or side by side, with findings and comments below their lines. A block is drawn when it
// comes near or when the browser has nothing else to do; until then it takes the room that it will need.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { DiffFile, DiffRow } from "../../../../src/core/views/page/review/diff.ts";
import type { PinnedFinding, ReviewPage } from "../../../../src/core/views/page/review/payload.ts";
import { CommentCard } from "../comment.tsx";
import { Finding } from "../finding.tsx";
import type { Reading } from "../reading.ts";
import { Code } from "./code.tsx";
import { drawLater } from "./later.ts";
import { type Pair, type Token, type Words, wordsOf } from "./rows.ts";

/** What every line of a block needs. */
interface LineReading {
  readonly isSplit: boolean;
  readonly colours: ReadonlyMap<DiffRow, readonly Token[]>;
  readonly reading: Reading;
  readonly file: DiffFile;
  readonly page: ReviewPage;
  readonly findings: readonly PinnedFinding[];
}

interface BlockProps extends LineReading {
  readonly pairs: readonly Pair[];
  readonly isFirst: boolean;
}

export function Block({ pairs, isFirst, ...reading }: BlockProps) {
  const said = listSaidLines(reading);
  const isAskedFor = isFirst || pairs.some(({ right }) => said.has(right?.after ?? null));
  const isDrawn = useSignal(isAskedFor);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isDrawn.value || !place.current) return;
    return drawLater(place.current, () => {
      isDrawn.value = true;
    });
  }, []);
  const isShown = isDrawn.value || isAskedFor;
  return (
    <div ref={place} class="block" style={{ "--lines": countLines(pairs, reading.isSplit) }}>
      {isShown ? <Lines pairs={pairs} said={said} {...reading} /> : null}
    </div>
  );
}

/** Lines below which something is said, or is being said. */
function listSaidLines({ reading, file, findings }: LineReading): ReadonlySet<number | null> {
  const comments = reading.comments.value.filter(({ path }) => path === file.path);
  return new Set([...findings, ...comments].flatMap(({ at }) => at ?? []));
}

const countLines = (pairs: readonly Pair[], isSplit: boolean): number =>
  isSplit ? pairs.length : pairs.reduce((sum, { left, right }) => sum + oneByOne(left, right).length, 0);

interface LinesProps extends LineReading {
  readonly pairs: readonly Pair[];
  readonly said: ReadonlySet<number | null>;
}

function Lines({ pairs, said, ...reading }: LinesProps) {
  const words = useMemo(() => pairs.map(wordsOf), [pairs]);
  return (
    <table class="hunk">
      <tbody>
        {pairs.map(({ left, right }, at) => {
          const rows = reading.isSplit ? [{ left, right }] : oneByOne(left, right);
          const key = `${left?.before ?? ""}/${right?.after ?? ""}`;
          return rows.map((row, index) => (
            <Line
              key={`${key}/${index}`}
              {...row}
              {...reading}
              words={words[at]}
              isSaid={said.has(row.right?.after ?? null)}
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

interface LineProps extends Sides, LineReading {
  readonly words: Words | undefined;
  readonly isSaid: boolean;
}

function Line(props: LineProps) {
  const { left, right, isSplit, reading, file } = props;
  const row = right ?? left;
  if (!row) return null;
  const line = right?.after ?? null;
  const comment = () => reading.comment(file.path, row, props.page.to.id);
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
      {right && line !== null && props.isSaid ? <Below {...props} line={line} /> : null}
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
function Below({ line, isSplit, reading, file, findings }: LineProps & { line: number }) {
  const comments = reading.comments.value.filter((one) => one.path === file.path && one.at === line);
  return (
    <tr class="pinned">
      <td colSpan={isSplit ? 4 : 3}>
        {findings
          .filter(({ at }) => at === line)
          .map((finding) => (
            <Finding key={finding.id} finding={finding} />
          ))}
        {comments.map((one) => (
          <CommentCard key={one.id} comment={one} reading={reading} />
        ))}
      </td>
    </tr>
  );
}

function Numbers({ value, comment }: { readonly value: number | null | undefined; comment?(): void }) {
  return (
    <td class="number">
      {value === null || value === undefined ? null : comment ? (
        <button
          type="button"
          tabIndex={-1}
          data-line={value}
          aria-label={`Comment on line ${value}`}
          onClick={comment}
        >
          {value}
        </button>
      ) : (
        value
      )}
    </td>
  );
}
