// Paths as people type them, as the paths of the repository that patterns are about.
import { posix, relative, resolve, sep } from "node:path";
import { worktreeAround, worktreeRoot } from "../host/locate.ts";
import { usageError } from "../host/usage.ts";

/** The path from the top of the repository; in a bubble's worktree, from the top of that. Need not exist. */
export function pathInRepo(word: string, repo: string, cwd: string): string {
  const full = resolve(cwd, word);
  const around = worktreeAround(repo, cwd);
  const inside = [
    under(worktreeRoot(repo), full)?.split("/").slice(1).join("/"),
    around && under(around.top, full),
    under(repo, full),
  ].find(Boolean);
  if (inside) return inside;
  const plain = posix.normalize(word);
  const isOutside = plain.startsWith("/") || plain.startsWith("..") || plain === ".";
  if (isOutside || under(repo, resolve(cwd)) !== undefined)
    throw usageError(
      "knowledge.outside",
      `${word} is no file of ${repo}`,
      "name files by their path in the repository",
    );
  return plain;
}

/** The rest of a path below a folder; undefined when it is not below it. */
function under(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  const isBelow = rest !== ".." && !rest.startsWith(`..${sep}`) && !rest.startsWith(sep);
  return isBelow ? rest.split(sep).join("/") : undefined;
}
