// Which lines a change touched, read from a unified diff.

export interface Touched {
  readonly path: string;
  /** First and last line in the new file, one pair a hunk. */
  readonly ranges: readonly (readonly [number, number])[];
}

const header = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

export function touchedLines(diff: string): Touched[] {
  const files: { path: string; ranges: [number, number][] }[] = [];
  for (const line of diff.split("\n")) {
    if (line.startsWith("+++ ")) files.push({ path: line.slice(4).replace(/^b\//, ""), ranges: [] });
    const hunk = header.exec(line);
    const file = files.at(-1);
    if (!hunk?.[1] || !file) continue;
    const first = Number(hunk[1]);
    file.ranges.push([first, first + Math.max(Number(hunk[2] ?? 1), 1) - 1]);
  }
  return files;
}

/** A place without a line counts as touched when its file is. */
export function isTouched(touched: readonly Touched[], file: string, line: number | undefined): boolean {
  const found = touched.find((entry) => entry.path === file);
  if (!found) return false;
  return line === undefined || found.ranges.some(([first, last]) => line >= first && line <= last);
}
