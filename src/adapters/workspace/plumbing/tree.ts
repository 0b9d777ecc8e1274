// The tree id: all tracked and unignored files as git would commit them, through an index of our own, so that
// neither the agent's index nor its flags (assume-unchanged, skip-worktree) have a say.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../ports/failure.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { buildVisibleTree, coverHidden } from "../checkout/hidden.ts";
import { getObjectsDir, type Home } from "../location.ts";
import { type Lent, lendIndex } from "./index-file.ts";
import { readNotedTree } from "./index-format.ts";
import { type Dirs, type Kit, runGit, runGitLine, toGitFailure, tryGit } from "./runner.ts";
import { stageAll } from "./submodules.ts";

/** The id of the tree as it stands. Pins nothing. */
export async function readCurrentTree(kit: Kit, place: WorkspacePlace, home: Home): Promise<string> {
  const find = async (view: Lent) => (await findUnchangedTree(kit, place, view)) ?? writeTree(kit, view);
  try {
    return await lendIndex(kit, place, home, find);
  } catch (error) {
    // A kept index may name objects that a `git gc` has removed since; a new one does not.
    if (error instanceof Failure && error.code === "git.tree-failed")
      return lendIndex(kit, place, home, find);
    throw error;
  }
}

/** The tree that the index stands for already, if it is still there and no file differs: the usual case, in one call. */
async function findUnchangedTree(kit: Kit, place: WorkspacePlace, view: Lent): Promise<string | undefined> {
  const tree = readNotedTree(view.index, place.baseCommit.length / 2);
  const object = tree && join(getObjectsDir(place), "objects", tree.slice(0, 2), tree.slice(2));
  if (!object || !existsSync(object)) return undefined;
  const differing = ["ls-files", "--modified", "--deleted", "--others", "--exclude-standard"];
  const seen = await tryGit(kit, view, differing);
  return seen.code === 0 && seen.stdout === "" ? tree : undefined;
}

/** Stages everything and writes the tree. Throws Failure `git.add-failed`: after that the index still holds the old tree. */
export async function writeTree(kit: Kit, view: Lent): Promise<string> {
  const added = await stageAll(kit, view);
  if (added.code !== 0) throw addFailure(added);
  kit.crashPoint("git.tree.added");
  const written = await tryGit(kit, view, ["write-tree"]);
  if (written.code !== 0) throw toGitFailure("git.tree-failed", ["write-tree"], written, { retryable: true });
  kit.crashPoint("git.tree.written");
  return written.stdout.trim();
}

function addFailure(result: { code: number; stdout: string; stderr: string }): Failure {
  const nested = /'(.+?)\/?' does not have a commit checked out/.exec(result.stderr)?.[1];
  if (nested === undefined) return toGitFailure("git.add-failed", ["add", "-A"], result);
  return toGitFailure("git.add-failed", ["add", "-A"], result, { hint: `rm -rf ${nested}/.git` });
}

/** Makes the worktree equal to a tree; ignored files stay, hidden ones stay away. The index must hold the current tree. */
export async function checkOut(kit: Kit, view: Lent, tree: string): Promise<void> {
  const visible = view.hidden.length === 0 ? tree : await buildVisibleTree(kit, view, tree);
  await runGit(kit, view, ["read-tree", "--reset", "-u", visible]);
  await coverHidden(kit, view);
}

/** The tree of a commit. */
export function readCommitTree(kit: Kit, dirs: Dirs, commit: string): Promise<string> {
  return runGitLine(kit, dirs, ["rev-parse", "--verify", `${commit}^{tree}`]);
}
