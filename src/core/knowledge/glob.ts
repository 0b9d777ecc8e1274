// Patterns of SOPs and conventions. A pattern is compiled once and asked for many files; one that could never match,
// or could keep the referee busy for minutes, is a mistake that is said when the file is read.
import picomatch from "picomatch";

const longest = 400;
const options = { dot: true } as const;

export type Matches = (path: string) => boolean;

/** Whether a path fits: a pattern without a slash looks at the file's own name only. */
export function compileGlob(pattern: string): Matches {
  const regex = picomatch.makeRe(pattern, options);
  if (!pattern.includes("/")) return (path) => regex.test(nameOf(path));
  const start = literalStart(pattern);
  return (path) => path.startsWith(start) && regex.test(path);
}

/** The folders a pattern spells out: most files fail there already, which is far cheaper to see. */
function literalStart(pattern: string): string {
  const plain = /^[^*?[\]{}()!+@|\\]*/.exec(pattern)?.[0] ?? "";
  return plain === pattern ? pattern : plain.slice(0, Math.max(0, plain.lastIndexOf("/")));
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** What is wrong with a pattern, as the end of a sentence about it; undefined when it can be used. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.trim() === "") return "is empty";
  if (pattern !== pattern.trim()) return "begins or ends with a space";
  if (pattern.length > longest) return `has more than ${longest} characters`;
  return neverMatches(pattern) ?? tooCostly(pattern) ?? notAPattern(pattern);
}

/** Paths are relative to the repository and go forward, with slashes: other spellings match nothing. */
function neverMatches(pattern: string): string | undefined {
  if (/^!(?!\()/.test(pattern)) return "begins with !; say which files it applies to, not which it does not";
  if (/^(?:\.?\/|[a-z]:)/i.test(pattern))
    return "is no path from the top of the repository; write src/**, not /src/** or ./src/**";
  if (pattern.split("/").includes("..")) return "leaves the repository with ..";
  if (pattern.endsWith("/")) return `names a folder; write ${pattern}** for all that is in it`;
  if (/\\[\w.-]/.test(pattern) || pattern.endsWith("\\"))
    return "has a backslash; folders are separated by /";
  return undefined;
}

/** Each further star multiplies the ways to match; three in a name and three ** are more than anybody needs. */
function tooCostly(pattern: string): string | undefined {
  const perPart = pattern.split("/").map((part) => part.match(/\*+/g)?.length ?? 0);
  if (perPart.some((stars) => stars > 3)) return "has more than three * between two slashes";
  return (pattern.match(/\*\*/g)?.length ?? 0) > 3 ? "has more than three **" : undefined;
}

/** Without these two options a broken pattern is taken for one that matches nothing. */
function notAPattern(pattern: string): string | undefined {
  try {
    picomatch.makeRe(pattern, { ...options, strictBrackets: true, debug: true });
    return undefined;
  } catch (error) {
    return `is no pattern: ${(error as Error).message}`;
  }
}
