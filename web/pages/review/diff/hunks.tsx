// The hunks of a file, each in blocks of lines that are drawn when they come near.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { DiffFile, DiffHunk, DiffRow } from "../../../../src/core/views/page/review/diff.ts";
import type { PinnedFinding, ReviewPage } from "../../../../src/core/views/page/review/payload.ts";
import type { Reading } from "../reading.ts";
import { Block } from "./block.tsx";
import { colourHunk } from "./colours.ts";
import { blocksOf, pairsOf, type Token, withoutSpace } from "./rows.ts";

interface HunksProps {
  readonly hunks: readonly DiffHunk[];
  readonly file: DiffFile;
  readonly page: ReviewPage;
  readonly reading: Reading;
  readonly findings: readonly PinnedFinding[];
}

export function Hunks(props: HunksProps) {
  const { hunks, reading, file } = props;
  const shown = useMemo(
    () => (reading.ignoresSpace.value ? hunks.map(withoutSpace) : hunks),
    [hunks, reading.ignoresSpace.value],
  );
  return (
    <div class={`hunks ${isSideBySide(reading, file) ? "split" : "unified"}`}>
      {shown.map((hunk) => (
        <Hunk key={`${hunk.before}-${hunk.after}`} hunk={hunk} {...props} />
      ))}
      <button
        type="button"
        class="plain whole"
        onClick={() => {
          reading.whole.value = reading.whole.value === file.path ? "" : file.path;
        }}
      >
        {reading.whole.value === file.path ? "show the change alone" : "show the whole file"}
      </button>
    </div>
  );
}

/** What has one side alone gets all the room. */
const isSideBySide = (reading: Reading, { status }: DiffFile): boolean =>
  reading.isSplit.value && status !== "added" && status !== "deleted";

function Hunk({ hunk, reading, file, page, findings }: HunksProps & { readonly hunk: DiffHunk }) {
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
  const blocks = useMemo(() => blocksOf(pairsOf(hunk.rows)), [hunk]);
  const isSplit = isSideBySide(reading, file);
  return (
    <div class="piece">
      {blocks.map((pairs, index) => (
        <Block
          key={`${isSplit}/${index}`}
          pairs={pairs}
          isFirst={index === 0}
          isSplit={isSplit}
          colours={colours.value}
          {...{ reading, file, page, findings }}
        />
      ))}
    </div>
  );
}
