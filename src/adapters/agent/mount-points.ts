// What a sandbox leaves in a worktree when its command is killed: the places it lay over, as empty files. They are known
// by what they are and not by name, since every version of a CLI protects other places.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";

/**
 * Empty files that nobody may write, at the top of the worktree or in one of its dot folders: bubblewrap makes its mount
 * points so, and a person's or an agent's own empty file (`__init__.py`, `.gitkeep`) can be written by its owner.
 */
export function findMountPoints(worktree: string): string[] {
  const top = listEntries(worktree).filter(({ name }) => name !== ".git");
  const folders = top.filter((entry) => entry.isDirectory() && entry.name.startsWith("."));
  const inside = folders.flatMap(({ name }) =>
    listEntries(join(worktree, name)).map((entry) => join(name, entry.name)),
  );
  return [...top.map(({ name }) => name), ...inside].map((name) => join(worktree, name)).filter(isMountPoint);
}

/** The mode depends on the umask; that nobody may write does not. */
export function isMountPoint(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0 && (found.mode & 0o222) === 0;
}

function listEntries(folder: string): Dirent[] {
  // Not there, or not for us.
  return tryOr(() => readdirSync(folder, { withFileTypes: true }), []);
}
