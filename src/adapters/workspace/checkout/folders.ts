// Where git keeps what belongs to a tree, for the sandbox of programs that run in it. Real paths throughout: what is
// mounted must be what is meant.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";
import type { GitFolders } from "../../../core/sandbox/git.ts";
import type { TreeFolders, WorkspacePlace } from "../../../ports/workspace.ts";
import { getObjectsDir, locateWorkspace, openRepo, resolveRealPath } from "../location.ts";

/** The folders of the bubble's worktree or clone, or of a checkout somewhere else. */
export function getTreeFolders(place: WorkspacePlace, root: string): TreeFolders {
  return {
    repo: resolveRealPath(place.repo),
    root: resolveRealPath(root),
    git: buildGitFolders(place, root),
  };
}

function buildGitFolders(place: WorkspacePlace, root: string): GitFolders {
  const common = resolveRealPath(openRepo(place.repo).commonDir);
  const isWorktree = place.mode === "worktree" && resolveRealPath(root) === resolveRealPath(place.path);
  if (!isWorktree) {
    const reads = [...new Set([common, resolveRealPath(getObjectsDir(place))])];
    const folder = join(resolveRealPath(root), ".git");
    return { kind: "repository", folder, reads: reads.filter((path) => path !== folder) };
  }
  return {
    kind: "worktree",
    common,
    own: resolveRealPath(locateWorkspace(place).gitDir),
    link: join(resolveRealPath(place.path), ".git"),
    branch: place.branch,
    siblings: listOtherBranches(join(common, "refs", "heads", place.branch)),
  };
}

/** The other branches in the folder of a branch; git's lock files come and go, and no branch may end like them. */
function listOtherBranches(branch: string): string[] {
  const own = branch.slice(dirname(branch).length + 1);
  // No branch of that folder is loose.
  return tryOr(
    () => readdirSync(dirname(branch)).filter((name) => name !== own && !name.endsWith(".lock")),
    [],
  );
}
