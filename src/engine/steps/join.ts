// The children are back: their trees are merged into one, the worktree gets it, and the referee is told its id.

import { listCompletedChildren } from "../../core/interpreter/children.ts";
import { getCodeTree } from "../../core/state/code-tree.ts";
import { findTreeBefore, lookAtMade } from "../facts/tree.ts";
import { report, type ShortJob } from "../handle/job.ts";
import { fetchCommits, sendPin } from "../handle/travel.ts";
import { ensureWorktree } from "../watch/worktree.ts";

/** Merges in the order of the tasks. Conflicts are part of the outcome: who settles them is not decided here. */
export async function joinChildren(job: ShortJob): Promise<void> {
  const { world, state } = job;
  const { children } = state;
  if (!children) return;
  const completed = listCompletedChildren(children);
  const commits = completed.flatMap(({ child, report }) =>
    report?.commit ? [{ name: child.key, commit: report.commit }] : [],
  );
  for (const { bubble, report } of completed) if (bubble && report?.commit) await fetchCommits(world, bubble);
  const place = await ensureWorktree(world, state);
  const pin = `join-${children.seq}`;
  const { tree, commit, ref, conflicts } = await world.workspace.merge(place, {
    from: children.from,
    commits,
    pin,
  });
  world.crashPoint("join.merged");
  await sendPin(world, state, { ref, commit });
  await world.workspace.restore(place, tree);
  world.crashPoint("join.restored");
  const before = findTreeBefore(state, getCodeTree(state) ?? children.from);
  const [files, diff, change] = await Promise.all([
    world.workspace.changedBetween(place, state.baseCommit, tree),
    world.workspace.diff(place, state.baseCommit, tree),
    before === undefined || before === tree ? "" : world.workspace.diff(place, before, tree),
  ]);
  const found = await lookAtMade(world, state, { files, diff, change });
  world.crashPoint("join.diff");
  await report(job, {
    type: "joined",
    tree,
    commit,
    ref,
    files,
    ...found,
    children: completed.map(({ child }) => child.key),
    conflicts: [...conflicts],
  });
}
