// The lines of a section's text inside the document: what could be taken for a heading, a comment or an open code block
// gets a backslash in front, and loses it again when it is read. Inside a code block nothing is touched.
import { isFenceEnd, parseFence } from "../text/markdown.ts";

const isSpecial = /^\\*(?:#{1,2}(?=\s|$)|<!--)/;
const isEscaped = /^\\+(?:#{1,2}(?=\s|$)|<!--)/;
const isFenceLike = /^(\s*)(\\*)(`{3,}|~{3,})/;

/** A section's text as lines of the document. */
export function escapeLines(text: string): string[] {
  const lines = text.split("\n");
  const out: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const fence = parseFence(line);
    const end = fence ? lines.findIndex((other, at) => at > i && isFenceEnd(other, fence)) : -1;
    if (end < 0) {
      out.push(escapeLine(line));
      continue;
    }
    out.push(...lines.slice(i, end + 1));
    i = end;
  }
  return out;
}

function escapeLine(line: string): string {
  if (isSpecial.test(line)) return `\\${line}`;
  const [, indent, slashes] = isFenceLike.exec(line) ?? [];
  if (indent === undefined || (slashes === "" && parseFence(line) === "")) return line;
  return `${indent}\\${line.slice(indent.length)}`;
}

/** A line of the document, outside a code block, as it was in the text. */
export function unescapeLine(line: string): string {
  if (isEscaped.test(line)) return line.slice(1);
  const [, indent = "", slashes = ""] = isFenceLike.exec(line) ?? [];
  return slashes === "" ? line : indent + line.slice(indent.length + 1);
}
