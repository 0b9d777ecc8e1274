// Taking a bubble's tree away again, and first asking what would be lost with it. What survives is what a
// branch, tag or remote outside the bubble reaches; the bubble's pins go, so they save nothing.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../ports/failure.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { getPartialClonePath } from "./checkout/clone.ts";
import { findHome, findRegisteredGitDir, isLinked, openRepo, type Repo } from "./location.ts";
import { dropIndex } from "./plumbing/index-file.ts";
import { getBranchRef, getRefFolder, readRefs } from "./plumbing/refs.ts";
import { dropPrivateGit, type Kit, runGit } from "./plumbing/runner.ts";
import { listUnreachable } from "./unreachable.ts";

/** Removes tree, pins and, if asked, branch. Throws Failure `workspace.unsaved-work` unless forced. */
export async function removeWorkspace(
  kit: Kit,
  place: WorkspacePlace,
  options: { dropBranch: boolean; force?: boolean },
): Promise<void> {
  const lost = options.force ? [] : await listUnreachable(kit, place, options);
  if (lost.length > 0) {
    const list = lost.map((sentence) => `- ${sentence}`).join("\n");
    throw new Failure("workspace.unsaved-work", `removing ${place.bubble} would lose work:\n${list}`);
  }
  const repo = openRepo(place.repo);
  if (place.mode === "clone") removeClone(place);
  else await removeWorktree(kit, place, repo);
  kit.crashPoint("git.remove.tree");
  await removeRefs(kit, place, repo, options.dropBranch);
  dropIndex(kit, place);
  dropPrivateGit(kit, { ...repo, bubble: place.bubble });
}

async function removeWorktree(kit: Kit, place: WorkspacePlace, repo: Repo): Promise<void> {
  const gitDir = findRegisteredGitDir(repo, place.path);
  if (!gitDir) {
    if (existsSync(place.path)) throw toNotOurs(place);
    return;
  }
  const link = join(place.path, ".git");
  if (existsSync(place.path) && !isLinked({ workTree: place.path, gitDir })) {
    // Git removes only what links back; the registration proves that the folder is the bubble's.
    rmSync(link, { recursive: true, force: true });
    writeFileSync(link, `gitdir: ${gitDir}\n`);
  }
  await runGit(kit, repo, ["worktree", "remove", "--force", "--force", place.path], { direct: true });
}

function removeClone(place: WorkspacePlace): void {
  rmSync(getPartialClonePath(place), { recursive: true, force: true });
  if (!existsSync(place.path)) return;
  if (!findHome(place)) throw toNotOurs(place);
  rmSync(place.path, { recursive: true });
}

function toNotOurs(place: WorkspacePlace): Failure {
  return new Failure(
    "workspace.not-ours",
    `${place.path} is not the ${place.mode} of ${place.bubble}; left alone`,
    {
      hint: `rm -rf ${place.path}`,
    },
  );
}

/** Branch first, base pin with the rest at the end: an interrupted removal can be asked for again. */
async function removeRefs(kit: Kit, place: WorkspacePlace, repo: Repo, dropBranch: boolean): Promise<void> {
  const refs = await readRefs(kit, repo, [getRefFolder(place), getBranchRef(place)]);
  if (dropBranch && refs.delete(getBranchRef(place)))
    await runGit(kit, repo, ["branch", "--quiet", "-D", place.branch], { direct: true });
  refs.delete(getBranchRef(place));
  kit.crashPoint("git.remove.branch");
  const lines = [...refs].map(([ref, id]) => `delete ${ref} ${id}\n`);
  if (lines.length > 0) await runGit(kit, repo, ["update-ref", "--stdin"], { input: lines.join("") });
}
