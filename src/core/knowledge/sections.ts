// The sections of a Markdown text. Headings in code blocks and comments are none; a heading may also be a line
// underlined with dashes.
import { codeLines } from "./fences.ts";

export interface MarkdownSection {
  readonly name: string;
  /** 1 or 2; 0 for what stands before the first heading. */
  readonly level: number;
  /** Without its heading, and without comments, which are for people. */
  readonly text: string;
  /** As it stands in the source; all of them together are the source again. */
  readonly source: string;
}

/** Cuts a text at its headings of the first two levels. */
export function sectionsOf(markdown: string): MarkdownSection[] {
  const lines = markdown.split(/(?<=\n)/);
  const shown = blankComments(markdown).split(/(?<=\n)/);
  const cuts: Cut[] = [{ at: 0, after: 0, name: "", level: 0 }, ...headingsIn(shown)];
  return cuts.map(({ at, after, name, level }, i) => {
    const end = cuts[i + 1]?.at ?? lines.length;
    return { name, level, text: tidy(shown.slice(after, end)), source: lines.slice(at, end).join("") };
  });
}

interface Cut {
  /** The line of the heading, and the first line after it. */
  readonly at: number;
  readonly after: number;
  readonly name: string;
  readonly level: number;
}

function headingsIn(lines: readonly string[]): Cut[] {
  const isCode = codeLines(lines);
  return lines.flatMap((_, i) => (isCode[i] ? [] : (headingAt(lines, i) ?? [])));
}

/** A line that can be underlined to make a heading of it. */
const words = /^ {0,3}(?![-*+](?:[ \t]|$)|[>#|]|\d+[.)][ \t])\S/;

function headingAt(lines: readonly string[], at: number): Cut | undefined {
  const line = (lines[at] ?? "").replace(/^\uFEFF/, "").trimEnd();
  const [, hashes, name = ""] = /^ {0,3}(##?)(?!#)[ \t]*(.*)$/.exec(line) ?? [];
  if (hashes)
    return { at, after: at + 1, name: name.slice(0, 300).replace(/#+$/, "").trim(), level: hashes.length };
  const under = /^ {0,3}(-{2,}|={2,})$/.exec((lines[at + 1] ?? "").trimEnd())?.[1];
  if (!under || !words.test(line)) return undefined;
  return { at, after: at + 2, name: line.trim().slice(0, 300), level: under.startsWith("=") ? 1 : 2 };
}

function tidy(lines: readonly string[]): string {
  const whole = lines.map((line) => line.trimEnd()).join("\n");
  return whole.replace(/^\uFEFF/, "").trim();
}

/** The text with spaces for its comments: every line stays where it is. */
function blankComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", at)) {
    const close = text.indexOf("-->", open + 4);
    if (close < 0) break;
    kept.push(text.slice(at, open), text.slice(open, close + 3).replace(/[^\n]/g, " "));
    at = close + 3;
  }
  return kept.join("") + text.slice(at);
}
