// A handoff as git sees it: the exact tree, pinned so that nothing can lose it, and what it changes.
import type { Place, TreeSnapshot } from "../../ports/workspace.ts";
import { diffText, listChanges, plainChange } from "./changes.ts";
import { withIndex } from "./index-file.ts";
import { type Home, locate } from "./location.ts";
import { dirtySubmodules, findProblems, type Heads, readHeads } from "./problems.ts";
import { agentPins, pinCommit, pinRef, publish, setRefs } from "./refs.ts";
import type { Kit } from "./runner.ts";
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
  await keep(kit, place, home, { ref, commit, heads });
  return { tree, commit, ref, files: changes.map(plainChange), diff, problems };
}

function readTree(kit: Kit, place: Place, home: Home): Promise<{ tree: string; dirty: string[] }> {
  return withIndex(kit, place, home, async (view) => {
    const tree = await writeTree(kit, view);
    return { tree, dirty: await dirtySubmodules(kit, place, view) };
  });
}

/** Pins the tree, and the agent's own commits, which the approved commit will not contain. */
async function keep(
  kit: Kit,
  place: Place,
  home: Home,
  what: { ref: string; commit: string; heads: Heads },
): Promise<void> {
  const { head, branch } = what.heads;
  const pins = [
    { ref: what.ref, to: what.commit },
    { ref: pinRef(place, "latest"), to: what.commit },
    ...agentPins(
      place,
      [head, branch].filter((commit) => commit !== undefined),
    ),
  ];
  await setRefs(kit, home, pins);
  kit.crashPoint("git.snapshot.pinned");
  await publish(
    kit,
    place,
    pins.map(({ ref }) => ref),
  );
  kit.crashPoint("git.snapshot.published");
}
