// Putting together what a critic of the current tree must answer for, as a step of its own.
import type { ChangedFile, TreeContext } from "../../core/model/payloads.ts";
import { clip } from "../../core/model/sizes.ts";
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import { contextOf } from "../facts/knowledge.ts";
import { handle } from "../handle/handle.ts";
import { placeOf, type World } from "../world/world.ts";

export async function assembleContext(
  world: World,
  state: State,
  tree: string,
  driver: string,
): Promise<void> {
  const context = await contextOrProblem(world, state);
  world.crashPoint("context.assembled");
  await handle(world, state.bubbleId, {
    type: "context-assembled",
    actor: { kind: "driver", id: driver },
    tree,
    context,
  });
}

/** What cannot be had is an outcome of the step, and the workflow says where it leads. */
async function contextOrProblem(world: World, state: State): Promise<TreeContext> {
  try {
    return await contextOf(world, state, await filesOf(world, state));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { sops: [], digest: "", problem: clip(error.message, 1000) };
  }
}

/** The record keeps the first changed files of a large handoff; the others count as well. A paper changes no file. */
async function filesOf(world: World, state: State): Promise<readonly ChangedFile[]> {
  const { tree, baseCommit } = state;
  if (tree?.paper) return [];
  if (!tree || tree.files.length >= tree.filesTotal) return tree?.files ?? [];
  return world.workspace.changedBetween(placeOf(world, state), baseCommit, tree.id);
}
