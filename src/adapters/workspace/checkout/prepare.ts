// Making a bubble's tree, in steps that each may be the last one before a crash: done again, they continue where
// they stopped. The base pin says that we began, the marker in the git folder that we finished.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../../ports/failure.ts";
import type { PreparedTree, WorkspacePlace } from "../../../ports/workspace.ts";
import { listFoldersUpTo, syncAll, syncDeep } from "../durable/files.ts";
import {
  findHome,
  findRegisteredGitDir,
  getMarkerPath,
  type Home,
  isLinked,
  openRepo,
  pickBubble,
  type Repo,
  readMarker,
  writeMarker,
} from "../location.ts";
import { dropIndex, hideInCheckout, lendIndex } from "../plumbing/index-file.ts";
import { listSubmodules } from "../plumbing/lookup.ts";
import { getCommonDir } from "../plumbing/private-git.ts";
import { getBranchRef, getRefFolder, pinRef, readRefs, setRefs } from "../plumbing/refs.ts";
import { type Kit, readSetting, runGit } from "../plumbing/runner.ts";
import { checkOut, readCommitTree, readCurrentTree, writeTree } from "../plumbing/tree.ts";
import { buildClone } from "./clone.ts";
import { copyIncluded } from "./include.ts";

/** The tree of a bubble as a worktree or clone: adopted when it stands, finished or rebuilt when it does not. */
export async function prepareWorktree(
  kit: Kit,
  place: WorkspacePlace,
  progress?: (text: string) => void,
): Promise<PreparedTree> {
  const home = findHome(place) ?? (await build(kit, place, progress));
  relink(home, place);
  await syncRegistration(place, home);
  const notes = [...(readMarker(home.gitDir)?.notes ?? [])];
  const base = await readCommitTree(kit, home, place.baseCommit);
  return { tree: await readCurrentTree(kit, place, home), base, notes };
}

async function build(kit: Kit, place: WorkspacePlace, progress?: (text: string) => void): Promise<Home> {
  const repo = openRepo(place.repo);
  const refs = await readRefs(kit, repo, [getRefFolder(place), getBranchRef(place)]);
  const started = refs.get(pinRef(place, "base"));
  refuseForeign(place, repo, { started, branch: refs.get(getBranchRef(place)) });
  const base = { ref: pinRef(place, "base"), to: place.baseCommit, from: started ?? null };
  await setRefs(kit, repo, place, [base]);
  kit.crashPoint("git.prepare.begun");
  dropIndex(kit, place);
  mkdirSync(dirname(place.path), { recursive: true });
  const latest = refs.get(pinRef(place, "latest"));
  const finish = (home: Home) => fill(kit, place, home, { latest, progress });
  return place.mode === "clone"
    ? buildClone(kit, place, refs.get(getBranchRef(place)), finish)
    : buildWorktree(kit, place, refs.has(getBranchRef(place)), finish);
}

/** Nothing that somebody else put at the path or under the branch name is taken over. */
function refuseForeign(
  place: WorkspacePlace,
  repo: Repo,
  found: { started: string | undefined; branch: string | undefined },
) {
  if (found.started && found.started !== place.baseCommit)
    throw new Failure("workspace.other-base", `${place.bubble} was begun on another base, ${found.started}`, {
      hint: `git update-ref -d ${pinRef(place, "base")}`,
    });
  if (found.branch && !found.started)
    throw new Failure("workspace.branch-taken", `there is already a branch ${place.branch}`, {
      hint: `git branch -m ${place.branch} ${place.branch}-old`,
    });
  const mayGoOn = found.started && place.mode === "worktree" && findRegisteredGitDir(repo, place.path);
  if (!mayGoOn && !isEmpty(place.path))
    throw new Failure("workspace.path-taken", `${place.path} exists, is not empty and was not made by us`, {
      hint: `mv ${place.path} ${place.path}.old`,
    });
}

async function buildWorktree(
  kit: Kit,
  place: WorkspacePlace,
  hasBranch: boolean,
  finish: (home: Home) => Promise<void>,
): Promise<Home> {
  const repo = openRepo(place.repo);
  if (!hasBranch)
    await setRefs(kit, repo, place, [{ ref: getBranchRef(place), to: place.baseCommit, from: null }]);
  kit.crashPoint("git.prepare.branched");
  forgetBroken(repo, place);
  if (!findRegisteredGitDir(repo, place.path)) {
    rmSync(join(place.path, ".git"), { force: true });
    await runGit(kit, repo, ["worktree", "add", "--no-checkout", place.path, place.branch], { direct: true });
  }
  kit.crashPoint("git.prepare.added");
  const gitDir = findRegisteredGitDir(repo, place.path);
  if (!gitDir) throw new Error(`git worktree add did not register ${place.path}`);
  const home = { gitDir, workTree: place.path, ...pickBubble(place) };
  // Left by an `add` or `reset` that was cut off; nobody else works here before the marker is written.
  for (const stale of ["locked", "index.lock"]) rmSync(join(gitDir, stale), { force: true });
  await finish(home);
  return home;
}

