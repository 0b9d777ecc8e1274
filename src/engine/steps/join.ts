// The children are back: their trees become one, the worktree holds it, and the referee hears what it is.

import { completedChildren } from "../../core/interpreter/children.ts";
import type { State } from "../../core/model/state.ts";
import { codeTree } from "../../core/state/code.ts";
import { lookAtMade } from "../facts/made-tree.ts";
import { handle } from "../handle/handle.ts";
import { standingPlace } from "../watch/standing.ts";
import type { World } from "../world/world.ts";

/** Merges in the order of the tasks. Conflicts are part of the outcome: who settles them is not decided here. */
export async function joinChildren(world: World, state: State, driver: string): Promise<void> {
  const { children } = state;
  if (!children) return;
  const completed = completedChildren(children);
  const commits = completed.flatMap(({ child, report }) =>
    report?.commit ? [{ name: child.key, commit: report.commit }] : [],
  );
  const place = await standingPlace(world, state);
  const pin = `join-${children.seq}`;
  const { tree, commit, ref, conflicts } = await world.workspace.merge(place, {
    from: children.from,
    commits,
    pin,
  });
  world.crashPoint("join.merged");
  await world.workspace.restore(place, tree);
  world.crashPoint("join.restored");
  const [files, diff] = await Promise.all([
    world.workspace.changedBetween(place, state.baseCommit, tree),
    world.workspace.diff(place, state.baseCommit, tree),
  ]);
  const found = await lookAtMade(
    world,
    state,
    place,
    { tree, files, diff },
    codeTree(state) ?? children.from,
  );
  world.crashPoint("join.diff");
  await handle(world, state.bubbleId, {
    type: "joined",
    actor: { kind: "driver", id: driver },
    tree,
    commit,
    ref,
    files,
    ...found,
    children: completed.map(({ child }) => child.key),
    conflicts: [...conflicts],
  });
}
