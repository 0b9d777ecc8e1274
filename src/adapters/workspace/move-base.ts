// A bubble that stands on a newer commit of its base branch: its own branch and its base pin move there. The files are left
// alone, since what they are to be is for a merge to say.
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { findHome, type Home, openRepo } from "./location.ts";
import { dropIndex, hideInCheckout } from "./plumbing/index-file.ts";
import { fetchRefs, getBranchRef, pinRef, publish, readRefs, setRefs } from "./plumbing/refs.ts";
import { type Kit, tryGit } from "./plumbing/runner.ts";
import { readCommitTree } from "./plumbing/tree.ts";

/** `place` names the new base, whose tree is returned. Whatever stood on the branch beside the old one is kept under a pin. */
export async function moveBase(kit: Kit, place: WorkspacePlace, from: string): Promise<string> {
  const repo = openRepo(place.repo);
  const home = findHome(place);
  const to = place.baseCommit;
  await keepTip(kit, place, repo, [from, to]);
  if (home && place.mode === "clone") await publish(kit, place, await keepTip(kit, place, home, [from, to]));
  const moved = [getBranchRef(place), pinRef(place, "base")];
  await setRefs(
    kit,
    repo,
    place,
    moved.map((ref) => ({ ref, to })),
  );
  kit.crashPoint("git.move-base.moved");
  const tree = await readCommitTree(kit, repo, to);
  if (!home) return tree;
  const specs = moved.map((ref) => `+${ref}:${ref}`);
  if (place.mode === "clone") await fetchRefs(kit, home, repo, specs);
  dropIndex(kit, place);
  // Only so that `git status` there tells of the work alone.
  await tryGit(kit, home, ["reset", "--quiet", to]);
  await hideInCheckout(kit, place, home);
  return tree;
}

/** Commits that an agent made on the branch, which moves away from them. */
async function keepTip(kit: Kit, place: WorkspacePlace, dirs: Home, known: readonly string[]) {
  const tip = (await readRefs(kit, dirs, [getBranchRef(place)])).get(getBranchRef(place));
  if (tip === undefined || known.includes(tip)) return [];
  const kept = [{ ref: pinRef(place, `agent-${tip.slice(0, 12)}`), to: tip }];
  await setRefs(kit, dirs, place, kept);
  return kept;
}
