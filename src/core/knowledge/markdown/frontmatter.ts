// A Markdown file with settings between two lines of --- at its top. Only the cut is made here; what the settings say
// is read by the code that knows their language.

export type Split =
  | {
      readonly ok: true;
      /** The settings with the line breaks above them, so that lines keep their numbers. */
      readonly front: string;
      readonly body: string;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

const fence = /^---[ \t]*$/;
const closing = /^(?:---|\.\.\.)[ \t]*$/;

/** Cuts a file in two. A file that does not begin with --- is all body. */
export function splitFrontmatter(text: string): Split {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (!fence.test(lines[first] ?? "")) return findAlmost(lines[first], first) ?? buildWhole(lines);
  if (first > 0)
    return { ok: false, line: first + 1, message: "the settings must begin on the first line of the file" };
  const end = lines.findIndex((line, i) => i > 0 && closing.test(line));
  if (end < 0) return { ok: false, line: 1, message: "the settings have no second line of ---" };
  return {
    ok: true,
    front: `\n${lines.slice(1, end).join("\n")}\n`,
    body: trimEmptyLines(lines.slice(end + 1)),
  };
}

/** Settings that nobody would read as such must not turn into text unnoticed. */
function findAlmost(line: string | undefined, index: number): Split | undefined {
  if (!/^\s*(?:-{2,}|\u2014|\u2013+)\s*$/.test(line ?? "")) return undefined;
  return { ok: false, line: index + 1, message: "settings begin with a line of exactly three dashes: ---" };
}

const buildWhole = (lines: readonly string[]): Split => ({
  ok: true,
  front: "",
  body: trimEmptyLines(lines),
});

/** Empty lines around a text say nothing. */
function trimEmptyLines(lines: readonly string[]): string {
  const from = lines.findIndex((line) => line.trim() !== "");
  const to = lines.findLastIndex((line) => line.trim() !== "");
  return from < 0 ? "" : lines.slice(from, to + 1).join("\n");
}
