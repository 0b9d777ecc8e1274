// Locked artifacts: what a task has made, by its declaration or by what it changed, and whether it still is what was
// agreed on.
import type { ChangedFile } from "../model/record/payloads/parts.ts";
import type { Lock } from "../model/run.ts";
import { compileGlobs, isGlob } from "../text/glob.ts";

/** One line of the record stays readable: more artifacts than this are not locked, which is said. */
export const maxArtifacts = 500;

/**
 * The paths that may be artifacts, in order. A declared path counts although the task left it as it was; a declared
 * glob means those of the changed files that it fits.
 */
export function listArtifactPaths(
  outputs: readonly string[] | undefined,
  changed: readonly ChangedFile[],
): string[] {
  const made = changed.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  if (!outputs) return sortUnique(made);
  const fits = compileGlobs(outputs.filter(isGlob));
  return sortUnique([...outputs.filter((path) => !isGlob(path)), ...made.filter(fits)]);
}

const sortUnique = (paths: readonly string[]): string[] => [...new Set(paths)].sort();

export interface BrokenLock {
  readonly path: string;
  /** The sentence for people and agents. */
  readonly says: string;
}

/** The locked artifacts that are not what they were; `found` holds the hashes in the tree in question. */
export function findBrokenLocks(
  locks: readonly Lock[] | undefined,
  found: Readonly<Record<string, string | null>> = {},
): BrokenLock[] {
  return (locks ?? []).flatMap(({ path, sha256, task, decidedBy }) => {
    const now = found[path];
    if (now === sha256) return [];
    const did = now === undefined ? "not looked up" : now === null ? "removed" : "changed";
    const since = `locked${task ? ` with ${task}` : ""} (decided by ${decidedBy})`;
    return [{ path, says: `${path} was ${did}, but it is ${since}` }];
  });
}
