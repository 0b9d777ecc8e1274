// What may stand around an answer: one rule for every agent and for review files. The answer is the end of the text: a
// JSON object that begins at the start of a line, or one fenced block that holds it. Talk may stand before it, nothing behind.

/** Where the JSON document of a text stands. */
export type EmbeddedDocument =
  | { readonly ok: true; readonly json: string /** Lines before it. */; readonly before: number }
  | { readonly ok: false; readonly problem: string };

const two = "there are two JSON documents in it, where one is wanted";
const fence = "```";

export function extractDocument(text: string): EmbeddedDocument {
  const lines = text.trimEnd().split("\n");
  // Nothing stands before it: what follows is told by the reader of the document.
  if (/^\uFEFF?[ \t\r\n]*[{[]/.test(text)) return { ok: true, json: text, before: 0 };
  if (lines.length > 1 && lines.at(-1)?.trim() === fence) return readFenced(text, lines);
  const first = lines.findIndex(begins);
  if (first < 0) return { ok: true, json: text, before: 0 };
  return { ok: true, json: text.split("\n").slice(first).join("\n"), before: first };
}

const begins = (line: string): boolean => line.startsWith("{");

function readFenced(text: string, lines: readonly string[]): EmbeddedDocument {
  const opening = lines.slice(0, -1).findLastIndex((line) => line.trimStart().startsWith(fence));
  const language = lines[opening]?.trim().slice(fence.length).trim().toLowerCase();
  if (language !== "" && language !== "json") return { ok: true, json: text, before: 0 };
  const talk = lines.slice(0, opening);
  if (talk.some(begins)) return { ok: false, problem: two };
  return { ok: true, json: lines.slice(opening + 1, -1).join("\n"), before: opening + 1 };
}
