// Items of Markdown lists, and how far a line is indented.

export interface Bullet {
  /** Columns before the mark. */
  readonly indent: number;
  readonly words: string;
}

const mark = /^(?:[-*+]|\d{1,9}[.)])(?=\s)/;

/** A line that begins a list item: its indent, and its words without mark and checkbox. */
export function parseBullet(text: string): Bullet | undefined {
  const rest = text.trimStart();
  const found = mark.exec(rest)?.[0];
  if (!found) return undefined;
  const words = rest.slice(found.length).trim();
  return { indent: measureIndent(text), words: /^\[[ xX]\]\s/.test(words) ? words.slice(3).trim() : words };
}

/** How far a line is indented; a tab goes to the next stop of four. */
export function measureIndent(text: string): number {
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
