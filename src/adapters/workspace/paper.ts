// A tree with one more file in it, made in git's objects alone: what a paper's critics judge and quote. Neither the
// worktree nor anybody's index is looked at.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { AddedFile, WorkspacePlace } from "../../ports/workspace.ts";
import { locateWorkspace } from "./location.ts";
import { pinCommit, pinRef, publish, setRefs } from "./plumbing/refs.ts";
import { type Kit, runGit, runGitLine } from "./plumbing/runner.ts";

let made = 0;

/** Pinned under the wish's name; the newest handoff of files stays what it is. */
export async function addFile(
  kit: Kit,
  place: WorkspacePlace,
  wish: AddedFile,
): Promise<{ tree: string; commit: string; ref: string }> {
  const home = locateWorkspace(place);
  made += 1;
  const index = join(kit.runtimeDir, `paper-${process.pid}-${made}.index`);
  try {
    const view = { ...home, index };
    const blob = await runGitLine(kit, home, ["hash-object", "-w", "--stdin"], { input: wish.text });
    await runGit(kit, view, ["read-tree", wish.tree]);
    await runGit(kit, view, ["update-index", "--add", "--cacheinfo", `100644,${blob},${wish.path}`]);
    const tree = await runGitLine(kit, view, ["write-tree"]);
    kit.crashPoint("git.paper.written");
    const commit = await pinCommit(kit, home, place, { tree, pin: wish.pin });
    const ref = pinRef(place, wish.pin);
    await setRefs(kit, home, place, [{ ref, to: commit }]);
    await publish(kit, place, [{ ref, to: commit }]);
    return { tree, commit, ref };
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}
