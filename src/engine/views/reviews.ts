// The review log, the review files and the gate reports, written anew from the transcript each time: a damaged or deleted one is whole
// again with the next review, and nothing ever reads them back.
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { State } from "../../core/model/state.ts";
import { buildPairSessionView, namePairSession } from "../../core/views/pair/session.ts";
import { isPipeline } from "../../core/views/pipeline/trail.ts";
import { buildGateReport, nameGateReport } from "../../core/views/report/gates.ts";
import { getReviewDecisionName, listReviewDecisions } from "../../core/views/review/decision.ts";
import { buildReviewFiles, getReviewFileName } from "../../core/views/review/file.ts";
import { buildReviewLog, buildTaskReviewLog, getReviewLogName } from "../../core/views/review/log.ts";
import { buildReviewTrail, noTrail, type Trail } from "../../core/views/review/trail.ts";
import { ignoreFailure } from "../../ports/failure.ts";
import { handle } from "../handle/command.ts";
import type { RecordWorld } from "../world/world.ts";

/** All reviews of a bubble, from the first line of its transcript. */
export async function readReviewTrail(world: Pick<RecordWorld, "log">, bubble: string): Promise<Trail> {
  let trail = noTrail;
  for await (const { envelopes } of world.log.read(bubble)) trail = buildReviewTrail(envelopes, trail);
  return trail;
}

/** Replaces the review views. One that cannot be written is a warning on the record, once, and the run continues. */
export async function writeReviewViews(world: RecordWorld, bubble: string, driver: string): Promise<void> {
  // A log that can be neither read nor written meets the driver's next command; a view is no reason to fail.
  await ignoreFailure(() => replaceViews(world, bubble, driver));
}

async function replaceViews(world: RecordWorld, bubble: string, driver: string): Promise<void> {
  const trail = await readReviewTrail(world, bubble);
  for (const named of [
    ...listLogs(bubble, trail),
    ...listLastPairSessions(trail),
    ...listOwnReviewFiles(trail),
  ])
    await replaceView(world, bubble, named, driver, trail.unwritable);
}

/** The report of the gates that just ran for the current round; as with reviews, a warning at most. */
export async function writeGateReport(world: RecordWorld, state: State, driver: string): Promise<void> {
  const report = buildGateReport(state);
  if (!report) return;
  const { last } = state.warnings;
  const known = last ? [last.message] : [];
  await ignoreFailure(() =>
    replaceView(world, state.bubbleId, [nameGateReport(state), report], driver, known),
  );
}

async function replaceView(
  world: RecordWorld,
  bubble: string,
  [name, view]: Named,
  driver: string,
  known: readonly string[],
): Promise<void> {
  const problem = await world.records.view(bubble, name, `${JSON.stringify(view, null, 2)}\n`);
  const message = `${name} could not be written: ${problem}`;
  if (!problem || known.includes(message)) return;
  const actor = { kind: "driver", id: driver } as const;
  await handle(world, bubble, { type: "warn", actor, code: "view.unwritable", message });
}

type Named = [name: string, view: unknown];

/** A pipeline's are written by the names of its chain (pipeline-views.ts). */
function listOwnReviewFiles(trail: Trail): Named[] {
  if (trail.state && isPipeline(trail.state)) return [];
  return [...buildReviewFiles(trail)].map(([agent, file]): Named => [getReviewFileName(agent), file]);
}

/** While a bubble runs its pair sessions are written with their hashes; the end of a bubble owes nothing any more. */
function listLastPairSessions({ state }: Trail): Named[] {
  if (!state || !isFinal(state.lifecycle)) return [];
  const pairs = (state.program.tasks ?? []).filter(
    ({ key, overlay }) => overlay === "paired_workflow" && state.tasks?.[key] !== undefined,
  );
  return pairs.map(({ key }) => [namePairSession(key), buildPairSessionView(state, key)]);
}

/** One log for the bubble; in a workflow with tasks, one for each task under agentic review, with its decisions. */
function listLogs(bubble: string, trail: Trail): Named[] {
  const tasks = trail.state?.program.tasks;
  if (!tasks) return [[getReviewLogName(bubble), buildReviewLog(bubble, trail)]];
  const begun = tasks.filter(({ key, overlay }) => overlay === "agentic_review" && trail.state?.tasks?.[key]);
  return begun.flatMap(({ key }) => [
    [getReviewLogName(key), buildTaskReviewLog(key, trail)] as Named,
    ...listReviewDecisions(key, trail).map((one, i): Named => [getReviewDecisionName(key, i + 1), one]),
  ]);
}
