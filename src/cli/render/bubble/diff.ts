// A change on a terminal: the patch in colour with whatever could fool an eye made visible, and the files in numbers.
import type { DiffFile } from "../../../core/views/page/review/diff.ts";
import { createInk, cut, measureWidth, showControlCharacters, toPlainLine } from "../../terminal/style.ts";
import { formatCount } from "../table.ts";

/** What no hunk's head announced is no content: only inside a hunk a sign decides. */
export function paintPatch(patch: string, colour: boolean): string {
  const text = showControlCharacters(patch);
  if (!colour) return text;
  const paint = createInk(true);
  let isHunk = false;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("diff --git ")) isHunk = false;
      else if (line.startsWith("@@ ")) isHunk = true;
      if (line.startsWith("@@ ")) return paint.accent(line);
      if (!isHunk) return paint.bold(line);
      if (line.startsWith("+")) return paint.added(line);
      return line.startsWith("-") ? paint.removed(line) : line;
    })
    .join("\n");
}

const widestBar = 40;

/** One line a file, with as many signs as fit; the sum below. */
export function renderStat(files: readonly DiffFile[], colour: boolean, width: number): string {
  if (files.length === 0) return "Nothing changed";
  const paint = createInk(colour);
  const name = ({ path, from }: DiffFile) =>
    from === null ? toPlainLine(path) : `${toPlainLine(from)} → ${toPlainLine(path)}`;
  const most = Math.max(1, ...files.map(({ added, removed }) => (added ?? 0) + (removed ?? 0)));
  const edge = Math.max(...files.map((file) => measureWidth(name(file))));
  const room = Number.isFinite(width) ? Math.min(edge, Math.max(20, width - widestBar)) : edge;
  const bar = Math.max(5, Math.min(widestBar, width - room - 12));
  const signs = (count: number) =>
    count === 0 ? 0 : Math.max(1, Math.round((count * Math.min(bar, most)) / most));
  const lines = files.map((file) => {
    const shown = cut(name(file), room);
    const left = `${shown}${" ".repeat(Math.max(0, room - measureWidth(shown)))}`;
    const notes = file.notes.length > 0 ? `  ${toPlainLine(file.notes.join(", "))}` : "";
    if (file.added === null || file.removed === null) return `${left}  not text${notes}`;
    const marks = `${paint.added("+".repeat(signs(file.added)))}${paint.removed("-".repeat(signs(file.removed)))}`;
    return `${left}  ${String(file.added + file.removed).padStart(String(most).length)} ${marks}${notes}`;
  });
  const sum = (side: "added" | "removed") => files.reduce((all, file) => all + (file[side] ?? 0), 0);
  return [...lines, `${formatCount(files.length, "file")}, +${sum("added")} −${sum("removed")}`].join("\n");
}
