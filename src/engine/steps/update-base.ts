// The base branch has moved: the bubble's branch goes to its newest commit, the work is merged with it, and the worktree gets
// the result. Cut off anywhere and done again, it has the same result.
import { lookAtMade } from "../facts/tree.ts";
import { report, type ShortJob } from "../handle/job.ts";
import { fetchCommits, sendPin } from "../handle/travel.ts";
import { ensureWorktree } from "../watch/worktree.ts";
import { getWorkspacePlace } from "../world/world.ts";

/** Conflicts are part of the outcome: who settles them is not decided here. */
export async function updateBase(job: ShortJob, to: string): Promise<void> {
  const { world, driver } = job;
  const { baseCommit: from, tree: work, baseUpdate } = job.state;
  if (!work || !baseUpdate) return;
  const state = { ...job.state, baseCommit: to };
  await fetchCommits(world, state.bubbleId);
  const base = await world.workspace.moveBase(getWorkspacePlace(world, state), from);
  world.crashPoint("update-base.moved");
  const place = await ensureWorktree(world, state, driver);
  const { tree, commit, ref, conflicts } = await world.workspace.merge(place, {
    from,
    commits: [
      { name: "work", commit: work.commit },
      { name: baseUpdate.branch, commit: to },
    ],
    pin: `update-${baseUpdate.seq}`,
  });
  world.crashPoint("update-base.merged");
  await sendPin(world, state, { ref, commit });
  await world.workspace.restore(place, tree);
  world.crashPoint("update-base.restored");
  const [files, diff] = await Promise.all([
    world.workspace.changedBetween(place, to, tree),
    world.workspace.diff(place, to, tree),
  ]);
  const found = await lookAtMade(world, state, { files, diff, change: "" });
  await report(job, {
    type: "base-updated",
    ...{ to, base, tree, commit, ref, files },
    ...found,
    conflicts: [...conflicts],
  });
}
