// Colours of a language, loaded when the first line of one is shown. Each side of a hunk is read as one text.
import type { DiffRow } from "../../../../src/core/views/page/review/diff.ts";
import type { Token } from "./rows.ts";

/** More than this in one piece is not coloured: reading matters more. */
const longest = 60_000;

const endings: Readonly<Record<string, string>> = {
  ...{ ts: "typescript", tsx: "typescript", mts: "typescript", cts: "typescript" },
  ...{ js: "javascript", jsx: "javascript", mjs: "javascript", cjs: "javascript" },
  ...{ json: "json", css: "css", html: "xml", xml: "xml", svg: "xml", md: "markdown" },
  ...{
    py: "python",
    go: "go",
    rs: "rust",
    sh: "bash",
    bash: "bash",
    yml: "yaml",
    yaml: "yaml",
    java: "java",
    sql: "sql",
  },
};

export async function colourHunk(
  path: string,
  rows: readonly DiffRow[],
): Promise<ReadonlyMap<DiffRow, readonly Token[]>> {
  const language = endings[path.split(".").at(-1)?.toLowerCase() ?? ""];
  if (!language) return new Map();
  const { tokensOf } = await import("./highlight.ts");
  const found = new Map<DiffRow, readonly Token[]>();
  for (const gone of ["added", "removed"] as const) {
    const side = rows.filter(({ kind }) => kind !== gone);
    const text = side.map((row) => row.text).join("\n");
    if (text.length > longest) continue;
    tokensOf(language, text).forEach((tokens, index) => {
      const row = side[index];
      if (row) found.set(row, tokens);
    });
  }
  return found;
}
