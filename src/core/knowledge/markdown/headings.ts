// Moving the headings of a quoted Markdown text below the heading it stands under.
import { lineEnd, parseMarkdownLines } from "../../text/markdown.ts";

/** The text with its topmost heading at `level` and the others below it; code blocks stay as they are. */
export function lowerHeadings(markdown: string, level: number): string {
  const lines = markdown.split(lineEnd);
  const read = parseMarkdownLines(markdown);
  const depths = lines.map((line, i) => (read[i]?.level ? getDepth(line) : 0));
  const top = depths.reduce((least, depth) => (depth > 0 && depth < least ? depth : least), level);
  const moved = lines.map((line, i) => {
    const depth = depths[i] ?? 0;
    const deeper = Math.min(6, depth + level - top);
    return depth === 0 ? line : `${"#".repeat(deeper)}${line.trimStart().slice(depth)}`;
  });
  return moved.join("\n").trim();
}

const getDepth = (line: string): number => /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line)?.[1]?.length ?? 0;
