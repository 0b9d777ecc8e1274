// The one reader of Markdown, as numbered lines: which are headings, which are code, and none of what a comment hides.
// Constitutions, SOPs, plans, tasks and documents are read by it; every scan looks at a character a bounded number of
// times, since the text is somebody else's.
import { measureIndent, parseBullet } from "./bullets.ts";

export interface MarkdownLine {
  /** As an editor counts, from 1. */
  readonly number: number;
  /** Words of a heading without its marks; otherwise the line without its comments. */
  readonly text: string;
  /** The line as it stands, without its comments. */
  readonly shown: string;
  /** Heading level; 0 for anything else. */
  readonly level: number;
  /** Inside a code block, or front matter (left empty), where nothing is a heading or a bullet. */
  readonly code: boolean;
}

interface Raw {
  readonly text: string;
  readonly shown: string;
  readonly code: boolean;
}

/** Something that continues to the end of the text, because it is never closed. */
export interface UnclosedBlock {
  readonly line: number;
  readonly what: "comment" | "code block";
}

export const lineEnd = /\r\n|\n|\r/;

/** Every line of a Markdown text, one for one. */
export function parseMarkdownLines(markdown: string): MarkdownLine[] {
  const texts = listTexts(markdown);
  const { raw } = hideComments(texts);
  const lines: MarkdownLine[] = [];
  for (const [i, { text, shown, code }] of raw.entries()) {
    const next = raw[i + 1];
    const isUnderline = (lines[i - 1]?.level ?? 0) > 0 && texts[i - 1]?.trimStart().startsWith("#") === false;
    if (code || (isUnderline && getUnderlineLevel(text) > 0))
      lines.push({ number: i + 1, text: code ? text : "", shown, level: 0, code });
    else
      lines.push({
        ...{ number: i + 1, shown, code: false },
        ...parseHeading(text, next && !next.code ? next.text : ""),
      });
  }
  return lines;
}

/** What is open at the end of a text: it hides, or takes for code, all that follows. */
export function findUnclosedBlock(markdown: string): UnclosedBlock | undefined {
  return hideComments(listTexts(markdown)).unclosed;
}

const listTexts = (markdown: string): string[] => markdown.replace(/^\uFEFF/, "").split(lineEnd);

/** Takes comments out, and tells code from text: fences, and front matter at the top. */
function hideComments(texts: readonly string[]): { raw: Raw[]; unclosed: UnclosedBlock | undefined } {
  const reading = new Reading(texts);
  const raw = texts.map((text, i) => reading.take(text, i));
  return { raw, unclosed: reading.unclosed };
}

class Reading {
  /** What the line before left open, and where it began. */
  #open: (UnclosedBlock & { readonly fence: string }) | undefined;
  readonly #front: number;
  readonly #indents: readonly Indent[];
  readonly #closesLater: readonly boolean[];

  constructor(texts: readonly string[]) {
    this.#front = findFrontMatterEnd(texts);
    this.#indents = listIndents(texts);
    this.#closesLater = findClosingParagraphs(texts);
  }

  get unclosed(): UnclosedBlock | undefined {
    return this.#open && { line: this.#open.line, what: this.#open.what };
  }

