// The constraints of a plan, sorted: paths and globs become rules that the referee checks, words go to the reviewer.
import type { Constraints } from "../model/plan.ts";
import { checkGlob } from "../text/glob.ts";
import { type ConstraintKey, constraintKeys, constraintWord } from "./sections.ts";

type Lists = Readonly<Record<ConstraintKey, readonly string[]>>;

export interface SortedConstraints {
  /** As a bubble's scope takes them: patterns from the top of the repository. */
  readonly scope: Lists;
  /** The paths as they were written, for people to read. */
  readonly paths: Lists;
  readonly prose: Lists;
}

/** Splits each list. `topLevel` are the names at the top of the repository: `Makefile` alone is a path if it is there. */
export function sortConstraints(
  constraints: Constraints,
  topLevel: readonly string[] = [],
): SortedConstraints {
  const sorted = constraintKeys.map((key) => {
    const split = constraints[key].map((entry) => ({ entry, paths: findPathsIn(entry, topLevel) }));
    const paths = split.flatMap((one) => one.paths ?? []);
    const prose = split.filter((one) => one.paths === undefined).map((one) => one.entry);
    return { key, paths, prose };
  });
  const lists = (pick: (one: (typeof sorted)[number]) => readonly string[]) =>
    Object.fromEntries(sorted.map((one) => [one.key, pick(one)])) as Record<ConstraintKey, string[]>;
  return {
    scope: lists(({ key, paths }) => [...new Set(paths.flatMap((path) => listPatternsFor(path, key)))]),
    paths: lists(({ paths }) => paths),
    prose: lists(({ prose }) => prose),
  };
}

/** The paths an entry names, when it names nothing else: one, or several with a comma and a space between them. */
function findPathsIn(entry: string, topLevel: readonly string[]): string[] | undefined {
  const parts = entry.split(/,\s+/).map((part) => parsePathWord(part, topLevel));
  return parts.every((part): part is string => part !== undefined) ? parts : undefined;
}

/** The path or glob that a single word is, without its backticks; undefined when it is a word like any other. */
export function parsePathWord(word: string, topLevel: readonly string[] = []): string | undefined {
  const bare = /^`([^`]+)`$/.exec(word.trim())?.[1] ?? word.trim();
  const path = bare.replace(/^(?:\.?\/)+/, "");
  if (path === "" || /\s/.test(path) || /^[a-z][a-z+.-]*:/i.test(path)) return undefined;
  const isNamed = topLevel.includes(path.replace(/\/+$/, ""));
  const looksSo = path.includes("/") || isGlob(path) || hasExtension(path) || bare !== path;
  if (!isNamed && !looksSo) return undefined;
  const problem = checkGlob(path.replace(/\/+$/, ""));
  return problem === undefined ? path : undefined;
}

/** `README.md`, `.env`, `.gitignore`: not a number, not the end of a sentence. */
function hasExtension(name: string): boolean {
  return /^(?:[\w@+~-][\w@+~.-]*)?\.[A-Za-z][\w-]{0,15}$/.test(name) && !/^(?:[a-z]\.){2,}/i.test(name);
}

const isGlob = (path: string): boolean => /[*?]|\[[^\]]+\]|\{[^}]+\}|[!@+]\(/.test(path);
const isPlainFile = (path: string): boolean => /\.[a-z][a-z0-9]{1,4}$/i.test(path);

/**
 * What the scope's rule must be told so that it means what the path means. A plain path may be a folder, whose files are
 * meant as well; a pattern without a slash looks at names in every folder; brackets may belong to the name itself. What
 * protects is rather told too much than too little.
 */
function listPatternsFor(path: string, key: ConstraintKey): string[] {
  if (path.endsWith("/")) return [`${describeLiteral(path.replace(/\/+$/, ""))}/**`];
  if (/[*?]/.test(path)) return [path.includes("/") ? path : `**/${path}`];
  const plain = describeLiteral(path);
  const own = isGlob(path) ? [path, plain] : [plain];
  const isFile = key === "in" && isPlainFile(path);
  return isFile ? own : [...own, `${plain}/**`];
}

/** The path with everything escaped that a pattern would take for a sign. */
function describeLiteral(path: string): string {
  return /[*?]/.test(path) ? path : path.replace(/[[\](){}!+@|\\]/g, "\\$&");
}

export const proseMark = "(in words: no rule checks this; the reviewer does)";

/** The constraints as agents are told them: one line each, the words marked as such. */
export function renderConstraints(constraints: Constraints, topLevel: readonly string[] = []): string {
  const { paths, prose } = sortConstraints(constraints, topLevel);
  return constraintKeys
    .flatMap((key) => [
      ...paths[key].map((path) => `- ${constraintWord[key]}: ${path}`),
      ...prose[key].map((words) => `- ${constraintWord[key]}: ${words} ${proseMark}`),
    ])
    .join("\n");
}
