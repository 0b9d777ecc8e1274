// Locking what a task made: the bytes of its artifacts in the agreed tree, hashed. A later change of them is refused.
import type { CommandOf } from "../../core/model/command.ts";
import type { State } from "../../core/model/state.ts";
import { artifactPaths, maxArtifacts } from "../../core/permission/locks.ts";
import { currentTask, progressOf } from "../../core/state/place.ts";
import { handle } from "../handle/handle.ts";
import { placeOf, type RecordWorld, type World } from "../world/world.ts";

export async function lockArtifacts(world: World, state: State, tree: string, driver: string): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const from = progressOf(state)?.fromTree ?? state.baseCommit;
  const changed = await world.workspace.changedBetween(placeOf(world, state), from, tree);
  const paths = artifactPaths(currentTask(state)?.outputs, changed);
  const hashes = await world.trees.hashes(state, tree, paths);
  const made = paths.flatMap((path) => (hashes[path] ? [{ path, sha256: hashes[path] }] : []));
  world.crashPoint("lock.hashed");
  await handle(world, state.bubbleId, { type: "lock", actor, tree, artifacts: made.slice(0, maxArtifacts) });
  if (made.length <= maxArtifacts) return;
  const message = `${made.length} artifacts, of which the first ${maxArtifacts} are locked`;
  await handle(world, state.bubbleId, { type: "warn", actor, code: "lock.many", message });
}

/** How locked artifacts stand in a tree; nothing when nothing is locked. */
export async function lockedIn(
  world: Pick<RecordWorld, "trees">,
  state: State,
  tree: string,
): Promise<Pick<CommandOf<"commit">, "locked">> {
  const paths = [...new Set((state.locks ?? []).map(({ path }) => path))];
  return paths.length === 0 ? {} : { locked: await world.trees.hashes(state, tree, paths) };
}
