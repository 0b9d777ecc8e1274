// What a task's Markdown says about itself: its title, and the list under "Acceptance criteria".
import { isRule, parseBullet } from "../../core/text/bullets.ts";
import { type MarkdownLine, parseMarkdownLines } from "../../core/text/markdown.ts";

export interface Criteria {
  readonly list: readonly string[];
  /** There is such a section, whether or not a list was found in it. */
  readonly section: boolean;
}

const isCriteria = (heading: string) => /^acceptance criteria:?$/i.test(heading.replace(/[*_]/g, "").trim());

/** The first heading, or the first line that says something. */
export function parseTitle(markdown: string): string {
  const lines = parseMarkdownLines(markdown);
  const heading = lines.find((line) => line.level > 0 && line.text !== "" && !isCriteria(line.text));
  const first = lines.find((line) => line.text.trim() !== "" && line.level === 0);
  return (heading ?? first)?.text.trim().replace(/^[-*+]\s+/, "") ?? "";
}

/** Every item of the sections called "Acceptance criteria", each on one line. */
export function parseCriteria(markdown: string): Criteria {
  const list: string[] = [];
  let section = 0;
  let seen = false;
  let item: Item = none;
  for (const line of parseMarkdownLines(markdown)) {
    if (line.level > 0) {
      const begins = isCriteria(line.text);
      seen ||= begins;
      if (begins) section = line.level;
      else if (line.level <= section) section = 0;
      item = none;
    } else if (section > 0) item = readLine(line, list, item);
  }
  return { list: list.filter((words) => words !== ""), section: seen };
}

/** The item being read: where its text begins, and whether an empty line came since. */
interface Item {
  readonly margin: number;
  readonly gap: boolean;
}
const none: Item = { margin: 0, gap: true };

/** Adds a line to the list: as a new item, or to the one before when it is nested, indented or runs on. */
function readLine(line: MarkdownLine, list: string[], item: Item): Item {
  if (line.text.trim() === "") return { ...item, gap: true };
  if (!line.code && isRule(line.text)) return none;
  const words = line.code ? undefined : parseBullet(line.text)?.words;
  const indent = line.text.length - line.text.trimStart().length;
  const nested = item.margin > 0 && indent >= item.margin;
  if (words !== undefined && !nested) {
    list.push(words);
    return { margin: indent + 2, gap: false };
  }
  if (!nested && item.gap) return none;
  list.push(joinItem(list.pop() ?? "", words, line.text.trim()));
  return { ...item, gap: false };
}

/** A nested item follows a semicolon, unless a colon announced it; other lines simply continue. */
function joinItem(before: string, item: string | undefined, line: string): string {
  if (item === undefined || before.endsWith(":")) return `${before} ${item ?? line}`.trim();
  return `${before}; ${item}`;
}
