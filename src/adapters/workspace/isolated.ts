// A clean checkout for a gate that must not meet what lies about in the worktree: ignored files, build results, things
// an agent put there. Beside the worktree, with its own git folder, so that git inside it touches nothing else.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Place } from "../../ports/workspace.ts";
import { objectsOf } from "./location.ts";
import { git, gitLine, type Kit } from "./runner.ts";

/** Makes the checkout and returns its path. */
export async function checkout(kit: Kit, place: Place, tree: string, name: string): Promise<string> {
  const path = pathOf(place, name);
  discard(place, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const format = tree.length > 40 ? ["--object-format=sha256"] : [];
  await git(kit, { workTree: path }, ["init", "-q", "--template=", ...format]);
  const home = { workTree: path, gitDir: join(path, ".git") };
  borrowObjects(home.gitDir, objectsOf(place));
  const identity = ["-c", "user.name=Pairflow", "-c", "user.email=pairflow@localhost"];
  const message = ["-m", `Tree ${tree}`, "-p", place.baseCommit];
  const commit = await gitLine(kit, home, [...identity, "commit-tree", tree, ...message]);
  await git(kit, home, ["update-ref", "HEAD", commit]);
  await git(kit, home, ["read-tree", "--reset", "-u", tree]);
  kit.crashPoint("git.checkout.made");
  return path;
}

/** The objects stay where they are: a large repository is not copied for each gate. */
function borrowObjects(gitDir: string, from: string): void {
  mkdirSync(join(gitDir, "objects", "info"), { recursive: true });
  writeFileSync(join(gitDir, "objects", "info", "alternates"), `${join(from, "objects")}\n`);
  const shallow = join(from, "shallow");
  if (existsSync(shallow)) copyFileSync(shallow, join(gitDir, "shallow"));
}

/** Removes one checkout. */
export function discard(place: Place, name: string): void {
  rmSync(pathOf(place, name), { recursive: true, force: true, maxRetries: 5 });
}

/** Removes every checkout of the bubble, those of a driver that died among them. */
export function discardAll(place: Place): void {
  const [folder, begin] = [dirname(place.path), `${basename(place.path)}.`];
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return; // The folder went with its last worktree.
  }
  // No bubble has a dot in its id: what begins so is ours.
  for (const name of names.filter((one) => one.startsWith(begin)))
    rmSync(join(folder, name), { recursive: true, force: true });
}

function pathOf(place: Place, name: string): string {
  return `${place.path}.${name}`;
}
