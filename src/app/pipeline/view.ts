// A pipeline as people see it: its record, who drives it, and which question below it holds it up.
import type { State } from "../../core/model/state.ts";
import { idleStatus, type PipelineStatus, pipelineStatus } from "../../core/views/pipeline-status.ts";
import { readPipeline } from "../../engine/pipeline-views.ts";
import type { RecordWorld } from "../../engine/world.ts";
import { liveness } from "../reading.ts";

/** Without a pipeline: idle. */
export async function pipelineView(world: RecordWorld, state: State | undefined): Promise<PipelineStatus> {
  if (!state) return idleStatus;
  return pipelineStatus(await readPipeline(world, state.bubbleId), await liveness(world, state));
}
