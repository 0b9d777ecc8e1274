// A change between two trees, file by file, as rows that a person can judge: line numbers of both sides, and whatever an eye
// would miss written out.

import type { Change } from "../../../text/diff/raw.ts";
import { type Hunk, readDiff } from "../../../text/diff/unified.ts";
import { makeVisible } from "../../../text/visible.ts";

export interface DiffFile {
  readonly path: string;
  readonly from: string | null;
  readonly status: string;
  readonly added: number | null;
  readonly removed: number | null;
  /** The new bytes: a mark that says "viewed" belongs to these. */
  readonly blob: string;
  /** What is unusual about it: a mode, a link, a submodule. */
  readonly notes: readonly string[];
  /** Written by a tool: folded at first. */
  readonly generated: boolean;
}

export interface DiffRow {
  readonly kind: "added" | "removed" | "kept";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
  readonly hidden: readonly string[];
  /** No newline follows: the file ends here. */
  readonly is_open: boolean;
}

export interface DiffHunk {
  readonly before: number;
  readonly after: number;
  readonly rows: readonly DiffRow[];
}

export interface FileDiffPage {
  readonly page: "file";
  readonly path: string;
  readonly from: string;
  readonly to: string;
  /** Null: it is no text, or too long; `note` says which. */
  readonly hunks: readonly DiffHunk[] | null;
  readonly note: string | null;
  /** How many spots are covered because they look like a secret. */
  readonly secrets: number;
}

const modeWords: Readonly<Record<string, string>> = {
  "100755": "executable",
  "120000": "symbolic link",
  "160000": "submodule",
};
const absent = "000000";

export function buildDiffFile(change: Change): DiffFile {
  const { path, from, status, added, removed, oldMode, newMode, newId } = change;
  return {
    path,
    from: from ?? null,
    status,
    added,
    removed,
    blob: newId,
    notes: listNotes(path, oldMode, newMode),
    generated: isGenerated(path),
  };
}

function listNotes(path: string, oldMode: string, newMode: string): string[] {
  const changed = oldMode !== newMode && oldMode !== absent && newMode !== absent;
  return [
    ...(modeWords[newMode] ? [modeWords[newMode]] : []),
    ...(changed ? [`mode ${oldMode} → ${newMode}`] : []),
    ...listVisiblePathNotes(path),
  ];
}

const listVisiblePathNotes = (path: string): string[] =>
  makeVisible(path).hidden.map((shown) => `hidden character in its name: ${shown}`);

const generated = [
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum)$/,
  /(^|\/)(poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|flake\.lock)$/,
  /(^|\/)(node_modules|vendor|dist|__snapshots__)\//,
  /\.(min\.(js|css)|map|snap)$/,
];

export const isGenerated = (path: string): boolean => generated.some((pattern) => pattern.test(path));

/** The rows of one file; null when what changed is no text. */
export function buildDiffHunks(latin1: string): DiffHunk[] | null {
  const hunks = readDiff(latin1).flatMap((file) => file.hunks);
  return isText(hunks) ? hunks.map(buildDiffHunk) : null;
}

/** A few bytes that are no text are shown as such; a picture or a program is not shown line by line. */
function isText(hunks: readonly Hunk[]): boolean {
  const texts = hunks.flatMap(({ lines }) => lines.map(({ text }) => text));
  const all = texts.reduce((sum, text) => sum + text.length, 0);
  const odd = texts.reduce((sum, text) => sum + countOdd(text), 0);
  return odd * 20 <= all;
}

/** Bytes that no text has: everything below the blank but tabs, form feeds and line ends. */
function countOdd(latin1: string): number {
  let count = 0;
  for (let at = 0; at < latin1.length; at++) {
    const code = latin1.charCodeAt(at);
    if (code < 9 || (code > 13 && code < 32)) count++;
  }
  return count;
}

function buildDiffHunk({ before, after, lines }: Hunk): DiffHunk {
  let [old, now] = [before.first, after.first];
  const rows = lines.map(({ kind, text, isOpen }): DiffRow => {
    const numbers = {
      before: kind === "added" ? null : old++,
      after: kind === "removed" ? null : now++,
    };
    return { kind, ...numbers, ...buildLineText(text), is_open: isOpen ?? false };
  });
  return { before: before.first, after: after.first, rows };
}

/** A carriage return at the end is no fault, but a change of it must be seen. */
function buildLineText(latin1: string): Pick<DiffRow, "text" | "hidden"> {
  if (!latin1.endsWith("\r")) return makeVisible(latin1);
  const { text, hidden } = makeVisible(latin1.slice(0, -1));
  return { text: `${text}␍`, hidden };
}

/** Where a line of the old side is now; undefined when it was changed or removed since. */
export function carryLine(hunks: readonly DiffHunk[], line: number): number | undefined {
  let shift = 0;
  for (const { before, rows } of hunks) {
    const removed = rows.filter(({ kind }) => kind === "removed").length;
    const isInsertion = rows.every(({ kind }) => kind === "added");
    // Git names the line before an insertion, and the first line of everything else.
    if (isInsertion ? line <= before : line < before) break;
    const found = rows.find((row) => row.before === line);
    if (found) return found.after ?? undefined;
    shift += rows.filter(({ kind }) => kind === "added").length - removed;
  }
  return line + shift;
}
