// Markdown as numbered lines: which are headings, which are code, and none of what a comment hides. Tasks and documents
// are read by it; every scan looks at a character a bounded number of times, since the text is somebody else's.

export interface Line {
  /** As an editor counts, from 1. */
  readonly number: number;
  /** Words of a heading without its marks; otherwise the line without its comments. */
  readonly text: string;
  /** Heading level; 0 for anything else. */
  readonly level: number;
  /** Inside a code block, or front matter (left empty), where nothing is a heading or a bullet. */
  readonly code: boolean;
}

interface Raw {
  readonly text: string;
  readonly code: boolean;
}

/** Every line of a Markdown text, one for one. */
export function linesOf(markdown: string): Line[] {
  const texts = markdown.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const raw = withoutComments(texts);
  const lines: Line[] = [];
  for (const [i, { text, code }] of raw.entries()) {
    const next = raw[i + 1];
    const isUnderline = (lines[i - 1]?.level ?? 0) > 0 && texts[i - 1]?.trimStart().startsWith("#") === false;
    if (code || (isUnderline && underlineOf(text) > 0))
      lines.push({ number: i + 1, text: code ? text : "", level: 0, code });
    else lines.push({ number: i + 1, ...headingOf(text, next && !next.code ? next.text : ""), code: false });
  }
  return lines;
}

/** Takes comments out, and tells code from text: fences, and front matter at the top. */
function withoutComments(texts: readonly string[]): Raw[] {
  const lastClose = texts.findLastIndex((text) => text.includes("-->"));
  const front = frontMatterEnd(texts);
  let fence = "";
  let hidden = false;
  return texts.map((text, i) => {
    if (i <= front) return { text: "", code: true };
    if (fence) {
      if (closes(text, fence)) fence = "";
      return { text, code: true };
    }
    if (!hidden) {
      fence = fenceOf(text);
      if (fence) return { text, code: true };
    }
    const shown = shownPart(text, hidden, i < lastClose);
    hidden = shown.hidden;
    return { text: shown.text, code: false };
  });
}

/** What a line shows when comments are taken out, and whether one goes on in the next line. */
function shownPart(text: string, hidden: boolean, closesLater: boolean): { text: string; hidden: boolean } {
  let shown = "";
  let at = 0;
  let isHidden = hidden;
  const spans = isHidden || text.includes("<!--") ? codeSpans(text) : [];
  while (at < text.length) {
    if (isHidden) {
      const close = text.indexOf("-->", at);
      if (close < 0) return { text: shown, hidden: true };
      at = close + 3;
      isHidden = false;
    }
    const open = commentStart(text, at, spans);
    shown += text.slice(at, open < 0 ? undefined : open);
    if (open < 0) break;
    const ends = text.indexOf("-->", open + 2) >= 0 || closesLater || text.slice(0, open).trim() === "";
    if (!ends) return { text: shown + text.slice(open), hidden: false };
    isHidden = true;
    at = open + 2;
  }
  return { text: shown, hidden: isHidden };
}

function commentStart(text: string, from: number, spans: readonly Span[]): number {
  let open = text.indexOf("<!--", from);
  for (const span of spans) {
    if (open < 0 || open < span.start) return open;
    if (open < span.end) open = text.indexOf("<!--", span.end);
  }
  return open;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where code between backticks stands in a text, backticks included. */
export function codeSpans(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  const nextOfLength = new Map<number, number>();
  const partner = runs.map(() => -1);
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]?.length ?? 0;
    partner[i] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, i);
  }
  const spans: Span[] = [];
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
function fenceOf(text: string): string {
  const trimmed = text.trimStart();
  const mark = /^(?:`{3,}|~{3,})/.exec(trimmed)?.[0] ?? "";
  return mark.startsWith("`") && trimmed.includes("`", mark.length) ? "" : mark;
}

function closes(text: string, fence: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith(fence) && trimmed === (fence[0] ?? "").repeat(trimmed.length);
}

/** The last line of front matter (keys between two lines of ---), or -1. */
function frontMatterEnd(texts: readonly string[]): number {
  if (texts[0]?.trimEnd() !== "---") return -1;
  const first = texts.findIndex((text, i) => i > 0 && text.trim() !== "");
  if (!/^(?:---|[\w.-]{1,100}\s{0,9}:)/.test(texts[first] ?? "")) return -1;
  return texts.findIndex((text, i) => i > 0 && text.trimEnd() === "---");
}

/** `## Words ##`, or words underlined with = or -. */
function headingOf(text: string, next: string): { text: string; level: number } {
  const trimmed = text.trim();
  const indent = text.length - text.trimStart().length;
  const hashes = /^#{1,6}(?=\s|$)/.exec(trimmed)?.[0].length ?? 0;
  if (hashes > 0 && indent <= 3) return { text: withoutClosing(trimmed.slice(hashes).trim()), level: hashes };
  const isWords = trimmed !== "" && !bulletOf(text) && !/^[|>]/.test(trimmed) && underlineOf(text) === 0;
  const level = isWords ? underlineOf(next) : 0;
  return level > 0 ? { text: trimmed, level } : { text, level: 0 };
}

function withoutClosing(words: string): string {
  let end = words.length;
  while (words[end - 1] === "#") end--;
  if (end === words.length) return words;
  return end === 0 || /\s/.test(words[end - 1] ?? "") ? words.slice(0, end).trim() : words;
}

/** 1 for ===, 2 for ---, 0 for anything else. */
function underlineOf(text: string): number {
  const mark = text.trim();
  if (text.length - text.trimStart().length > 3 || mark === "") return 0;
  if (mark === "=".repeat(mark.length)) return 1;
  return mark.length > 1 && mark === "-".repeat(mark.length) ? 2 : 0;
}

export interface Bullet {
  /** Columns before the mark. */
  readonly indent: number;
  readonly words: string;
}

const mark = /^(?:[-*+]|\d{1,9}[.)])(?=\s)/;

/** A line that begins a list item: its indent, and its words without mark and checkbox. */
export function bulletOf(text: string): Bullet | undefined {
  const rest = text.trimStart();
  const found = mark.exec(rest)?.[0];
  if (!found) return undefined;
  const words = rest.slice(found.length).trim();
  return { indent: columns(text), words: /^\[[ xX]\]\s/.test(words) ? words.slice(3).trim() : words };
}

/** How far a line is indented; a tab goes to the next stop of four. */
export function columns(text: string): number {
  let width = 0;
  for (const one of text) {
    if (one === "\t") width += 4 - (width % 4);
    else if (one === " ") width++;
    else break;
  }
  return width;
}

/** A line across the page: three or more of one mark. Two count as well, as an underline left over. */
export const isRule = (text: string): boolean => /^\s*(?:[-*_=]\s*){2,}$/.test(text);
