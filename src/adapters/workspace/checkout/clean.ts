// What the final gate run needs of its checkout beyond the files: what `.worktreeinclude` names, from the person's own
// checkout; the repository's hooks, as if the tree were about to be committed; and whether anything in it was changed.
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { IncludedFile } from "../../../core/model/record/checkout.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { getObjectsDir, type Home, openRepo, pickBubble } from "../location.ts";
import { type Dirs, type Kit, readSetting, runGit, splitZ } from "../plumbing/runner.ts";
import { copyNamed, listIncludedFiles } from "./include.ts";

const openHome = (path: string): Home => ({ workTree: path, gitDir: join(path, ".git") });

/** Copies what `.worktreeinclude` names into the checkout, and says what each file holds. */
export async function includeIn(
  kit: Kit,
  place: WorkspacePlace,
  path: string,
  progress?: (text: string) => void,
): Promise<{ included: IncludedFile[]; notes: string[] }> {
  const options = { thrownAway: true, ...(progress ? { progress } : {}) };
  const { copied, notes } = await copyNamed(kit, openRepo(place.repo), openHome(path), options);
  return { included: hashFiles(path, copied), notes };
}

/** What it names there now. */
export async function listIncludable(kit: Kit, place: WorkspacePlace): Promise<IncludedFile[]> {
  const repo = openRepo(place.repo);
  return hashFiles(repo.workTree, await listIncludedFiles(kit, repo));
}

const hashFiles = (folder: string, names: readonly string[]): IncludedFile[] =>
  names.map((name) => ({ path: name, sha256: hashFile(join(folder, name)) }));

function hashFile(file: string): string {
  const content = statSync(file, { throwIfNoEntry: false })?.isFile()
    ? readFileSync(file)
    : readlinkSync(file);
  return createHash("sha256").update(content).digest("hex");
}

/** The checkout's files with the bubble's private git folder: what gates wrote into its own has no say here. */
const buildView = (place: WorkspacePlace, path: string): Dirs => ({
  workTree: path,
  gitDir: getObjectsDir(place),
  index: join(path, ".git", "index"),
  ...pickBubble(place),
});

/** Files of the tree that differ in the checkout now. */
export async function listChangedIn(
  kit: Kit,
  place: WorkspacePlace,
  path: string,
  tree: string,
): Promise<string[]> {
  const args = ["diff", "--no-ext-diff", "--name-only", "-z", tree, "--"];
  return splitZ(await runGit(kit, buildView(place, path), args));
}

/** Brings files of the tree back; what is not in the tree stays. */
export async function putBackIn(kit: Kit, place: WorkspacePlace, path: string, tree: string): Promise<void> {
  await runGit(kit, buildView(place, path), ["read-tree", "--reset", "-u", tree]);
}

/** From now on the checkout stands on the base with the whole change staged. Returns where git finds the repository's hooks. */
export async function stageIn(kit: Kit, place: WorkspacePlace, path: string, tree: string): Promise<string> {
  await putBackIn(kit, place, path, tree);
  writeFileSync(join(path, ".git", "HEAD"), `${place.baseCommit}\n`);
  const repo = openRepo(place.repo);
  const set = await readSetting(kit, repo, "core.hooksPath", "path");
  if (!set) return join(repo.commonDir, "hooks");
  // A folder inside the repository is the one of this tree.
  const folder = resolve(repo.workTree, set);
  return folder.startsWith(`${repo.workTree}/`) ? join(path, relative(repo.workTree, folder)) : folder;
}
