// A handoff as git sees it: the exact tree, pinned so that nothing can lose it, and what it changes.
import type { Place, TreeSnapshot } from "../../ports/workspace.ts";
import { diffText, listChanges, plainChange } from "./changes.ts";
import { withIndex } from "./index-file.ts";
import { type Home, locate } from "./location.ts";
import { findProblems, type Heads, readHeads } from "./problems.ts";
import { agentPins, pinCommit, pinRef, publish, setRefs } from "./refs.ts";
import { type Kit, tryGit } from "./runner.ts";
import { dirtySubmodules } from "./submodules.ts";
import { writeTree } from "./tree.ts";

/** Writes and pins the tree under the given name. The same tree under the same name gives the same commit. */
export async function snapshot(kit: Kit, place: Place, pin: string): Promise<TreeSnapshot> {
  const home = locate(place);
  const [heads, { tree, dirty }] = await Promise.all([
    readHeads(kit, place, home),
    readTree(kit, place, home),
  ]);
  const [changes, diff, commit] = await Promise.all([
    listChanges(kit, home.gitDir, place.baseCommit, tree),
    diffText(kit, home.gitDir, place.baseCommit, tree),
    pinCommit(kit, home, place, { tree, pin }),
  ]);
  kit.crashPoint("git.snapshot.committed");
  const problems = await findProblems(kit, place, home, { heads, changes, dirty });
  const ref = pinRef(place, pin);
  const own = await keep(kit, place, home, { ref, commit, heads });
  const counted = own && (await countOwn(kit, place, home, own));
  const ownCommits = counted ? { ownCommits: counted } : {};
  return { tree, commit, ref, files: changes.map(plainChange), diff, problems, ...ownCommits };
}

function readTree(kit: Kit, place: Place, home: Home): Promise<{ tree: string; dirty: string[] }> {
  return withIndex(kit, place, home, async (view) => {
    const tree = await writeTree(kit, view);
    return { tree, dirty: await dirtySubmodules(kit, view) };
  });
}

/** How many commits stand on the base that nobody approved, and where they are kept. */
async function countOwn(kit: Kit, place: Place, home: Home, { ref, to }: { ref: string; to: string }) {
  const count = await tryGit(kit, home, ["rev-list", "--count", to, `^${place.baseCommit}`]);
  return count.code === 0 && Number(count.stdout) > 0 ? { count: Number(count.stdout), ref } : undefined;
}

/** Pins the tree, and the agent's own commits, which the approved commit will not contain. Returns the pin of the newest. */
async function keep(
  kit: Kit,
  place: Place,
  home: Home,
  what: { ref: string; commit: string; heads: Heads },
): Promise<{ ref: string; to: string } | undefined> {
  const { head, branch } = what.heads;
  const own = agentPins(
    place,
    [head, branch].filter((commit) => commit !== undefined),
  );
  const pins = [
    { ref: what.ref, to: what.commit },
    { ref: pinRef(place, "latest"), to: what.commit },
    ...own,
  ];
  await setRefs(kit, home, place, pins);
  kit.crashPoint("git.snapshot.pinned");
  await publish(kit, place, pins);
  kit.crashPoint("git.snapshot.published");
  return own[0];
}
