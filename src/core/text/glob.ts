// Globs of paths: scope and severity rules, triggers of gates, SOPs, conventions, plans, presets. One matcher for all of
// them, linear in the length of a path, because a pattern or a path that somebody made to be slow must not stop the driver.
import { findUnclosed, parseGlob } from "./glob-parse.ts";
import { compileSearch, countStates, type Search } from "./nfa.ts";

export type Matches = (path: string) => boolean;

export interface GlobOptions {
  readonly ignoreCase?: boolean;
  /** A pattern without a slash is about the file's own name, in whatever folder. */
  readonly baseName?: boolean;
}

const longest = 400;
/** Three ranges of a thousand numbers; nobody writes more in earnest. */
const mostStates = 20_000;
const mostRemembered = 500;
const remembered = new Map<string, Matches>();

/** Whether a path is matched by one of the patterns. Without patterns nothing is. */
export function compileGlobs(patterns: readonly string[], options: GlobOptions = {}): Matches {
  const matchers = patterns.map((pattern) => compileGlob(pattern, options));
  return (path) => matchers.some((matches) => matches(path));
}

/**
 * Whether a path is matched. A path that is spelled like the pattern itself always is. With `!` in front the answer is
 * turned round. A pattern with `!(x)` matches what it matches with `*` in that place and does not match with `x` there.
 */
export function compileGlob(pattern: string, options: GlobOptions = {}): Matches {
  const key = `${options.ignoreCase ? "i" : ""}${options.baseName ? "b" : ""}:${pattern}`;
  const known = remembered.get(key);
  if (known) return known;
  const matches = compile(pattern, options);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, matches);
  return matches;
}

function compile(pattern: string, options: GlobOptions): Matches {
  const [signs] = /^(?:!(?!\())*/.exec(pattern) ?? [""];
  const isInverted = signs.length % 2 === 1;
  const source = pattern.slice(signs.length).replace(/^\.\//, "");
  const matches = compilePositive(source, options);
  return isInverted ? (path) => !matches(path) : matches;
}

function compilePositive(source: string, { ignoreCase = false, baseName = false }: GlobOptions): Matches {
  const looksAtName = baseName && !source.includes("/");
  const searches = makeLazily(() => compileSearches(source, ignoreCase));
  const start = ignoreCase ? "" : getLiteralStart(source);
  const end = ignoreCase ? "" : getLiteralEnd(source);
  return (path) => {
    const text = looksAtName ? getFileName(path) : path;
    if (text === source) return true;
    if (!text.startsWith(start) || !text.endsWith(end)) return false;
    const [included, ...excluded] = searches();
    return (included?.matches(text) ?? false) && !excluded.some((search) => search.matches(text));
  };
}

/** The pattern with every `!(…)` taken for any name, and once for each of them with what it excludes. */
function compileSearches(source: string, ignoreCase: boolean): Search[] {
  // Two stars before an ending have always meant files in every folder.
  const spelled = source.replace(/^\*\*(?=\.[^/]+$)/, "**/*");
  const { exclusions } = parseGlob(spelled, ignoreCase);
  return Array.from({ length: exclusions + 1 }, (_, i) => {
    return compileSearch(parseGlob(spelled, ignoreCase, i - 1).piece, { whole: true });
  });
}

function makeLazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const special = /[*?[\]{}()!+@|\\]/;

/** The folders a pattern spells out: most paths fail there already, which is far cheaper to see. */
function getLiteralStart(source: string): string {
  const plain = /^[^*?[\]{}()!+@|\\]*/.exec(source)?.[0] ?? "";
  return plain === source ? source : plain.slice(0, Math.max(0, plain.lastIndexOf("/")));
}

/** What every path ends with: the part behind the last sign, such as `.ts`. */
function getLiteralEnd(source: string): string {
  const at = [...source].findLastIndex((character) => special.test(character));
  const plain = at === -1 ? source : [...source].slice(at + 1).join("");
  return at === -1 || !plain.startsWith("/") ? plain : "";
}

export const getFileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Whether a path of a list is a pattern and not the name of one file. */
export const isGlob = (path: string): boolean => /[*?[\]{}]|[!@+]\(/.test(path);

/** What is wrong with a pattern, as the end of a sentence about it; undefined when it can be used. */
export function checkGlob(pattern: string): string | undefined {
  if (pattern.trim() === "") return "is empty";
  if (pattern !== pattern.trim()) return "begins or ends with a space";
  if (pattern.length > longest) return `has more than ${longest} characters`;
  return explainNoMatch(pattern) ?? explainNoPattern(pattern);
}

/** Paths are relative to the repository and go forward, with slashes: other spellings match nothing. */
function explainNoMatch(pattern: string): string | undefined {
  if (/^!(?!\()/.test(pattern)) return "begins with !; say which files it applies to, not which it does not";
  if (/^(?:\.?\/|[a-z]:)/i.test(pattern))
    return "is no path from the top of the repository; write src/**, not /src/** or ./src/**";
  if (pattern.split("/").includes("..")) return "leaves the repository with ..";
  if (pattern.endsWith("/")) return `names a folder; write ${pattern}** for all that is in it`;
  if (/\\[\w.-]/.test(pattern) || pattern.endsWith("\\"))
    return "has a backslash; folders are separated by /";
  return undefined;
}

function explainNoPattern(pattern: string): string | undefined {
  const unclosed = findUnclosed(pattern);
  if (unclosed) return `is no pattern: ${unclosed} is never closed`;
  return countStates(parseGlob(pattern, false).piece) > mostStates ? "repeats too much" : undefined;
}