/** Forgets a registration whose worktree was deleted by hand or never finished being added. */
function forgetBroken(repo: Repo, place: WorkspacePlace): void {
  const gitDir = findRegisteredGitDir(repo, place.path);
  if (!gitDir || isLinked({ gitDir, workTree: place.path })) return;
  if (!isEmpty(place.path))
    throw new Failure("workspace.path-taken", `${place.path} is no worktree any more, but not empty`, {
      hint: `mv ${place.path} ${place.path}.old`,
    });
  rmSync(gitDir, { recursive: true });
}

/** Files, then the newest pinned work as uncommitted changes, then what `.worktreeinclude` names, then the marker. */
async function fill(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  { latest, progress }: { latest: string | undefined; progress: ((text: string) => void) | undefined },
): Promise<void> {
  const repo = openRepo(place.repo);
  const notes = await switchOffSparse(kit, home);
  await hideInCheckout(kit, place, home);
  kit.crashPoint("git.prepare.hidden");
  await runGit(kit, home, ["read-tree", "--reset", "-u", getBranchRef(place)]);
  kit.crashPoint("git.prepare.checked-out");
  if (latest) {
    const tree = await readCommitTree(kit, home, latest);
    await lendIndex(kit, place, home, async (view) => {
      await writeTree(kit, view);
      await checkOut(kit, view, tree);
    });
    notes.push(`rebuilt with the files of ${pinRef(place, "latest")} (${latest.slice(0, 12)})`);
  }
  kit.crashPoint("git.prepare.filled");
  notes.push(...(await copyIncluded(kit, repo, home, place.hidden, progress)));
  notes.push(...(await warnAboutSubmodules(kit, place)));
  // Who finds the marker after a power cut may rely on the git folder around it.
  await syncDeep(home.gitDir);
  writeMarker(home.gitDir, { repo: repo.workTree, bubble: place.bubble, notes });
  kit.crashPoint("git.prepare.marked");
}

/** The marker, the link and the names of their folders. The files of the tree are not: pins hold what counts. */
async function syncRegistration(place: WorkspacePlace, home: Home): Promise<void> {
  const link = join(home.workTree, ".git");
  await syncAll([getMarkerPath(home.gitDir), ...(place.mode === "worktree" ? [link] : [])]);
  const top = dirname(dirname(dirname(place.path)));
  const common = getCommonDir(home.gitDir);
  await syncAll([
    ...listFoldersUpTo(top, link),
    ...(common === home.gitDir ? [common] : [home.gitDir, dirname(home.gitDir), common]),
  ]);
}

/** A sparse main checkout passes its setting on to new worktrees; a handoff must be about all files. */
async function switchOffSparse(kit: Kit, home: Home): Promise<string[]> {
  if ((await readSetting(kit, home, "core.sparseCheckout", "bool")) !== "true") return [];
  // Without an index there is no file that git could write, and so none that a filter could change.
  const index = join(kit.runtimeDir, "no.index");
  await runGit(kit, { ...home, index }, ["sparse-checkout", "disable"], { direct: true });
  return ["sparse checkout is off in this tree"];
}

/** Puts back the link from the tree to its git folder when an agent has deleted it. */
function relink(home: Home, place: WorkspacePlace): void {
  const link = join(home.workTree, ".git");
  if (place.mode === "worktree" && !existsSync(link)) writeFileSync(link, `gitdir: ${home.gitDir}\n`);
}

/** A `.git` link alone is what an interrupted `worktree add` leaves. */
function isEmpty(path: string): boolean {
  const isLink = (name: string) => name === ".git" && statSync(join(path, name)).isFile();
  return !existsSync(path) || readdirSync(path).every(isLink);
}

/** Nobody fills submodules here: that would need a network or somebody else's objects. Their folders are named instead. */
async function warnAboutSubmodules(kit: Kit, place: WorkspacePlace): Promise<string[]> {
  const paths = await listSubmodules(kit, place.repo, place.baseCommit);
  if (paths.length === 0) return [];
  const named = paths.slice(0, 10).join(", ").slice(0, 300);
  return [`submodules are not filled here: ${named}; a setup of the project may do it`];
}
