// Which SOPs and conventions a set of files calls for, and by which pattern. Each pattern is compiled once, whatever
// the number of files.
import { couldMeet } from "../plan/tasks/overlap.ts";
import { compileGlob } from "../text/glob.ts";

interface Aimed {
  /** Empty: at every file. */
  readonly applies_to: readonly string[];
}

export interface Hit {
  readonly file: string;
  /** Undefined: it applies to every file. */
  readonly pattern?: string;
}

/** The entries that apply to at least one of the files. */
export function selectApplicable<T extends Aimed>(entries: readonly T[], files: readonly string[]): T[] {
  return entries.filter((entry) => {
    if (entry.applies_to.length === 0) return files.length > 0;
    return entry.applies_to.some((pattern) => files.some(compileGlob(pattern, { baseName: true })));
  });
}

/** The entries that could apply to a file under one of these names, which are paths or globs. */
export function couldApply<T extends Aimed>(entries: readonly T[], names: readonly string[]): T[] {
  if (names.length === 0) return [];
  return entries.filter(
    ({ applies_to }) =>
      applies_to.length === 0 || applies_to.some((pattern) => names.some((name) => fits(pattern, name))),
  );
}

function fits(pattern: string, name: string): boolean {
  const [mine, theirs] = [getExtension(pattern), getExtension(name)];
  if (mine !== undefined && theirs !== undefined && mine !== theirs) return false;
  return couldMeet(pattern.includes("/") ? pattern : `**/${pattern}`, name);
}

/** What every file of this path or glob ends with; undefined when that is open. */
const getExtension = (path: string): string | undefined => /\.[a-z0-9]+$/i.exec(path)?.[0];

/** The files an entry applies to, each with the first pattern that says so. */
export function listHits({ applies_to }: Aimed, files: readonly string[]): Hit[] {
  if (applies_to.length === 0) return files.map((file) => ({ file }));
  const patterns = applies_to.map((pattern) => ({
    pattern,
    matches: compileGlob(pattern, { baseName: true }),
  }));
  return files.flatMap((file) => {
    const found = patterns.find(({ matches }) => matches(file));
    return found ? [{ file, pattern: found.pattern }] : [];
  });
}
