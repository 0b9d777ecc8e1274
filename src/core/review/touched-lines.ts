// Which lines a change touched, read from a unified diff.
import { type FileDiff, readDiff } from "../text/diff/unified.ts";

export interface TouchedFile {
  readonly path: string;
  /** First and last line in the new file, one pair a hunk; of a file that is gone, the lines it had. */
  readonly ranges: readonly (readonly [number, number])[];
}

export function listTouchedLines(diff: string): TouchedFile[] {
  return readDiff(diff).map((file) => ({ path: file.path, ranges: listRanges(file) }));
}

function listRanges({ isGone, hunks }: FileDiff): [number, number][] {
  return hunks.map(({ before, after }) => {
    const { first, count } = isGone ? before : after;
    return [first, first + Math.max(count, 1) - 1];
  });
}

/** A place without a line counts as touched when its file is. */
export function isTouched(touched: readonly TouchedFile[], file: string, line: number | undefined): boolean {
  const found = touched.find((entry) => entry.path === file);
  if (!found) return false;
  return line === undefined || found.ranges.some(([first, last]) => line >= first && line <= last);
}
