// The tree id: all tracked and unignored files as git would commit them, through an index of our own, so that
// neither the agent's index nor its flags (assume-unchanged, skip-worktree) have a say.
import { Failure } from "../../ports/failure.ts";
import type { Place } from "../../ports/workspace.ts";
import { withIndex } from "./index-file.ts";
import type { Home } from "./location.ts";
import { type Dirs, git, gitFailure, gitLine, type Kit, tryGit } from "./runner.ts";

/** The id of the tree as it stands. Pins nothing. */
export async function treeNow(kit: Kit, place: Place, home: Home): Promise<string> {
  try {
    return await withIndex(kit, place, home, (view) => writeTree(kit, view));
  } catch (error) {
    // A kept index may name objects that a `git gc` has removed since; a new one does not.
    if (error instanceof Failure && error.code === "git.tree-failed") {
      return withIndex(kit, place, home, (view) => writeTree(kit, view));
    }
    throw error;
  }
}

/** Stages everything and writes the tree. Throws Failure `git.add-failed`: after that the index still holds the old tree. */
export async function writeTree(kit: Kit, view: Dirs): Promise<string> {
  const added = await tryGit(kit, view, ["add", "-A"]);
  if (added.code !== 0) throw addFailure(added);
  kit.crashPoint("git.tree.added");
  const written = await tryGit(kit, view, ["write-tree"]);
  if (written.code !== 0) throw gitFailure("git.tree-failed", ["write-tree"], written, { retryable: true });
  kit.crashPoint("git.tree.written");
  return written.stdout.trim();
}

function addFailure(result: { code: number; stdout: string; stderr: string }): Failure {
  const nested = /'(.+?)\/?' does not have a commit checked out/.exec(result.stderr)?.[1];
  if (nested === undefined) return gitFailure("git.add-failed", ["add", "-A"], result);
  return gitFailure("git.add-failed", ["add", "-A"], result, { hint: `rm -rf ${nested}/.git` });
}

/** Makes the worktree equal to a tree; ignored files stay. The index of the view must hold the current tree. */
export async function checkOut(kit: Kit, view: Dirs, tree: string): Promise<void> {
  await git(kit, view, ["read-tree", "--reset", "-u", tree]);
}

/** The tree of a commit. */
export function treeOf(kit: Kit, dirs: Dirs, commit: string): Promise<string> {
  return gitLine(kit, dirs, ["rev-parse", "--verify", `${commit}^{tree}`]);
}
