// The worktree as it should stand. One that was deleted by hand is built again from the newest pinned handoff.
import type { State } from "../core/model/state.ts";
import { millis } from "../core/model/time.ts";
import type { Place } from "../ports/workspace.ts";
import { placeOf, type World } from "./world.ts";

/** The bubble's place, with a worktree in it. */
export async function standingPlace(world: World, state: State): Promise<Place> {
  const place = placeOf(world, state);
  if (!(await world.workspace.present(place))) {
    await world.workspace.prepare(place);
    world.crashPoint("workspace.rebuilt");
  }
  await sweep(world, place.path);
  return place;
}

const oldMs = 600_000;

/** What an agent's own sandbox left when it was killed. Outside of the worktree it may belong to another bubble's agent, unless it is old. */
async function sweep(world: World, worktree: string): Promise<void> {
  const left = Object.values(world.agents).flatMap((adapter) => adapter.leftovers?.(worktree) ?? []);
  for (const file of left) {
    const age = millis(world.clock.now()) - millis((await world.scratch.modifiedAt(file)) ?? "");
    if (file.startsWith(`${worktree}/`) || age > oldMs) await world.scratch.remove(file);
  }
}
