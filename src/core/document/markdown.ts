// A document as blocks: headings, list items, paragraphs, table rows, quotes and code, each with the lines it stands on.
// It reads as much of Markdown as the checks of a document need, and never fails: what it does not know is a paragraph.
import { isRule, measureIndent, parseBullet } from "../text/bullets.ts";
import { type MarkdownLine, parseMarkdownLines } from "../text/markdown.ts";

/** Words, and the line they stand on. */
export interface MarkdownPiece {
  readonly line: number;
  readonly text: string;
}

export interface Heading {
  readonly kind: "heading";
  readonly line: number;
  readonly level: number;
  readonly text: string;
}
export interface Item {
  readonly kind: "item";
  readonly line: number;
  /** 0 for an item of a list that is in no other. */
  readonly depth: number;
  readonly pieces: MarkdownPiece[];
}
export interface TableRow {
  readonly kind: "row";
  readonly line: number;
  readonly cells: readonly string[];
  /** The row that names the columns. */
  readonly header: boolean;
}
export interface Passage {
  readonly kind: "paragraph" | "quote" | "code";
  readonly line: number;
  readonly pieces: MarkdownPiece[];
}
export type Block = Heading | Item | TableRow | Passage;

interface Reader {
  readonly blocks: Block[];
  /** Indents of the items around the current place. */
  indents: number[];
  /** An empty line came since the last block. */
  gap: boolean;
  /** Inside a table. */
  table: boolean;
}

/** Reads a Markdown text into blocks, in the order of their lines. */
export function parseBlocks(markdown: string): Block[] {
  const lines = parseMarkdownLines(markdown);
  const reader: Reader = { blocks: [], indents: [], gap: true, table: false };
  for (const [i, line] of lines.entries()) readLine(reader, line, lines[i + 1]);
  return reader.blocks.map((block) => (block.kind === "paragraph" ? buildBoldHeading(block) : block));
}

function readLine(reader: Reader, line: MarkdownLine, next: MarkdownLine | undefined): void {
  if (line.code) {
    addTo(reader, "code", line.text, line.number);
    return;
  }
  if (line.level > 0) {
    startOver(reader);
    reader.blocks.push({ kind: "heading", line: line.number, level: line.level, text: line.text });
    return;
  }
  if (line.text.trim() === "") {
    reader.gap = true;
    reader.table = false;
    return;
  }
  readText(reader, line, next);
}

function readText(reader: Reader, line: MarkdownLine, next: MarkdownLine | undefined): void {
  if (readRow(reader, line, next)) return;
  if (isRule(line.text)) {
    startOver(reader);
    return;
  }
  const bullet = parseBullet(line.text);
  if (bullet) {
    while ((reader.indents.at(-1) ?? -2) > bullet.indent - 2) reader.indents.pop();
    const depth = reader.indents.push(bullet.indent) - 1;
    push(reader, {
      kind: "item",
      line: line.number,
      depth,
      pieces: [{ line: line.number, text: bullet.words }],
    });
    return;
  }
  const text = line.text.trim();
  if (text.startsWith(">")) addTo(reader, "quote", text.slice(1).trim(), line.number);
  else if (isIndentedCode(reader, line.text)) addTo(reader, "code", line.text, line.number);
  else runOn(reader, { line: line.number, text }, measureIndent(line.text));
}

/** A line of plain words: continues with what came before, or begins a paragraph. */
function runOn(reader: Reader, piece: MarkdownPiece, indent: number): void {
  const last = reader.blocks.at(-1);
  const isLazy =
    !reader.gap && (last?.kind === "item" || last?.kind === "paragraph" || last?.kind === "quote");
  if (isLazy) {
    last.pieces.push(piece);
    return;
  }
  const inItem = reader.indents.findLastIndex((mark) => indent >= mark + 2);
  if (inItem >= 0 && last?.kind === "item") last.pieces.push(piece);
  else {
    if (inItem < 0) reader.indents = [];
    push(reader, { kind: "paragraph", line: piece.line, pieces: [piece] });
    return;
  }
  reader.gap = false;
}

const isIndentedCode = ({ gap, indents }: Reader, text: string) =>
  gap && indents.length === 0 && measureIndent(text) >= 4;

function addTo(reader: Reader, kind: "quote" | "code", text: string, line: number): void {
  const last = reader.blocks.at(-1);
  const isSame = last?.kind === kind && last.line + last.pieces.length === line;
  if (isSame) last.pieces.push({ line, text });
  else push(reader, { kind, line, pieces: [{ line, text }] });
}

function push(reader: Reader, block: Block): void {
  reader.blocks.push(block);
  reader.gap = false;
  reader.table = false;
}

function startOver(reader: Reader): void {
  reader.indents = [];
  reader.gap = true;
  reader.table = false;
}

/** A table begins above a line of dashes and bars, and continues as long as lines have bars. */
function readRow(reader: Reader, line: MarkdownLine, next: MarkdownLine | undefined): boolean {
  if (!line.text.includes("|")) {
    reader.table = false;
    return false;
  }
  const begins = !reader.table && next !== undefined && !next.code && isDelimiter(next.text);
  if (!begins && !reader.table) return false;
  if (!begins && isDelimiter(line.text)) return true;
  push(reader, { kind: "row", line: line.number, cells: listCells(line.text), header: begins });
  reader.table = true;
  return true;
}

const isDelimiter = (text: string) => /^[\s|:-]*$/.test(text) && text.includes("|") && text.includes("-");

function listCells(text: string): string[] {
  const cells: string[] = [""];
  const trimmed = text.trim().replace(/^\|/, "");
  for (let i = 0; i < trimmed.length; i++) {
    const one = trimmed[i] ?? "";
    if (one === "\\" && trimmed[i + 1] === "|") {
      cells.push(`${cells.pop() ?? ""}|`);
      i++;
    } else if (one === "|") cells.push("");
    else cells.push((cells.pop() ?? "") + one);
  }
  if (cells.at(-1)?.trim() === "" && cells.length > 1) cells.pop();
  return cells.map((cell) => cell.trim());
}

/** A line that is bold from end to end is how many people write a heading; it ranks below all others. */
function buildBoldHeading(block: Passage): Block {
  const [only, ...more] = block.pieces;
  if (!only || more.length > 0) return block;
  const words = only.text.endsWith(":") ? only.text.slice(0, -1) : only.text;
  const marks = words.slice(0, 2);
  const isBold =
    words.length > 4 &&
    (marks === "**" || marks === "__") &&
    words.endsWith(marks) &&
    !words.slice(2, -2).includes(marks);
  return isBold ? { kind: "heading", line: block.line, level: 7, text: words.slice(2, -2) } : block;
}
