// Whether this clone has what a bubble began with: where it lacks that, the bubble would fail here. Another machine sends it, if it can.
import type { State } from "../../core/model/state.ts";
import { fetchRootBase, type World } from "../../engine/front/world.ts";

/** What is missing, and what to type. */
export async function findMissingBase(world: World, state: State): Promise<string | undefined> {
  if (await fetchRootBase(world, state)) return undefined;
  return `this clone lacks the commit ${state.baseCommit.slice(0, 12)} that it began with: git -C ${world.repo} fetch --all, or pairflow resume --id ${state.bubbleId} on a machine that has it, which sends it`;
}
