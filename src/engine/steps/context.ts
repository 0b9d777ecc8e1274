// Putting together what a critic of the current tree must answer for, as a step of its own.
import type { ChangedFile, TreeContext } from "../../core/model/record/payloads/parts.ts";
import type { State } from "../../core/model/state.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { Failure } from "../../ports/failure.ts";
import { assembleTreeContext } from "../facts/knowledge.ts";
import { report, type ShortJob } from "../handle/job.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";

export async function assembleContext(job: ShortJob, tree: string): Promise<void> {
  const { world, state } = job;
  const context = await buildContext(world, state);
  world.crashPoint("context.assembled");
  await report(job, { type: "context-assembled", tree, context });
}

/** What cannot be had is an outcome of the step, and the workflow says where it leads. */
async function buildContext(world: World, state: State): Promise<TreeContext> {
  try {
    return await assembleTreeContext(world, state, await listFiles(world, state));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { sops: [], digest: "", problem: clip(error.message, 1000) };
  }
}

/** The record keeps the first changed files of a large handoff; the others count as well. A paper changes no file. */
async function listFiles(world: World, state: State): Promise<readonly ChangedFile[]> {
  const { tree, baseCommit } = state;
  if (tree?.paper) return [];
  if (!tree || tree.files.length >= tree.filesTotal) return tree?.files ?? [];
  return world.workspace.changedBetween(getWorkspacePlace(world, state), baseCommit, tree.id);
}
