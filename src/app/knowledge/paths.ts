// Paths as people type them, as the paths of the repository that patterns are about.
import { posix, relative, resolve, sep } from "node:path";
import { findBubbleWorktree, getWorktreeRoot } from "../host/locate.ts";
import { buildUsageError } from "../host/usage.ts";

/** The path from the top of the repository; in a bubble's worktree, from the top of that. Need not exist. */
export function resolvePathInRepo(word: string, repo: string, cwd: string): string {
  const full = resolve(cwd, word);
  const around = findBubbleWorktree(repo, cwd);
  const inside = [
    getPathBelow(getWorktreeRoot(repo), full)?.split("/").slice(1).join("/"),
    around && getPathBelow(around.top, full),
    getPathBelow(repo, full),
  ].find(Boolean);
  if (inside) return inside;
  const plain = posix.normalize(word);
  const isOutside = plain.startsWith("/") || plain.startsWith("..") || plain === ".";
  if (isOutside || getPathBelow(repo, resolve(cwd)) !== undefined)
    throw buildUsageError(
      "knowledge.outside",
      `${word} is no file of ${repo}`,
      "name files by their path in the repository",
    );
  return plain;
}

/** The rest of a path below a folder; undefined when it is not below it. */
function getPathBelow(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  const isBelow = rest !== ".." && !rest.startsWith(`..${sep}`) && !rest.startsWith(sep);
  return isBelow ? rest.split(sep).join("/") : undefined;
}
