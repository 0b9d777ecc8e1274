// What the pages show of a terminal, held against what the product prints: a page may leave lines out, and nothing else.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { Ran } from "./commands.ts";

const root = resolve(import.meta.dirname, "../..");

/** A command with what it printed, or an output without its command, as a page shows it. */
export interface Shown {
  /** `$ <command>`, or the first line of the output. */
  readonly first: string;
  readonly lines: readonly string[];
  /** Why nothing is held against it. */
  readonly notCompared?: string;
}

const fence = /(?:<!-- not compared: (.+?) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm;

/** The terminal's fences of a page, cut at each prompt. */
export function listShown(page: string): Shown[] {
  return listFences(page).flatMap(({ language, text, notCompared }) =>
    language === "console"
      ? text.split(/^(?=\$ )/m).map((part) => ({
          ...takeLines(part),
          ...(notCompared === undefined ? {} : { notCompared }),
        }))
      : [],
  );
}

/** Fences that show a terminal without saying so: nobody would compare them. */
export function listUnnamed(page: string): string[] {
  return listFences(page)
    .filter(
      ({ language, text }) => language !== "console" && /^(\$|Refused:|Error:|Hint:|Next:) /m.test(text),
    )
    .map(({ text }) => takeLines(text).first);
}

function listFences(page: string) {
  return [...readFileSync(join(root, page), "utf8").matchAll(fence)].map(
    ([, notCompared, language = "", text = ""]) => ({ notCompared, language, text }),
  );
}

function takeLines(part: string): Pick<Shown, "first" | "lines"> {
  const lines = part.trimEnd().split("\n");
  const first = lines[0] ?? "";
  return { first, lines: (first.startsWith("$ ") ? lines.slice(1) : lines).filter((line) => line !== "") };
}

/** The one part of a page that begins so. */
export function findShown(page: string, first: string): Shown {
  const shown = listShown(page);
  const exact = shown.filter((part) => part.first === first);
  const found = exact.length > 0 ? exact : shown.filter((part) => part.first.startsWith(first));
  if (found.length !== 1 || !found[0]) throw new Error(`${page} shows "${first}" ${found.length} times`);
  return found[0];
}

/** Every line that the page shows was printed, in this order. `…` in a line stands for anything, alone for any lines. */
export function expectShown(
  page: string,
  first: string,
  printed: string | Pick<Ran, "stdout" | "stderr">,
): void {
  const { lines } = findShown(page, first);
  const text = typeof printed === "string" ? printed : printed.stdout + printed.stderr;
  expect(findMissing(lines, text), `${page}: ${first}\n--- printed\n${text}`).toEqual([]);
}

/** The first line that is shown and was not printed behind those before it. */
export function findMissing(shown: readonly string[], printed: string): string[] {
  if (shown.length === 0) return ["it shows nothing"];
  const rows = printed.split("\n").map(normalise);
  let at = 0;
  for (const line of shown) {
    if (line === "…") continue;
    const pattern = new RegExp(`^${toPattern(normalise(line))}$`);
    const found = rows.findIndex((row, i) => i >= at && pattern.test(row));
    if (found < 0) return [line];
    at = found + 1;
  }
  return [];
}

/** The pattern for one line of a page. */
export const toPattern = (line: string): string =>
  line
    .split("…")
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");

/** What is another one each time, and what stands for it. Limits that are said with their number stay. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<moment>"],
  [/\d{4}-\d\d-\d\d/g, "<date>"],
  [/\b\d\d:\d\d:\d\d\b/g, "<time>"],
  [/^ *\d+(?= {2}<time>)/, "<line>"],
  [/\b(head |q|messages\/)\d+\b/g, "$1<line>"],
  [/(?<!at most |below |within )(?<![\w.])(\d+(\.\d+)? (ms|s|min|m|h|d)\b ?)+/g, "<while> "],
  [/\b\d{1,2}:\d\d\b/g, "<while>"],
  [/\b[0-9a-f]{4}( [0-9a-f]{4})+\b/g, "<id>"],
  [/\b(?=[a-f]*\d)[0-9a-f]{7,}\b/g, "<id>"],
  [/(…|sign: )[0-9a-f]{4}\b/g, "$1<id>"],
  [/\/tmp\/[^/\s]+\//g, "/tmp/…/"],
  [/(localhost|127\.0\.0\.1):\d+/g, "$1:<port>"],
  // Columns are as wide as what stands in them.
  [/> {2,}/g, ">  "],
  [/ +$/, ""],
];

const normalise = (line: string): string =>
  volatile.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line);
