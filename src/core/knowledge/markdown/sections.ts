// The sections of a Markdown text. Headings in code blocks and comments are none; a heading may also be a line
// underlined with dashes.
import { keepStart } from "../../model/value/sizes.ts";
import { type MarkdownLine, parseMarkdownLines } from "../../text/markdown.ts";

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
export function splitSections(markdown: string): MarkdownSection[] {
  const sources = markdown.split(/(?<=\n|\r(?!\n))/);
  const lines = parseMarkdownLines(markdown);
  const cuts: Cut[] = [{ at: 0, after: 0, name: "", level: 0 }, ...lines.flatMap((_, i) => cutAt(lines, i))];
  return cuts.map(({ at, after, name, level }, i) => {
    const end = cuts[i + 1]?.at ?? lines.length;
    return { name, level, text: tidy(lines.slice(after, end)), source: sources.slice(at, end).join("") };
  });
}

interface Cut {
  /** The line of the heading, and the first line after it. */
  readonly at: number;
  readonly after: number;
  readonly name: string;
  readonly level: number;
}

function cutAt(lines: readonly MarkdownLine[], at: number): Cut[] {
  const line = lines[at];
  if (!line || line.code || line.level > 2) return [];
  if (line.level === 0) return tightenHeading(line, at);
  const isUnderlined = !line.shown.trimStart().startsWith("#");
  return [{ at, after: at + (isUnderlined ? 2 : 1), name: getName(line.text), level: line.level }];
}

/** `##Standards` is no heading by the book, and meant as one: nobody is to be told Standards by mistake. */
function tightenHeading({ shown }: MarkdownLine, at: number): Cut[] {
  const [, hashes, name = ""] = /^ {0,3}(##?)(?!#)(\S.*)$/.exec(shown) ?? [];
  return hashes ? [{ at, after: at + 1, name: getName(name), level: hashes.length }] : [];
}

const getName = (words: string): string => keepStart(words, 300).replace(/#+$/, "").trim();

function tidy(lines: readonly MarkdownLine[]): string {
  return lines
    .map(({ shown }) => shown.trimEnd())
    .join("\n")
    .trim();
}
