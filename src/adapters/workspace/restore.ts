// Undoing what nobody was asked to do: the tree goes back to a judged one, what is undone is kept twice, as a
// patch for people and as a pin for git.

import { Failure } from "../../ports/failure.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { locateWorkspace } from "./location.ts";
import { describePatch, listChanges } from "./plumbing/changes.ts";
import { lendIndex } from "./plumbing/index-file.ts";
import { pinCommit, pinRef, publish, setRefs } from "./plumbing/refs.ts";
import type { Kit } from "./plumbing/runner.ts";
import { checkOut, writeTree } from "./plumbing/tree.ts";

/** Makes the worktree equal to the tree; ignored files stay. Throws Failure `workspace.not-restored` when it is not equal afterwards. */
export async function restore(
  kit: Kit,
  place: WorkspacePlace,
  tree: string,
): Promise<{ patch: string; files: string[] }> {
  const home = locateWorkspace(place);
  return lendIndex(kit, place, home, async (view) => {
    const current = await writeTree(kit, view);
    if (current === tree) return { patch: "", files: [] };
    const pin = `undone-${current.slice(0, 12)}`;
    const commit = await pinCommit(kit, home, place, { tree: current, pin });
    const kept = [{ ref: pinRef(place, pin), to: commit }];
    await setRefs(kit, home, place, kept);
    await publish(kit, place, kept);
    kit.crashPoint("git.restore.kept");
    const [patch, changes] = await Promise.all([
      describePatch(kit, home.gitDir, tree, current),
      listChanges(kit, home.gitDir, tree, current),
    ]);
    await checkOut(kit, view, tree);
    kit.crashPoint("git.restore.checked-out");
    const after = await writeTree(kit, view);
    if (after !== tree) throw toNotRestored(place, pin, after);
    return { patch, files: changes.map(({ path }) => path) };
  });
}

function toNotRestored(place: WorkspacePlace, pin: string, after: string): Failure {
  return new Failure(
    "workspace.not-restored",
    `${place.path} is ${after} after being put back; something writes into it`,
    {
      hint: `git -C ${place.path} diff ${pinRef(place, pin)}`,
      retryable: true,
    },
  );
}
