// Lines and columns in a TOML file. The parser keeps no positions, so this reads the same text once more for the
// places of its keys alone. It expects a text that the parser has accepted.
import { parse } from "smol-toml";
import { type LocateProblem, spotAt, type ValuePath } from "./problems.ts";

const blank = /(?:[\s,]|#[^\n]*)*/y;
const word = /[\w-]+|"(?:\\.|[^"\\])*"|'[^']*'/y;
const string = /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'/y;
const bare = /[^,\]}#\n]+/y;
const dot = /[ \t]*\.[ \t]*/y;
const equals = /[ \t]*=[ \t]*/y;
const opening = /\[\[?[ \t]*/y;
const closing = /[ \t]*\]\]?/y;

interface Offsets {
  readonly key: number;
  readonly value: number;
}
type Found = Map<string, Offsets>;

export function locateTomlKeys(text: string): LocateProblem {
  const found = scan(text);
  return (path, part) => {
    for (let length = path.length; length > 0; length--) {
      const offsets = found.get(JSON.stringify(path.slice(0, length)));
      if (offsets) return spotAt(text, offsets[part]);
    }
    return undefined;
  };
}

function scan(text: string): Found {
  const found: Found = new Map();
  const counts = new Map<string, number>();
  let at = 0;
  let table: ValuePath = [];

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? "";
    at += taken.length;
    return taken;
  };
  const note = (path: ValuePath, key: number, value: number): void => {
    for (let length = 1; length < path.length; length++)
      noteOnce(found, path.slice(0, length), { key, value: key });
    noteOnce(found, path, { key, value });
  };
  const words = (): string[] => {
    const read: string[] = [];
    do read.push(unquoteKey(take(word)));
    while (take(dot) !== "");
    return read;
  };
  const header = (): void => {
    const start = at;
    const repeated = take(opening).startsWith("[[");
    const names = words();
    const path: (string | number)[] = [];
    for (const [i, name] of names.entries()) {
      path.push(name);
      const key = JSON.stringify(path);
      if (repeated && i === names.length - 1) counts.set(key, (counts.get(key) ?? -1) + 1);
      const index = counts.get(key);
      if (index !== undefined) path.push(index);
    }
    table = path;
    take(closing);
    note(table, start, start);
  };
  const pair = (within: ValuePath): void => {
    const start = at;
    const path = [...within, ...words()];
    take(equals);
    note(path, start, at);
    value(path);
  };
  const until = (end: string, each: (index: number) => void): void => {
    at++;
    for (let index = 0; at < text.length; index++) {
      take(blank);
      if (text[at] === end) break;
      each(index);
    }
    at++;
  };
  const value = (path: ValuePath): void => {
    if (text[at] === "[") {
      until("]", (index) => {
        note([...path, index], at, at);
        value([...path, index]);
      });
    } else if (text[at] === "{") until("}", () => pair(path));
    else if (take(string) === "") take(bare);
  };

  for (let last = -1; at > last && at < text.length; ) {
    last = at;
    take(blank);
    if (text[at] === "[") header();
    else if (at < text.length) pair(table);
  }
  return found;
}

function noteOnce(found: Found, path: ValuePath, offsets: Offsets): void {
  const key = JSON.stringify(path);
  if (!found.has(key)) found.set(key, offsets);
}

/** Quoted keys are TOML strings with TOML's escapes, so TOML itself reads them. */
function unquoteKey(key: string): string {
  return /^["']/.test(key) ? (Object.keys(parse(`${key} = 0`))[0] ?? key) : key;
}
