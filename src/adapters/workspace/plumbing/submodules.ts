// Submodules in a bubble's tree. Left to itself git asks about each of them by running `git status` inside, with the
// submodule's own configuration; here they are staged and looked at without that.
import { join } from "node:path";
import type { ExecResult } from "../../../ports/system/process.ts";
import { followLink } from "../location.ts";
import { gitlinkMode } from "./changes.ts";
import type { Lent } from "./index-file.ts";
import { mayHoldSubmodules } from "./index-format.ts";
import { type Dirs, dropPrivateGit, type Kit, runGit, splitZ, tryGit } from "./runner.ts";

/** Stages every file. Returns the result of the git call that failed, or of the last one. */
export async function stageAll(kit: Kit, view: Lent): Promise<ExecResult> {
  const links = mayHoldSubmodules(view.index, view.idBytes) ? await listSubmodules(kit, view) : [];
  if (links.length === 0) return tryGit(kit, view, ["add", "-A"]);
  const others = [":/", ...links.map((path) => `:(top,exclude,literal)${path}`)];
  const added = await tryGit(kit, view, ["add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul"], {
    input: others.map((spec) => `${spec}\0`).join(""),
  });
  if (added.code !== 0) return added;
  const input = links.map((path) => `${path}\0`).join("");
  return tryGit(kit, view, ["update-index", "--add", "--remove", "-z", "--stdin"], { input });
}

/** Submodules with changes of their own: the tree id holds only their commit. Asks the index the tree was written from. */
export async function listDirtySubmodules(kit: Kit, view: Lent): Promise<string[]> {
  if (!mayHoldSubmodules(view.index, view.idBytes)) return [];
  const dirty: string[] = [];
  for (const path of await listSubmodules(kit, view))
    if (await isDirty(kit, join(view.workTree, path))) dirty.push(path);
  return dirty;
}

/** Whether a submodule, or one inside it, holds what its commit does not. One that is not checked out holds nothing. */
async function isDirty(kit: Kit, workTree: string): Promise<boolean> {
  const gitDir = followLink(workTree);
  if (!gitDir) return false;
  const dirs = { gitDir, workTree };
  // Its HEAD may have moved since the last look.
  dropPrivateGit(kit, dirs);
  const changed = await runGit(kit, dirs, ["status", "--porcelain", "-z", "--ignore-submodules=all"]);
  if (changed !== "") return true;
  for (const path of await listSubmodules(kit, dirs))
    if (await isDirty(kit, join(workTree, path))) return true;
  return false;
}

async function listSubmodules(kit: Kit, dirs: Dirs): Promise<string[]> {
  const rows = splitZ(await runGit(kit, dirs, ["ls-files", "-z", "--stage"]));
  return rows
    .filter((row) => row.startsWith(`${gitlinkMode} `))
    .map((row) => row.slice(row.indexOf("\t") + 1));
}
