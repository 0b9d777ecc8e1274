// Reads exactly one JSON document, and says exactly why a text is none. No prose is searched for JSON: what stands
// around the document is a reason to refuse it. One pass, bounded depth, so that no text can make it stumble.

import { clip } from "../../model/value/sizes.ts";
import { extractDocument } from "../../schema/around.ts";
import { findForbiddenText } from "./texts.ts";

export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The same without its place, and the place; absent where it is the whole text. */
      readonly at?: Spot;
    };

interface Spot {
  readonly words: string;
  readonly line: number;
  readonly column: number;
}

export const maxBytes = 256 * 1024;
export const maxDepth = 12;

/** The answer that a text ends with, by the one rule for what may stand around it; or why it has none. */
export function readJsonAnswer(given: string): StrictJson {
  const held = extractDocument(given);
  return held.ok ? readStrictJson(held.json, held.before) : { ok: false, problem: held.problem };
}

/** The one JSON document of a text, or why it is not one. A byte order mark in front is passed over: editors write it. */
export function readStrictJson(given: string, linesBefore = 0): StrictJson {
  const text = given.startsWith("\uFEFF") ? given.slice(1) : given;
  const problem = checkOutside(text);
  if (problem) return { ok: false, problem };
  const reader = new Reader(text, linesBefore);
  const value = reader.value(0);
  if (value !== undefined) reader.end();
  const { found } = reader;
  if (!found) return { ok: true, value };
  return { ok: false, problem: `${found.words} (line ${found.line}, column ${found.column})`, at: found };
}

/** What can be said before anything is read. */
function checkOutside(text: string): string | undefined {
  if (isLongerThan(text, maxBytes)) return `it is longer than ${maxBytes / 1024} KiB`;
  const start = text.trimStart().slice(0, 3);
  if (start === "") return "it is empty";
  return fences.has(start) ? "it stands in a code fence: hand in the JSON alone" : undefined;
}

const fences = new Set(["```", "~~~"]);

function isLongerThan(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  if (text.length > bytes) return true;
  let used = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Each half of a surrogate pair counts for two of its four bytes.
    used += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return used > bytes;
}

const space = /[ \t\n\r]*/y;
const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escapes = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

/** Reads on until the first problem; from then on every method returns undefined. */
class Reader {
  at = 0;
  found: Spot | undefined;
  private readonly text: string;
  private readonly linesBefore: number;

  constructor(text: string, linesBefore: number) {
    this.text = text;
    this.linesBefore = linesBefore;
  }

  value(depth: number): unknown {
    this.skip();
    const first = this.text[this.at];
    if ((first === "{" || first === "[") && depth >= maxDepth)
      return this.stop(`it is nested deeper than ${maxDepth} levels`);
    if (first === "{") return this.object(depth + 1);
    if (first === "[") return this.array(depth + 1);
    if (first === '"') return this.string();
    return this.literal();
  }

  /** Nothing but white space may follow. */
  end(): void {
    this.skip();
    const rest = this.text.slice(this.at, this.at + 3);
    if (rest === "") return;
    if (fences.has(rest)) this.stop("a code fence stands after the JSON document");
    else if (rest[0] === "{" || rest[0] === "[")
      this.stop("there are two JSON documents in it, where one is wanted");
    else this.stop("text stands after the JSON document");
  }

  private object(depth: number): unknown {
    const entries = new Map<string, unknown>();
    this.at++;
    if (this.takes("}")) return {};
    do {
      this.skip();
      if (this.text[this.at] !== '"') return this.stop("a property's name in double quotes is missing");
      const from = this.at;
      const key = this.string();
      if (key === undefined) return undefined;
      if (entries.has(key))
        return this.stop(`the property ${JSON.stringify(clip(key, 60))} stands twice in one object`, from);
      if (!this.takes(":")) return this.stop("a colon is missing");
      const value = this.value(depth);
      if (value === undefined) return undefined;
      entries.set(key, value);
    } while (this.takes(","));
    return this.takes("}") ? Object.fromEntries(entries) : this.stop("a comma or } is missing");
  }

  private array(depth: number): unknown {
    const items: unknown[] = [];
    this.at++;
    if (this.takes("]")) return items;
    do {
      const value = this.value(depth);
      if (value === undefined) return undefined;
      items.push(value);
    } while (this.takes(","));
    return this.takes("]") ? items : this.stop("a comma or ] is missing");
  }

  private string(): string | undefined {
    const from = this.at++;
    while (this.text[this.at] !== '"') {
      const code = this.text.charCodeAt(this.at);
      if (Number.isNaN(code)) return this.stop("a text has no end", from);
      if (code < 0x20) return this.stop("a raw control character or line break stands in a text");
      this.at++;
      if (code === 0x5c && !this.matches(escapes)) return this.stop("an unknown escape stands in a text");
    }
    this.at++;
    const value = JSON.parse(this.text.slice(from, this.at)) as string;
    const wrong = findForbiddenText(value);
    return wrong ? this.stop(`${wrong} stands in a text`, from) : value;
  }

  private literal(): unknown {
    const from = this.at;
    const found = this.matches(literal);
    if (found === undefined) return this.stop(this.nothingHere(), from);
    const value: unknown = JSON.parse(found);
    return typeof value === "number" && !Number.isFinite(value)
      ? this.stop("a number is too large", from)
      : value;
  }

  private nothingHere(): string {
    if (this.at >= this.text.length) return "it breaks off in the middle";
    const isFirst = this.text.slice(0, this.at).trim() === "";
    return isFirst ? "text stands where the JSON document should begin" : "no JSON value stands here";
  }

  private takes(sign: string): boolean {
    if (this.found) return false;
    this.skip();
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  private skip(): void {
    this.matches(space);
  }

  private matches(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private stop(words: string, at = this.at): undefined {
    const before = this.text.slice(0, at).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    this.found ??= { words, line: this.linesBefore + before.length, column };
  }
}