  take(text: string, i: number): Raw {
    if (i <= this.#front) return { text: "", shown: text, code: true };
    if (this.#takeFence(text, i)) return { text, shown: text, code: true };
    if (!this.#open && this.#indents[i] === "code") return { text, shown: text, code: false };
    const shown = this.#withoutComments(text, i);
    return { text: shown, shown, code: false };
  }

  /** Whether the line is part of a code block, its first and last line included. */
  #takeFence(text: string, i: number): boolean {
    if (this.#open) {
      const { what, fence } = this.#open;
      if (what === "code block" && isFenceEnd(text, fence)) this.#open = undefined;
      return what === "code block";
    }
    const fence = parseFence(text);
    if (fence) this.#open = { line: i + 1, what: "code block", fence };
    return fence !== "";
  }

  #withoutComments(text: string, i: number): string {
    const mayBegin = this.#indents[i] !== "far";
    const closesLater = this.#closesLater[i] ?? false;
    const part = removeComments(text, this.#open !== undefined, { closesLater, mayBegin });
    if (!part.hidden) this.#open = undefined;
    else if (!this.#open || part.isNew) this.#open = { line: i + 1, what: "comment", fence: "" };
    return part.text;
  }
}

/** For each line whether a comment that begins in the middle of it ends further down in the same paragraph. */
function findClosingParagraphs(texts: readonly string[]): boolean[] {
  const closes: boolean[] = texts.map(() => false);
  for (let i = texts.length - 2; i >= 0; i--) {
    const next = texts[i + 1] ?? "";
    const isContinued = next.trim() !== "" && !isHeading(texts[i] ?? "") && !isHeading(next);
    closes[i] = isContinued && (next.includes("-->") || closes[i + 1] === true);
  }
  return closes;
}

const isHeading = (text: string): boolean => /^ {0,3}#{1,6}(?=\s|$)/.test(text);

type Indent = "code" | "far" | "near";

/**
 * What the indent of each line means. Four columns make code after an empty line, unless they belong to an item of a
 * list; otherwise they continue with what stands before.
 */
function listIndents(texts: readonly string[]): Indent[] {
  let isOpen = true;
  let inList = false;
  return texts.map((text) => {
    if (text.trim() === "") {
      isOpen = true;
      return "near";
    }
    const isFar = measureIndent(text) >= 4;
    if (!isFar) inList = parseBullet(text) !== undefined || (inList && measureIndent(text) >= 2);
    const isCode = isFar && isOpen && !inList;
    isOpen = isCode;
    return isCode ? "code" : isFar ? "far" : "near";
  });
}

interface Comments {
  /** One that begins in the middle of this line ends further down in its paragraph. */
  readonly closesLater: boolean;
  /** One that begins this line continues to its end, wherever that is. */
  readonly mayBegin: boolean;
}

interface Shown {
  readonly text: string;
  /** A comment continues in the next line. */
  readonly hidden: boolean;
  /** One began in this line. */
  readonly isNew: boolean;
}

/** What a line shows when comments are taken out, and whether one continues in the next line. */
function removeComments(text: string, hidden: boolean, comments: Comments): Shown {
  let shown = "";
  let at = 0;
  let isHidden = hidden;
  let isNew = false;
  const spans = isHidden || text.includes("<!--") ? findCodeSpans(text) : [];
  while (at < text.length) {
    if (isHidden) {
      const close = text.indexOf("-->", at);
      if (close < 0) return { text: shown, hidden: true, isNew };
      at = close + 3;
      isHidden = false;
    }
    const open = findCommentStart(text, at, spans);
    shown += text.slice(at, open < 0 ? undefined : open);
    if (open < 0) break;
    if (!isComment(text, open, comments)) return { text: shown + text.slice(open), hidden: false, isNew };
    isHidden = true;
    isNew = true;
    at = open + 2;
  }
  return { text: shown, hidden: isHidden, isNew };
}

/** A comment that never ends is one only where it begins a line; anywhere else its mark is text. */
function isComment(text: string, open: number, { closesLater, mayBegin }: Comments): boolean {
  const closes = text.indexOf("-->", open + 2) >= 0;
  return closes || closesLater || (mayBegin && text.slice(0, open).trim() === "");
}

function findCommentStart(text: string, from: number, spans: readonly CodeSpan[]): number {
  let open = text.indexOf("<!--", from);
  for (const span of spans) {
    if (open < 0 || open < span.start) return open;
    if (open < span.end) open = text.indexOf("<!--", span.end);
  }
  return open;
}

export interface CodeSpan {
  readonly start: number;
  readonly end: number;
}

/** Where code between backticks stands in a text, backticks included. */
export function findCodeSpans(text: string): CodeSpan[] {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  const nextOfLength = new Map<number, number>();
  const partner = runs.map(() => -1);
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.length ?? 0;
    partner[i] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, i);
  }
  const spans: CodeSpan[] = [];
  for (let i = 0; i < runs.length; i++) {
    const opening = runs[i];
    const closing = runs[partner[i] ?? -1];
    if (!opening || !closing) continue;
    spans.push({ start: opening.start, end: closing.start + closing.length });
    i = partner[i] ?? i;
  }
  return spans;
}

/** The marks that open a code block, or nothing. Backticks after three of them make it code within a line. */
export function parseFence(text: string): string {
  const trimmed = text.trimStart();
  const mark = /^(?:`{3,}|~{3,})/.exec(trimmed)?.[0] ?? "";
  return mark.startsWith("`") && trimmed.includes("`", mark.length) ? "" : mark;
}

export function isFenceEnd(text: string, fence: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith(fence) && trimmed === (fence[0] ?? "").repeat(trimmed.length);
}

/** The last line of front matter (keys between two lines of ---), or -1. */
function findFrontMatterEnd(texts: readonly string[]): number {
  if (texts[0]?.trimEnd() !== "---") return -1;
  const first = texts.findIndex((text, i) => i > 0 && text.trim() !== "");
  if (!/^(?:---|[\w.-]{1,100}\s{0,9}:)/.test(texts[first] ?? "")) return -1;
  return texts.findIndex((text, i) => i > 0 && text.trimEnd() === "---");
}

/** `## Words ##`, or words underlined with = or -. */
function parseHeading(text: string, next: string): { text: string; level: number } {
  const trimmed = text.trim();
  const indent = text.length - text.trimStart().length;
  const hashes = /^#{1,6}(?=\s|$)/.exec(trimmed)?.[0].length ?? 0;
  if (hashes > 0 && indent <= 3)
    return { text: dropClosingMarks(trimmed.slice(hashes).trim()), level: hashes };
  const isWords =
    trimmed !== "" && !parseBullet(text) && !/^[|>]/.test(trimmed) && getUnderlineLevel(text) === 0;
  const level = isWords ? getUnderlineLevel(next) : 0;
  return level > 0 ? { text: trimmed, level } : { text, level: 0 };
}

function dropClosingMarks(words: string): string {
  let end = words.length;
  while (words[end - 1] === "#") end--;
  if (end === words.length) return words;
  return end === 0 || /\s/.test(words[end - 1] ?? "") ? words.slice(0, end).trim() : words;
}

/** 1 for ===, 2 for ---, 0 for anything else. */
function getUnderlineLevel(text: string): number {
  const mark = text.trim();
  if (text.length - text.trimStart().length > 3 || mark === "") return 0;
  if (mark === "=".repeat(mark.length)) return 1;
  return mark.length > 1 && mark === "-".repeat(mark.length) ? 2 : 0;
}
