// How many lines came and went; what is no text has none.
import type { DiffFile } from "../../../../src/core/views/page/review/diff.ts";

export function Counts({ file: { added, removed } }: { readonly file: Pick<DiffFile, "added" | "removed"> }) {
  if (added === null || removed === null) return <span class="quiet">no text</span>;
  return (
    <>
      <ins>+{added}</ins> <del>−{removed}</del>
    </>
  );
}
