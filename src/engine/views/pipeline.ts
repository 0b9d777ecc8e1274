// The documents of a pipeline beside its record, brought up to date after each change. One that was deleted or damaged is
// whole again with the next change; one that cannot be written is a warning on the record, once, and the run continues.
import type { State } from "../../core/model/state.ts";
import { buildPipelineDocuments, type PipelineDocument } from "../../core/views/pipeline/documents.ts";
import {
  followPipeline,
  isPipeline,
  noPipeline,
  type PipelineTrail,
} from "../../core/views/pipeline/trail.ts";
import { ignoreFailure } from "../../ports/failure.ts";
import { emptyHead, type Head } from "../../ports/record/log.ts";
import { handle } from "../handle/command.ts";
import type { RecordWorld } from "../world/world.ts";

/** The whole story of a pipeline, from the first line of its transcript. */
export async function readPipeline(world: Pick<RecordWorld, "log">, bubble: string): Promise<PipelineTrail> {
  let pipeline = noPipeline;
  for await (const { envelopes } of world.log.read(bubble)) pipeline = followPipeline(envelopes, pipeline);
  return pipeline;
}

/** Once, from the whole record: for a command that ends a bubble that nobody drives. */
export async function writePipelineViews(world: RecordWorld, state: State, driver: string): Promise<void> {
  await new PipelineViews(world, driver).look(state);
}

export class PipelineViews {
  private pipeline = noPipeline;
  private head: Head = emptyHead;
  private seen = 0;
  private readonly copied = new Set<string>();
  private readonly world: RecordWorld;
  private readonly driver: string;

  constructor(world: RecordWorld, driver: string) {
    this.world = world;
    this.driver = driver;
  }

  /** Writes what the newest lines have changed. */
  async look(state: State): Promise<void> {
    if (!isPipeline(state) || state.seq === this.seen) return;
    this.seen = state.seq;
    // A log that cannot be read meets the driver's next command; a view is no reason to fail.
    await ignoreFailure(async () => {
      await this.readOn(state.bubbleId);
      for (const document of buildPipelineDocuments(this.pipeline)) await this.write(state, document);
    });
  }

  private async readOn(bubble: string): Promise<void> {
    for await (const { envelopes, head } of this.world.log.read(bubble, this.head)) {
      this.pipeline = followPipeline(envelopes, this.pipeline);
      this.head = head;
    }
  }

  private async write(state: State, { name, value }: PipelineDocument): Promise<void> {
    // What a review said never changes: its copy is looked at once by each driver.
    if (this.copied.has(name)) return;
    if (name.startsWith("reviews/")) this.copied.add(name);
    const text = `${JSON.stringify(value, null, 2)}\n`;
    const { records } = this.world;
    const found = await records.get(state.bubbleId, name);
    if (found && Buffer.from(found).toString("utf8") === text) return;
    const problem = await records.view(state.bubbleId, name, text);
    const message = `${name} could not be written: ${problem}`;
    if (!problem || this.pipeline.trail.unwritable.includes(message)) return;
    const actor = { kind: "driver", id: this.driver } as const;
    await handle(this.world, state.bubbleId, { type: "warn", actor, code: "view.unwritable", message });
  }
}
