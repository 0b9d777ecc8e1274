// The success criteria of a plan: the list under "Success criteria" in its Mission. Tasks name them by id.

import type { PlanText } from "../model/plan.ts";
import { isRule, parseBullet } from "../text/bullets.ts";
import { type MarkdownLine, parseMarkdownLines } from "../text/markdown.ts";

export interface SuccessCriterion {
  /** S1, S2, … in the order of the list. */
  readonly id: string;
  readonly text: string;
}

const title = /^[*_]{0,3}success criteria[*_]{0,3}(?::[*_]{0,3}(?:\s+(.*))?)?$/i;

/** Where the reading is: inside the list or not, and whether a blank line came since its last item. */
interface At {
  readonly inside: boolean;
  readonly gap: boolean;
}
const outside: At = { inside: false, gap: false };

export function parseSuccessCriteria({ mission }: Pick<PlanText, "mission">): SuccessCriterion[] {
  const items: string[] = [];
  let at = outside;
  for (const line of parseMarkdownLines(mission)) at = stepOver(line, items, at);
  return items.map((text, i) => ({ id: `S${i + 1}`, text }));
}

const passing = /`([^`]+)`\s+(?:passes|pass|succeeds|succeed|is green|are green|exits with 0)(?![\w-])/gi;

/** Commands of which a criterion says that they pass: "`npm test` passes". */
export function findNamedTests(plan: Pick<PlanText, "mission">): string[] {
  const found = parseSuccessCriteria(plan).flatMap(({ text }) => [...text.matchAll(passing)]);
  return [...new Set(found.map(([, command = ""]) => command.trim()).filter(Boolean))];
}

function stepOver(line: MarkdownLine, items: string[], at: At): At {
  const begins = findTitleIn(line);
  if (begins) items.push(begins);
  if (begins !== undefined) return { inside: true, gap: false };
  if (!at.inside || line.level > 0 || (!line.code && isRule(line.text))) return outside;
  if (line.text.trim() === "") return { inside: true, gap: items.length > 0 };
  return { inside: takeLine(line, items, at.gap), gap: false };
}

/** What stands behind "Success criteria:" on the same line; undefined when the line is not that title. */
function findTitleIn(line: MarkdownLine): string | undefined {
  if (line.code) return undefined;
  const found = title.exec(line.text.trim());
  return found ? (found[1]?.trim() ?? "") : undefined;
}

/** Adds a line to the list; false when the list is over. */
function takeLine(line: MarkdownLine, items: string[], gap: boolean): boolean {
  const bullet = line.code ? undefined : parseBullet(line.text);
  if (bullet && (bullet.indent < 2 || items.length === 0)) {
    if (bullet.words !== "") items.push(bullet.words);
    return true;
  }
  const isIndented = /^\s/.test(line.text);
  if (items.length === 0 || (gap && !isIndented)) return items.length === 0 && !gap;
  items.push(`${items.pop()}${bullet ? ";" : ""} ${bullet?.words ?? line.text.trim()}`);
  return true;
}
