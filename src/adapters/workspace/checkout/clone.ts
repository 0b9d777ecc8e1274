// A full clone as a bubble's tree: nothing shared with the main repository, not even objects. Built beside its
// place and renamed when finished, so that at the place there is a whole clone or none.
import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { findHome, type Home, openRepo, pickBubble } from "../location.ts";
import { fetchRefs, getBranchRef, getRefFolder, localOnly, setRefs } from "../plumbing/refs.ts";
import { dropPrivateGit, type Kit, runGit } from "../plumbing/runner.ts";

/** Where an unfinished clone lies. */
export const getPartialClonePath = (place: WorkspacePlace) => `${place.path}.partial`;

/** The clone on its branch, which starts at `tip` when the main repository has the branch already. */
export async function buildClone(
  kit: Kit,
  place: WorkspacePlace,
  tip: string | undefined,
  finish: (home: Home) => Promise<void>,
): Promise<Home> {
  const path = getPartialClonePath(place);
  const home = { workTree: path, gitDir: join(path, ".git") };
  rmSync(path, { recursive: true, force: true });
  const isolated = [
    "--no-hardlinks",
    "--no-checkout",
    "--config",
    "remote.origin.pushurl=pairflow-does-not-push",
  ];
  const source = openRepo(place.repo).workTree;
  await runGit(kit, { workTree: dirname(path) }, ["clone", "--quiet", ...isolated, source, path], {
    env: localOnly,
  });
  kit.crashPoint("git.clone.cloned");
  await fetchRefs(kit, home, openRepo(place.repo), [`+${getRefFolder(place)}*:${getRefFolder(place)}*`]);
  await enterBranch(kit, place, home, tip);
  await finish(home);
  dropPrivateGit(kit, home);
  rmSync(place.path, { recursive: true, force: true });
  renameSync(path, place.path);
  kit.crashPoint("git.clone.placed");
  return { workTree: place.path, gitDir: join(place.path, ".git"), ...pickBubble(place) };
}

async function enterBranch(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  tip: string | undefined,
): Promise<void> {
  if (tip)
    await fetchRefs(kit, home, openRepo(place.repo), [`+${getBranchRef(place)}:${getBranchRef(place)}`]);
  else await setRefs(kit, home, place, [{ ref: getBranchRef(place), to: place.baseCommit }]);
  await runGit(kit, home, ["symbolic-ref", "HEAD", getBranchRef(place)], { direct: true });
  kit.crashPoint("git.clone.branched");
}

/** After the commit in the main repository: moves the clone's branch along, when the clone still stands. */
export async function followBranch(kit: Kit, place: WorkspacePlace): Promise<void> {
  const home = place.mode === "clone" ? findHome(place) : undefined;
  if (home)
    await fetchRefs(kit, home, openRepo(place.repo), [`+${getBranchRef(place)}:${getBranchRef(place)}`]);
}
