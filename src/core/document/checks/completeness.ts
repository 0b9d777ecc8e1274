// Completeness: every section a document must have is there and says something.
import type { UnclosedBlock } from "../../text/markdown.ts";
import { getProse } from "../inline.ts";
import type { Block } from "../markdown.ts";
import type { DocumentProblem, DocumentReading } from "../problem.ts";
import { requiredSections, type SectionName } from "../sections.ts";

/** The required sections that are missing or empty, and what would hide one. */
export function checkCompleteness({ placed, unclosed }: DocumentReading): DocumentProblem[] {
  const headings = new Map<SectionName, number>();
  const filled = new Set<SectionName>();
  for (const { block, places, under } of placed) {
    const named = requiredSections.filter((name) => places.includes(name));
    for (const name of named) if (under && !headings.has(name)) headings.set(name, under.line);
    if (hasText(block)) for (const name of named) filled.add(name);
  }
  for (const name of listFilledInside(placed)) filled.add(name);
  const lacking = requiredSections.flatMap((name) => {
    if (filled.has(name)) return [];
    const line = headings.get(name);
    return [line === undefined ? reportMissing(name) : reportEmpty(name, line)];
  });
  return unclosed ? [reportNeverClosed(unclosed), ...lacking] : lacking;
}

const reportNeverClosed = ({ line, what }: UnclosedBlock): DocumentProblem => ({
  line,
  message: `this ${what} is never closed, and hides everything behind it`,
  hint: what === "comment" ? "close it with -->" : "close it with the marks it began with",
});

/** A section also holds what its subsections hold, whatever those are called. */
function listFilledInside(placed: DocumentReading["placed"]): Set<SectionName> {
  const filled = new Set<SectionName>();
  let open: { level: number; names: readonly SectionName[] }[] = [];
  for (const { block, places, under } of placed) {
    if (block.kind === "heading") {
      open = open.filter(({ level }) => level < block.level);
      const names = block === under ? requiredSections.filter((name) => places.includes(name)) : [];
      if (names.length > 0) open.push({ level: block.level, names });
    } else if (hasText(block)) {
      for (const name of open.flatMap(({ names }) => names)) filled.add(name);
      open = open.map(({ level }) => ({ level, names: [] }));
    }
  }
  return filled;
}

const reportMissing = (name: SectionName): DocumentProblem => ({
  line: 1,
  message: `there is no section on ${name}`,
  hint: `add a heading "${name.charAt(0).toUpperCase()}${name.slice(1)}" and what belongs under it`,
});

const reportEmpty = (name: SectionName, line: number): DocumentProblem => ({
  line,
  message: `the section on ${name} says nothing yet`,
  hint: "write what is known, or say who decides what by when",
});

function hasText(block: Block): boolean {
  if (block.kind === "heading") return false;
  if (block.kind === "code") return block.pieces.some(({ text }) => !isFence(text) && text.trim() !== "");
  if (block.kind === "row") return !block.header && block.cells.some((cell) => !isPlaceholder(cell));
  return !isPlaceholder(getProse(block).text);
}

const isFence = (text: string) => /^\s*(?:`{3}|~{3})/.test(text);

const placeholder =
  /^(?:todo|tbd|tbc|tba|fixme|xxx|wip|to be (?:defined|determined|decided|written|done|added|confirmed|announced|completed)|coming soon|placeholder|fill (?:this )?in|lorem ipsum)(?![\p{L}\p{N}])/iu;

/** Words that stand where something is still to be written: TODO, TBD, …, [describe here]. */
export function isPlaceholder(text: string): boolean {
  const words = text
    .slice(0, 300)
    .replace(/[*_`~]/g, "")
    .trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return true;
  const isTemplate = /^(?:\[[^\]]*\]|<[^>]*>|\{[^}]*\})[.:]?$/.test(words) && !/^<https?:/.test(words);
  return isTemplate || placeholder.test(words.replace(/^[^\p{L}\p{N}]+/u, ""));
}
