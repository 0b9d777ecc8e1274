// A pipeline as people see it: its record, who drives it, and which question below it holds it up.
import type { State } from "../../core/model/state.ts";
import { idleStatus, type PipelineStatus, pipelineStatus } from "../../core/views/pipeline-status.ts";
import { readPipeline } from "../../engine/views/pipeline-views.ts";
import type { RecordWorld } from "../../engine/world/world.ts";
import { liveness } from "../record/reading.ts";

/** Without a pipeline: idle. */
export async function pipelineView(world: RecordWorld, state: State | undefined): Promise<PipelineStatus> {
  if (!state) return idleStatus;
  return pipelineStatus(await readPipeline(world, state.bubbleId), await liveness(world, state));
}
