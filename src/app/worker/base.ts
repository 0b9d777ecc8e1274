// Whether this clone has what a bubble began with: where it lacks that, the bubble would fail here, and another machine can have it.
import type { State } from "../../core/model/state.ts";
import { load } from "../../engine/front/command.ts";
import type { World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";

/** What is missing, and what to type. The base of a child comes along with its parent's commits. */
export async function findMissingBase(world: World, state: State): Promise<string | undefined> {
  const above = state.parent && (await load(world, state.parent.bubble)).state;
  if (above) return findMissingBase(world, above);
  try {
    await world.workspace.resolve(world.repo, state.baseCommit);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure && error.code === "git.no-base")) throw error;
    return `this clone lacks the commit ${state.baseCommit.slice(0, 12)} that it began with (git -C ${world.repo} fetch --all)`;
  }
}
