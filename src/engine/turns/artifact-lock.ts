// Locking what a task made: the bytes of its artifacts in the agreed tree, hashed. A later change of them is refused.
import type { CommandOf } from "../../core/model/command.ts";
import type { State } from "../../core/model/state.ts";
import { listArtifactPaths, maxArtifacts } from "../../core/permission/locks.ts";
import { getCurrentTask, getTaskProgress } from "../../core/state/workflow-position.ts";
import { report, type ShortJob } from "../handle/job.ts";
import { getWorkspacePlace, type RecordWorld } from "../world/world.ts";

export async function lockArtifacts(job: ShortJob, tree: string): Promise<void> {
  const { world, state } = job;
  const from = getTaskProgress(state)?.fromTree ?? state.baseCommit;
  const changed = await world.workspace.changedBetween(getWorkspacePlace(world, state), from, tree);
  const paths = listArtifactPaths(getCurrentTask(state)?.outputs, changed);
  const hashes = await world.trees.hashes(state, tree, paths);
  const made = paths.flatMap((path) => (hashes[path] ? [{ path, sha256: hashes[path] }] : []));
  world.crashPoint("lock.hashed");
  await report(job, { type: "lock", tree, artifacts: made.slice(0, maxArtifacts) });
  if (made.length <= maxArtifacts) return;
  const message = `${made.length} artifacts, of which the first ${maxArtifacts} are locked`;
  await report(job, { type: "warn", code: "lock.many", message });
}

/** How locked artifacts stand in a tree; nothing when nothing is locked. */
export async function hashLockedArtifacts(
  world: Pick<RecordWorld, "trees">,
  state: State,
  tree: string,
): Promise<Pick<CommandOf<"commit">, "locked">> {
  const paths = [...new Set((state.locks ?? []).map(({ path }) => path))];
  return paths.length === 0 ? {} : { locked: await world.trees.hashes(state, tree, paths) };
}
