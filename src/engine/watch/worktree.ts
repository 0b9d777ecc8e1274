// The worktree as it should stand. One that was deleted by hand is built again from the newest pinned handoff, and what
// an agent's own sandbox left in it is taken away.

import type { State } from "../../core/model/state.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { parseTime } from "../../core/model/value/time.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { handle } from "../handle/command.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";

/** The bubble's place, with a worktree in it. A driver tells on the record what it took away. */
export async function ensureWorktree(world: World, state: State, driver?: string): Promise<WorkspacePlace> {
  const place = getWorkspacePlace(world, state);
  if (!(await world.workspace.present(place))) {
    await world.workspace.prepare(place);
    world.crashPoint("workspace.rebuilt");
  }
  const removed = await sweep(world, state, place);
  if (driver !== undefined && removed.length > 0) await tellRemoved(world, state, driver, removed);
  return place;
}

const oldMs = 600_000;

/**
 * Removes what an agent's own sandbox left when it was killed; nobody's work is among it. Returns the paths in the worktree.
 * Outside of the worktree it may belong to another bubble's agent, unless it is old.
 */
async function sweep(world: World, state: State, place: WorkspacePlace): Promise<string[]> {
  const inside = `${place.path}/`;
  const left = new Set(Object.values(world.agents).flatMap((one) => one.leftovers?.(place.path) ?? []));
  const outside = [...left].filter((file) => !file.startsWith(inside));
  for (const file of outside) {
    const age = parseTime(world.clock.now()) - parseTime((await world.scratch.modifiedAt(file)) ?? "");
    if (age > oldMs) await world.scratch.remove(file);
  }
  const found = [...left].filter((file) => file.startsWith(inside)).map((file) => file.slice(inside.length));
  if (found.length === 0) return [];
  // A file that was handed over before is somebody's, however it looks now.
  const commit = state.tree?.commit || place.baseCommit;
  const tracked = new Set(await world.workspace.filesAt(place.repo, commit));
  const removed = found.filter((path) => !tracked.has(path));
  for (const path of removed) await world.scratch.remove(inside + path);
  return removed.sort();
}

async function tellRemoved(world: World, state: State, driver: string, paths: readonly string[]) {
  const files = paths.length === 1 ? "1 empty file" : `${paths.length} empty files`;
  const named = clip(paths.slice(0, 20).join(", "), 700);
  await handle(world, state.bubbleId, {
    type: "warn",
    actor: { kind: "driver", id: driver },
    code: "sandbox.left-behind",
    message: `taken away before the tree was looked at: ${files} left by an agent's sandbox, which nobody wrote: ${named}`,
  });
}
