// A handoff as git sees it: the exact tree, pinned so that nothing can lose it, and what it changes.
import type { TreeSnapshot, WorkspacePlace } from "../../ports/workspace.ts";
import { listNewObjects } from "./durable/objects.ts";
import { type Home, locateWorkspace } from "./location.ts";
import { dropModes, listChanges, readDiffText } from "./plumbing/changes.ts";
import { lendIndex } from "./plumbing/index-file.ts";
import { buildAgentPins, pinCommit, pinRef, publish, setRefs } from "./plumbing/refs.ts";
import { type Kit, tryGit } from "./plumbing/runner.ts";
import { listDirtySubmodules } from "./plumbing/submodules.ts";
import { writeTree } from "./plumbing/tree.ts";
import { findProblems, type Heads, readHeads } from "./problems.ts";

/** Writes and pins the tree under the given name. The same tree under the same name gives the same commit. */
export async function snapshotWorktree(
  kit: Kit,
  place: WorkspacePlace,
  pin: string,
  since?: string,
): Promise<TreeSnapshot> {
  const home = locateWorkspace(place);
  const [heads, { tree, dirty }] = await Promise.all([
    readHeads(kit, place, home),
    readTree(kit, place, home),
  ]);
  // Reading and pinning are several calls of git each, and do not wait for one another.
  const [{ commit, ref, own }, { changes, problems }, diff, change] = await Promise.all([
    pinTree(kit, place, home, { heads, tree, pin }),
    judgeChanges(kit, place, home, { heads, tree, dirty }),
    readDiffText(kit, home.gitDir, place.baseCommit, tree),
    since === undefined || since === tree ? "" : readDiffText(kit, home.gitDir, since, tree),
  ]);
  const counted = own && (await countOwn(kit, place, home, own));
  const ownCommits = counted ? { ownCommits: counted } : {};
  return { tree, commit, ref, files: changes.map(dropModes), diff, change, problems, ...ownCommits };
}

function readTree(kit: Kit, place: WorkspacePlace, home: Home): Promise<{ tree: string; dirty: string[] }> {
  return lendIndex(kit, place, home, async (view) => {
    const tree = await writeTree(kit, view);
    return { tree, dirty: await listDirtySubmodules(kit, view) };
  });
}

async function judgeChanges(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  { heads, tree, dirty }: { heads: Heads; tree: string; dirty: readonly string[] },
) {
  const changes = await listChanges(kit, home.gitDir, place.baseCommit, tree);
  return { changes, problems: await findProblems(kit, place, home, { heads, changes, dirty }) };
}

/** Pins the tree, and the agent's own commits, which the approved commit will not contain; `own` is the newest of them. */
async function pinTree(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  { heads, tree, pin }: { heads: Heads; tree: string; pin: string },
) {
  const own = buildAgentPins(
    place,
    [heads.head, heads.branch].filter((commit) => commit !== undefined),
  );
  // What the pin will reach is known before there is a commit of it.
  const [commit, reached] = await Promise.all([
    pinCommit(kit, home, place, { tree, pin }),
    listNewObjects(kit, home, place, [tree, ...own.map(({ to }) => to)]),
  ]);
  kit.crashPoint("git.snapshot.committed");
  const ref = pinRef(place, pin);
  const pins = [{ ref, to: commit }, { ref: pinRef(place, "latest"), to: commit }, ...own];
  await setRefs(kit, home, place, pins, [commit, ...reached]);
  kit.crashPoint("git.snapshot.pinned");
  await publish(kit, place, pins);
  kit.crashPoint("git.snapshot.published");
  return { commit, ref, own: own[0] };
}

/** How many commits stand on the base that nobody approved, and where they are kept. */
async function countOwn(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  { ref, to }: { ref: string; to: string },
) {
  const count = await tryGit(kit, home, ["rev-list", "--count", to, `^${place.baseCommit}`]);
  return count.code === 0 && Number(count.stdout) > 0 ? { count: Number(count.stdout), ref } : undefined;
}
