// A clean checkout for gates that must not meet what lies about in the worktree: ignored files, build results, things
// an agent put there. It has its own git folder, so that git inside it touches nothing else.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { getSandboxFolder } from "../../../core/sandbox/policy.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { getObjectsDir } from "../location.ts";
import { type Kit, runGit, runGitLine } from "../plumbing/runner.ts";

/** Its configuration was written a moment ago, by us. */
const own = { direct: true };

/** Makes the checkout at this path; what stood there is gone. */
export async function createCheckout(
  kit: Kit,
  place: WorkspacePlace,
  tree: string,
  path: string,
): Promise<void> {
  discardAt(path);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const format = tree.length > 40 ? ["--object-format=sha256"] : [];
  await runGit(kit, { workTree: path }, ["init", "-q", "--template=", ...format]);
  const home = { workTree: path, gitDir: join(path, ".git") };
  borrowObjects(home.gitDir, getObjectsDir(place));
  const identity = ["-c", "user.name=Pairflow", "-c", "user.email=pairflow@localhost"];
  const message = ["-m", `Tree ${tree}`, "-p", place.baseCommit];
  const commit = await runGitLine(kit, home, [...identity, "commit-tree", tree, ...message], own);
  await runGit(kit, home, ["update-ref", "HEAD", commit], own);
  await runGit(kit, home, ["read-tree", "--reset", "-u", tree], own);
  kit.crashPoint("git.checkout.made");
}

/** The objects stay where they are: a large repository is not copied for each gate. */
function borrowObjects(gitDir: string, from: string): void {
  mkdirSync(join(gitDir, "objects", "info"), { recursive: true });
  writeFileSync(join(gitDir, "objects", "info", "alternates"), `${join(from, "objects")}\n`);
  const shallow = join(from, "shallow");
  if (existsSync(shallow)) copyFileSync(shallow, join(gitDir, "shallow"));
}

/** Removes one checkout. */
export function discardAt(path: string): void {
  removeFolder(path);
  removeFolder(getSandboxFolder(path));
}

/** Removes checkouts that older versions made beside the worktree and a driver that died has left. */
export function discardAll(place: WorkspacePlace): void {
  const [folder, begin] = [dirname(place.path), `${basename(place.path)}.`];
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return; // The folder went with its last worktree.
  }
  // No bubble has a dot in its id: what begins so is ours.
  for (const name of names.filter((one) => one.startsWith(begin))) removeFolder(join(folder, name));
}

/** Removes a folder whose inside may have been made unwritable, as some package managers do with what they keep. */
export function removeFolder(path: string): void {
  const all = { recursive: true, force: true, maxRetries: 5 };
  try {
    rmSync(path, all);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    openUp(path);
    rmSync(path, all);
  }
}

function openUp(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) openUp(join(path, name));
}
