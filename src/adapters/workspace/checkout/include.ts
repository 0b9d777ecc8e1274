// `.worktreeinclude`: which ignored files (`.env`, local settings) a fresh tree needs in order to run. Only what
// git ignores here and there is copied, so that no secret can end up in the tree that is handed over.
import { constants, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { keepStart } from "../../../core/model/value/sizes.ts";
import type { Home, Repo } from "../location.ts";
import { resolveRealPath } from "../location.ts";
import { type Dirs, type Kit, runGit, splitZ, toGitFailure, tryGit } from "../plumbing/runner.ts";
import { buildIgnoredOptions } from "./hidden.ts";

/** Copies what the file names and the new tree does not have. Returns notes for the record; harmless when repeated. */
export async function copyIncluded(
  kit: Kit,
  repo: Repo,
  to: Home,
  hidden: readonly string[] = [],
  progress: (text: string) => void = () => undefined,
): Promise<string[]> {
  const { copied, notes } = await copyNamed(kit, repo, to, { hidden, progress });
  return [note("copied, as .worktreeinclude says:", copied), ...notes].filter((text) => text !== "");
}

interface CopyOptions {
  readonly hidden?: readonly string[];
  readonly thrownAway?: boolean;
  /** Told how far a long copy is. */
  readonly progress?: (text: string) => void;
}

/** The same, with the paths that were copied; the notes say what was not. From a checkout that is thrown away nothing is handed over. */
export async function copyNamed(
  kit: Kit,
  repo: Repo,
  to: Home,
  { hidden = [], thrownAway = false, progress = () => undefined }: CopyOptions,
): Promise<{ copied: string[]; notes: string[] }> {
  const all = await listIncludedFiles(kit, repo);
  const secret = all.length > 0 ? await listMatchingOthers(kit, repo, hidden) : new Set<string>();
  const named = all.filter((path) => !secret.has(path));
  const ignored = new Set(thrownAway ? named : await keepIgnored(kit, to, named));
  const exposed = named.filter((path) => !ignored.has(path));
  const fresh = [...ignored].filter(
    (path) => !(lstatSync(join(to.workTree, path), { throwIfNoEntry: false }) !== undefined),
  );
  const refused = await copyAll({ from: repo.workTree, to: to.workTree }, fresh, progress);
  const notes = [
    note("not copied, since git does not ignore it on the base commit:", exposed),
    note("not copied, since it leads out of the tree:", refused),
    note(
      "not copied, since it is hidden from who works here:",
      all.filter((path) => secret.has(path)),
    ),
  ];
  return {
    copied: fresh.filter((path) => !refused.includes(path)),
    notes: notes.filter((text) => text !== ""),
  };
}

/** The ignored files that the list names, as paths from the root of the checkout. */
export async function listIncludedFiles(kit: Kit, repo: Repo): Promise<string[]> {
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
  return keepIgnored(kit, repo, splitZ(await runGit(kit, repo, args)));
}

/** Untracked files that these patterns match. */
async function listMatchingOthers(kit: Kit, repo: Repo, patterns: readonly string[]): Promise<Set<string>> {
  if (patterns.length === 0) return new Set();
  return new Set(
    splitZ(await runGit(kit, repo, ["ls-files", "-z", "--others", ...buildIgnoredOptions(patterns)])),
  );
}

async function keepIgnored(kit: Kit, dirs: Dirs, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const args = ["check-ignore", "-z", "--stdin"];
  const result = await tryGit(kit, dirs, args, { input: paths.join("\0") });
  if (result.code > 1) throw toGitFailure("git.failed", args, result);
  return splitZ(result.stdout);
}

/** How often a long copy says how far it is, in files. */
const tellEvery = 200;
const mebibyte = 1024 * 1024;

/** Copies one after the other, leaving the process free for others; returns what would lead out of the tree. */
async function copyAll(
  where: { readonly from: string; readonly to: string },
  paths: readonly string[],
  progress: (text: string) => void,
): Promise<string[]> {
  const refused: string[] = [];
  let bytes = 0;
  let told = 0;
  for (const [at, path] of paths.entries()) {
    if (!(await copy(where.from, where.to, path))) refused.push(path);
    bytes += lstatSync(join(where.from, path)).size;
    if (at % tellEvery !== 0 && bytes - told < 16 * mebibyte) continue;
    told = bytes;
    progress(
      `.worktreeinclude: ${at + 1} of ${paths.length} files copied, ${Math.round(bytes / mebibyte)} MB`,
    );
  }
  return refused;
}

/** Copies a file with its mode, or a link that stays inside; false when it would lead out. */
async function copy(from: string, to: string, path: string): Promise<boolean> {
  const source = join(from, path);
  const target = join(to, path);
  if (!isInside(resolveRealPath(to), resolveRealPath(dirname(target)))) return false;
  const isLink = lstatSync(source).isSymbolicLink();
  const link = isLink ? readlinkSync(source) : "";
  if (isLink && (isAbsolute(link) || !isInside(from, resolve(dirname(source), link)))) return false;
  mkdirSync(dirname(target), { recursive: true });
  if (isLink) symlinkSync(link, target);
  else await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  return true;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith("../../") && !isAbsolute(way);
}

/** One line for the record, which takes 500 characters. */
function note(what: string, paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const text = `${what} ${paths.join(", ")}`;
  const tail = ` … (${paths.length} files)`;
  return text.length <= 500 ? text : keepStart(text, 500 - tail.length) + tail;
}
