// A pipeline as people see it: its record, who drives it, and which question below it holds it up.
import type { State } from "../../core/model/state.ts";
import { buildPipelineStatus, idleStatus, type PipelineStatus } from "../../core/views/pipeline/status.ts";
import { readPipeline } from "../../engine/front/views.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { readLiveness } from "../record/bubble.ts";

/** Without a pipeline: idle. */
export async function buildPipelineView(
  world: RecordWorld,
  state: State | undefined,
): Promise<PipelineStatus> {
  if (!state) return idleStatus;
  return buildPipelineStatus(await readPipeline(world, state.bubbleId), await readLiveness(world, state));
}
