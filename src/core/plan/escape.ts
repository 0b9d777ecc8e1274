// The lines of a section's text inside the document: what could be taken for a heading, a comment or an open code block
// gets a backslash in front, and loses it again when it is read. Inside a code block nothing is touched.

/** The marks of a line that opens or closes a code block. */
export interface Fence {
  readonly mark: string;
  readonly length: number;
}

const isSpecial = /^\\*(?:#{1,2}(?=\s|$)|<!--)/;
const isEscaped = /^\\+(?:#{1,2}(?=\s|$)|<!--)/;
const isFenceLike = /^(\s*)(\\*)(`{3,}|~{3,})/;

/** The code block that a line opens; backticks with further backticks behind them are code within a line. */
export function opens(line: string): Fence | undefined {
  const [, , slashes = "", mark = ""] = isFenceLike.exec(line) ?? [];
  if (mark === "" || slashes !== "") return undefined;
  const rest = line.slice(line.indexOf(mark) + mark.length);
  if (mark.startsWith("`") && rest.includes("`")) return undefined;
  return { mark: mark[0] ?? "", length: mark.length };
}

export function closes(line: string, fence: Fence): boolean {
  const marks = line.trim();
  return marks.length >= fence.length && marks === fence.mark.repeat(marks.length);
}

/** A section's text as lines of the document. */
export function escapeLines(text: string): string[] {
  const lines = text.split("\n");
  const out: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const fence = opens(line);
    const end = fence ? lines.findIndex((other, at) => at > i && closes(other, fence)) : -1;
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
  if (indent === undefined || (slashes === "" && !opens(line))) return line;
  return `${indent}\\${line.slice(indent.length)}`;
}

/** A line of the document, outside a code block, as it was in the text. */
export function unescapeLine(line: string): string {
  if (isEscaped.test(line)) return line.slice(1);
  const [, indent = "", slashes = ""] = isFenceLike.exec(line) ?? [];
  return slashes === "" ? line : indent + line.slice(indent.length + 1);
}
