// Which bubble is meant by "the pipeline": the newest one that was not put into the archive. The archive is a mark beside the
// record, so that everything stays readable under its id.

import { join } from "node:path";
import { createPidLocks } from "../../adapters/lock/pid.ts";
import { createProcessMarks } from "../../adapters/lock/process-marks.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { tryOrLater } from "../../core/model/value/try-or.ts";
import { isPipeline } from "../../core/views/pipeline/trail.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";

const archiveMark = "pipeline-archived.json";

/** All pipelines of the repository that can be read, the newest first. */
export async function listPipelines(world: RecordWorld): Promise<State[]> {
  const found: State[] = [];
  for (const { id } of await world.records.summaries()) {
    const state = await findState(world, id);
    // A pipeline that is somebody's child is part of that run.
    if (state && isPipeline(state) && !state.parent) found.push(state);
  }
  return found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/** A record that cannot be read hides no other. */
async function findState(world: RecordWorld, id: string): Promise<State | undefined> {
  return tryOrLater(async () => (await loadGood(world, id)).state, undefined);
}

/** The pipeline of this id, or the newest that is not archived; undefined: there is none. */
export async function findPipeline(world: RecordWorld, id?: string): Promise<State | undefined> {
  const all = await listPipelines(world);
  if (id !== undefined) return all.find(({ bubbleId }) => bubbleId === id) ?? refuseUnknownPipeline(id);
  for (const state of all) if (!(await isArchived(world, state.bubbleId))) return state;
  return undefined;
}

/** The same where one is needed. */
export async function requirePipeline(world: RecordWorld, id?: string): Promise<State> {
  const state = await findPipeline(world, id);
  if (state) return state;
  throw refuse("pipeline.none", "there is no pipeline here", 'pairflow pipeline "what is wanted"');
}

function refuseUnknownPipeline(id: string): never {
  throw refuse("pipeline.unknown", `there is no pipeline ${id}`, "pairflow bubble list --all");
}

export async function isArchived({ records }: RecordWorld, bubble: string): Promise<boolean> {
  return (await records.get(bubble, archiveMark)) !== undefined;
}

export async function archive({ records, clock }: RecordWorld, bubble: string): Promise<void> {
  await records.put(bubble, archiveMark, `${JSON.stringify({ archived_at: clock.now() })}\n`);
}

/** Puts away all that are over; how many that were. */
export async function archiveEnded(world: RecordWorld): Promise<number> {
  let archived = 0;
  for (const { bubbleId, lifecycle } of await listPipelines(world)) {
    if (!isFinal(lifecycle) || (await isArchived(world, bubbleId))) continue;
    await archive(world, bubbleId);
    archived += 1;
  }
  return archived;
}

/** Does it alone: two resets at once would each see half of the other's. A dead process's lock is no hindrance. */
export async function runAlone<T>(repo: string, work: () => Promise<T>): Promise<T> {
  const folder = join(repo, ".pairflow", "locks");
  const giveBack = await createPidLocks({ folder, marks: createProcessMarks() }).take("pipeline");
  if (!giveBack)
    throw refuse(
      "pipeline.locked",
      "another process resets the pipeline, or .pairflow/locks cannot be written",
      "try again; the lock is .pairflow/locks/pipeline.lock",
    );
  try {
    return await work();
  } finally {
    giveBack();
  }
}
