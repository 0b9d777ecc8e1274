// `.worktreeinclude`: which ignored files (`.env`, local settings) a fresh tree needs in order to run. Only what
// git ignores here and there is copied, so that no secret can end up in the tree that is handed over.
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { matching } from "./hidden.ts";
import type { Home, Repo } from "./location.ts";
import { realPath } from "./location.ts";
import { type Dirs, git, gitFailure, type Kit, splitZ, tryGit } from "./runner.ts";

/** Copies what the file names and the new tree does not have. Returns notes for the record; harmless when repeated. */
export async function copyIncluded(
  kit: Kit,
  repo: Repo,
  to: Home,
  hidden: readonly string[] = [],
): Promise<string[]> {
  const list = join(repo.workTree, ".worktreeinclude");
  if (!existsSync(list)) return [];
  const args = [
    "ls-files",
    "-z",
    "--others",
    "--ignored",
    `--exclude-from=${list}`,
    "--",
    ".",
    ":!.pairflow",
  ];
  const all = await keepIgnored(kit, repo, splitZ(await git(kit, repo, args)));
  const secret = all.length > 0 ? await matchingOthers(kit, repo, hidden) : new Set<string>();
  const named = all.filter((path) => !secret.has(path));
  const ignored = new Set(await keepIgnored(kit, to, named));
  const exposed = named.filter((path) => !ignored.has(path));
  const fresh = [...ignored].filter((path) => !isThere(join(to.workTree, path)));
  const refused = fresh.filter((path) => !copy(repo.workTree, to.workTree, path));
  return [
    note(
      "copied, as .worktreeinclude says:",
      fresh.filter((path) => !refused.includes(path)),
    ),
    note("not copied, since git does not ignore it on the base commit:", exposed),
    note("not copied, since it leads out of the tree:", refused),
    note(
      "not copied, since it is hidden from who works here:",
      all.filter((path) => secret.has(path)),
    ),
  ].filter((text) => text !== "");
}

/** Untracked files that these patterns match. */
async function matchingOthers(kit: Kit, repo: Repo, patterns: readonly string[]): Promise<Set<string>> {
  if (patterns.length === 0) return new Set();
  return new Set(splitZ(await git(kit, repo, ["ls-files", "-z", "--others", ...matching(patterns)])));
}

async function keepIgnored(kit: Kit, dirs: Dirs, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const args = ["check-ignore", "-z", "--stdin"];
  const result = await tryGit(kit, dirs, args, { input: paths.join("\0") });
  if (result.code > 1) throw gitFailure("git.failed", args, result);
  return splitZ(result.stdout);
}

/** Copies a file with its mode, or a link that stays inside; false when it would lead out. */
function copy(from: string, to: string, path: string): boolean {
  const source = join(from, path);
  const target = join(to, path);
  if (!isInside(realPath(to), realPath(dirname(target)))) return false;
  const isLink = lstatSync(source).isSymbolicLink();
  const link = isLink ? readlinkSync(source) : "";
  if (isLink && (isAbsolute(link) || !isInside(from, resolve(dirname(source), link)))) return false;
  mkdirSync(dirname(target), { recursive: true });
  if (isLink) symlinkSync(link, target);
  else copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  return true;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** One line for the record, which takes 500 characters. */
function note(what: string, paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const text = `${what} ${paths.join(", ")}`;
  const tail = ` … (${paths.length} files)`;
  return text.length <= 500 ? text : text.slice(0, 500 - tail.length) + tail;
}
