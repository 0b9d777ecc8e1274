// Rows of a change as pairs of old and new lines, and the words that differ within a pair.
import { diffWordsWithSpace } from "diff";
import type { DiffHunk, DiffRow } from "../../../../src/core/views/page/review/diff.ts";

/** A piece of a line with the class of its colour. */
export interface Token {
  readonly text: string;
  readonly kind: string;
}

export interface Pair {
  readonly left: DiffRow | undefined;
  readonly right: DiffRow | undefined;
}

/** Where words begin and end that differ: from, to, from, to … */
export interface Words {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** Removed lines stand beside the added ones that follow them. */
export function pairsOf(rows: readonly DiffRow[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    if (row?.kind === "kept") {
      pairs.push({ left: row, right: row });
      at++;
      continue;
    }
    const removed = run(rows, at, "removed");
    const added = run(rows, at + removed.length, "added");
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      pairs.push({ left: removed[i], right: added[i] });
    at += removed.length + added.length;
  }
  return pairs;
}

function run(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): readonly DiffRow[] {
  let to = from;
  while (rows[to]?.kind === kind) to++;
  return rows.slice(from, to);
}

/** Longer lines are no prose, and comparing them takes too long. */
const longest = 600;

export function wordsOf({ left, right }: Pair): Words | undefined {
  if (!left || !right || left === right || left.text.length + right.text.length > longest) return undefined;
  const marks = { left: [] as number[], right: [] as number[] };
  const at = { left: 0, right: 0 };
  let same = 0;
  for (const { value, added, removed } of diffWordsWithSpace(left.text, right.text)) {
    if (!added) at.left += value.length;
    if (!removed) at.right += value.length;
    if (removed) marks.left.push(at.left - value.length, at.left);
    else if (added) marks.right.push(at.right - value.length, at.right);
    else same += value.trim().length;
  }
  // Lines that share next to nothing are two lines, not one that was changed.
  const isOther = same * 4 < Math.max(left.text.trim().length, right.text.trim().length);
  return isOther ? undefined : marks;
}

/** Lines that differ by blanks alone count as kept. */
export function withoutSpace(hunk: DiffHunk): DiffHunk {
  const rows = pairsOf(hunk.rows).flatMap(({ left, right }): DiffRow[] => {
    if (left && right && bare(left) === bare(right))
      return [{ ...right, kind: "kept", before: left.before, after: right.after }];
    return [...(left ? [left] : []), ...(right ? [right] : [])];
  });
  return { ...hunk, rows };
}

const bare = ({ text }: DiffRow): string => text.replace(/\s+/g, "");

/** So many pairs are drawn at once: a change of 28,000 lines must not hold the page up. */
const atOnce = 200;

export function blocksOf(pairs: readonly Pair[]): readonly (readonly Pair[])[] {
  return Array.from({ length: Math.ceil(pairs.length / atOnce) }, (_, index) =>
    pairs.slice(index * atOnce, (index + 1) * atOnce),
  );
}
