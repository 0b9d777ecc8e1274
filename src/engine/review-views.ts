// The review log and the review files, written anew from the transcript each time: a damaged or deleted one is whole
// again with the next review, and nothing ever reads them back.
import { reviewFileName, reviewFiles } from "../core/views/review-file.ts";
import { reviewLog, reviewLogName } from "../core/views/review-log.ts";
import { noTrail, reviewTrail, type Trail } from "../core/views/review-trail.ts";
import { Failure } from "../ports/failure.ts";
import { handle } from "./handle.ts";
import type { RecordWorld } from "./world.ts";

/** All reviews of a bubble, from the first line of its transcript. */
export async function readReviewTrail(world: Pick<RecordWorld, "log">, bubble: string): Promise<Trail> {
  let trail = noTrail;
  for await (const { envelopes } of world.log.read(bubble)) trail = reviewTrail(envelopes, trail);
  return trail;
}

/** Replaces the review views. One that cannot be written is a warning on the record, once, and the run goes on. */
export async function writeReviewViews(world: RecordWorld, bubble: string, driver: string): Promise<void> {
  try {
    await replaceViews(world, bubble, driver);
  } catch (error) {
    // A log that can be neither read nor written meets the driver's next command; a view is no reason to fail.
    if (!(error instanceof Failure)) throw error;
  }
}

async function replaceViews(world: RecordWorld, bubble: string, driver: string): Promise<void> {
  const trail = await readReviewTrail(world, bubble);
  for (const [name, view] of viewsOf(bubble, trail)) {
    const problem = await world.records.view(bubble, name, `${JSON.stringify(view, null, 2)}\n`);
    const message = `${name} could not be written: ${problem}`;
    if (!problem || trail.unwritable.includes(message)) continue;
    const actor = { kind: "driver", id: driver } as const;
    await handle(world, bubble, { type: "warn", actor, code: "view.unwritable", message });
  }
}

function viewsOf(bubble: string, trail: Trail): [name: string, view: unknown][] {
  return [
    [reviewLogName(bubble), reviewLog(bubble, trail)],
    ...[...reviewFiles(trail)].map(([agent, file]): [string, unknown] => [reviewFileName(agent), file]),
  ];
}
