// Code blocks of a Markdown text: nothing in them is a heading.

/** For each line whether it belongs to a code block; one that is never closed goes on to the end. */
export function codeLines(lines: readonly string[]): boolean[] {
  let fence = "";
  return lines.map((line) => {
    const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? "";
    if (fence === "") {
      fence = mark;
      return mark !== "";
    }
    if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    return true;
  });
}
