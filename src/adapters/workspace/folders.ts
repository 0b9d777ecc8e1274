// Where git keeps what belongs to a tree, for whoever confines programs that run in it. Real paths throughout: what is
// mounted must be what is meant.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitFolders } from "../../core/sandbox/git.ts";
import type { Place, TreeFolders } from "../../ports/workspace.ts";
import { locate, objectsOf, openRepo, realPath } from "./location.ts";

/** The folders of the bubble's worktree or clone, or of a checkout somewhere else. */
export function foldersOf(place: Place, root: string): TreeFolders {
  return { repo: realPath(place.repo), root: realPath(root), git: gitFolders(place, root) };
}

function gitFolders(place: Place, root: string): GitFolders {
  const common = realPath(openRepo(place.repo).commonDir);
  const isWorktree = place.mode === "worktree" && realPath(root) === realPath(place.path);
  if (!isWorktree) {
    const reads = [...new Set([common, realPath(objectsOf(place))])];
    const folder = join(realPath(root), ".git");
    return { kind: "repository", folder, reads: reads.filter((path) => path !== folder) };
  }
  return {
    kind: "worktree",
    common,
    own: realPath(locate(place).gitDir),
    link: join(realPath(place.path), ".git"),
    branch: place.branch,
    siblings: beside(join(common, "refs", "heads", place.branch)),
  };
}

/** The other branches in the folder of a branch; git's lock files come and go, and no branch may end like them. */
function beside(branch: string): string[] {
  const own = branch.slice(dirname(branch).length + 1);
  try {
    return readdirSync(dirname(branch)).filter((name) => name !== own && !name.endsWith(".lock"));
  } catch {
    return []; // No branch of that folder is loose.
  }
}
