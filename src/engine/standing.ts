// The worktree as it should stand. One that was deleted by hand is built again from the newest pinned handoff.
import type { State } from "../core/model/state.ts";
import type { Place } from "../ports/workspace.ts";
import { placeOf, type World } from "./world.ts";

/** The bubble's place, with a worktree in it. */
export async function standingPlace(world: World, state: State): Promise<Place> {
  const place = placeOf(world, state);
  if (!(await world.workspace.present(place))) {
    await world.workspace.prepare(place);
    world.crashPoint("workspace.rebuilt");
  }
  return place;
}
