// A paper as people read it in a question: its parts by name, lists as lists, nothing left out.
import type { PaperValue } from "./kind.ts";

const label = (name: string): string => name.replaceAll("_", " ");

export function renderPaper(value: PaperValue): string {
  return Object.entries(value)
    .flatMap(([name, part]) => listPartLines(name, part))
    .join("\n");
}

function listPartLines(name: string, part: unknown): string[] {
  if (part === null || part === undefined || part === "") return [];
  if (Array.isArray(part))
    return part.length === 0 ? [] : [`${label(name)}:`, ...part.map((item) => `  - ${renderItem(item)}`)];
  if (typeof part !== "object") return [`${label(name)}: ${String(part)}`];
  const inner = Object.entries(part).flatMap(([key, item]) => listPartLines(key, item));
  return inner.length === 0 ? [] : [`${label(name)}:`, ...inner.map((line) => `  ${line}`)];
}

/** `AC1 · a total · given a cart · when it is summed · then tax is in it`. */
function renderItem(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  const spoken = ["given", "when", "then"];
  return Object.entries(item)
    .filter(([, part]) => part !== null && part !== "")
    .map(([key, part]) => (spoken.includes(key) ? `${key} ${String(part)}` : renderPart(part)))
    .join(" · ");
}

const renderPart = (part: unknown): string =>
  typeof part === "object" && part !== null ? JSON.stringify(part) : String(part);
