// One thing that `pairflow adopt` found: what becomes of it, or why nothing does.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { UsageError } from "../host/usage.ts";

export interface AdoptStep {
  /** The file or folder, from the top of the repository. */
  readonly from: string;
  /** `mapped`: it becomes `to`. `present`: it is there already. `left`: it stays where it is, for the reason in `why`. */
  readonly result: "mapped" | "present" | "left";
  readonly to?: string;
  readonly why: string;
  /** What is done for it: a new file, lines behind a file, a folder moved. */
  readonly write?: { readonly kind: "create" | "append"; readonly text: string } | { readonly kind: "move" };
  /** A line to type afterwards. */
  readonly next?: string;
}

export const isExistingFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The names in a folder, sorted; none where there is no folder. */
export const listEntryNames = (folder: string): string[] =>
  isExistingFolder(folder) ? readdirSync(folder).sort() : [];

export const findFileText = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, "utf8") : undefined;

/** A file that becomes a new one, unless one is there. */
export function mapFile(repo: string, from: string, to: string, text: string, why: string): AdoptStep {
  const there = findFileText(join(repo, to));
  if (there === undefined) return { from, result: "mapped", to, why, write: { kind: "create", text } };
  if (there === text) return { from, result: "present", to, why: "adopted before" };
  return {
    from,
    result: "left",
    to,
    why: `${to} is there already and says something else; nothing is overwritten`,
  };
}

/** Does a check that throws usage errors; what it says where it fails. */
export function findComplaint(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if ((error as Partial<UsageError>).usage !== true) throw error;
    return (error as UsageError).message;
  }
}
