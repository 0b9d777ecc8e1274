// Where the git folders of a bubble are. Read from the main repository's own files and never from the
// worktree's `.git` link, which an agent may delete or point elsewhere. Starts no process.
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import { Failure } from "../../ports/failure.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";

/** The main repository: `gitDir` is its own, `commonDir` the one that holds branches and objects. */
export interface Repo {
  readonly workTree: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

/** A bubble's tree, as git commands need it. */
export interface Home {
  readonly workTree: string;
  readonly gitDir: string;
  /** Whose tree it is: the rules about its files were pinned when the bubble started. */
  readonly bubble?: string;
}

/** Written last by `prepare` into the tree's git folder, so that a bubble is found from inside its tree. */
export interface Marker {
  readonly repo: string;
  readonly bubble: string;
  readonly notes: readonly string[];
}

export const getMarkerPath = (gitDir: string) => join(gitDir, "pairflow.json");

/** Throws Failure `git.not-a-repository`. */
export function openRepo(root: string): Repo {
  const gitDir = followLink(root);
  if (!gitDir || !existsSync(join(gitDir, "HEAD")))
    throw new Failure("git.not-a-repository", `${root} is not the root of a git repository`, {
      hint: `git init ${root}`,
    });
  const common = readText(join(gitDir, "commondir"));
  return { workTree: root, gitDir, commonDir: common ? resolve(gitDir, common) : gitDir };
}

/** What HEAD of the main checkout names: a ref, or a commit. */
export function readHead({ gitDir }: Repo): string {
  return (readText(join(gitDir, "HEAD")) ?? "").replace(/^ref: /, "");
}

/** The git folder registered for a worktree path, whether or not the path still exists. */
export function findRegisteredGitDir(repo: Repo, path: string): string | undefined {
  const all = join(repo.commonDir, "worktrees");
  const link = join(resolveRealPath(path), ".git");
  const names = existsSync(all) ? readdirSync(all) : [];
  // Git names the folder after the path unless the name was taken, so that one is tried first.
  const likely = names.filter((name) => name === basename(path));
  return [...likely, ...names]
    .map((name) => join(all, name))
    .find((gitDir) => resolve(gitDir, readText(join(gitDir, "gitdir")) ?? ".") === link);
}

/** The bubble's tree, ready for use. Throws Failure `workspace.gone` when `prepare` has to make it again. */
export function locateWorkspace(place: WorkspacePlace): Home {
  const home = findHome(place);
  if (home) return home;
  throw new Failure("workspace.gone", `the ${place.mode} of ${place.bubble} is not at ${place.path}`, {
    hint: `pairflow bubble resume --id ${place.bubble}`,
  });
}

/** The same, or undefined. */
export function findHome(place: WorkspacePlace): Home | undefined {
  const gitDir =
    place.mode === "clone"
      ? join(place.path, ".git")
      : findRegisteredGitDir(openRepo(place.repo), place.path);
  if (!gitDir || !existsSync(place.path) || !isMarked(gitDir, place)) return undefined;
  return { gitDir, workTree: place.path, ...pickBubble(place) };
}

/** Whose private git folder it is, and what may run in it. */
export function pickBubble({ bubble, filters = [] }: WorkspacePlace): {
  bubble: string;
  filters: readonly string[];
} {
  return { bubble, filters };
}

/** Where the objects of a bubble are: its clone while that stands, else the main repository. */
export function getObjectsDir(place: WorkspacePlace): string {
  const clone = place.mode === "clone" ? findHome(place) : undefined;
  return clone?.gitDir ?? openRepo(place.repo).commonDir;
}

/** Whether the `.git` inside a tree leads to the git folder it should. */
export function isLinked({ workTree, gitDir }: Home): boolean {
  const found = followLink(workTree);
  return found !== undefined && resolveRealPath(found) === resolveRealPath(gitDir);
}

export function readMarker(gitDir: string): Marker | undefined {
  const text = readText(getMarkerPath(gitDir));
  if (!text) return undefined;
  // Torn by a crash: as good as not written.
  return tryOr(() => JSON.parse(text) as Marker, undefined);
}

export function writeMarker(gitDir: string, marker: Marker): void {
  writeFileSync(getMarkerPath(gitDir), `${JSON.stringify(marker)}\n`);
}

export function isMarked(gitDir: string, place: WorkspacePlace): boolean {
  const marker = readMarker(gitDir);
  return marker?.bubble === place.bubble && resolveRealPath(marker.repo) === resolveRealPath(place.repo);
}

/** The git folder a `.git` folder or file stands for. */
export function followLink(root: string): string | undefined {
  const link = join(root, ".git");
  const found = statSync(link, { throwIfNoEntry: false });
  if (found?.isDirectory()) return link;
  const target = found && readText(link)?.replace(/^gitdir: /, "");
  return target ? resolve(root, target) : undefined;
}

/** Symbolic links resolved as far as the path exists; git registers worktrees in this form. */
export function resolveRealPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(resolveRealPath(parent), basename(path));
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}
