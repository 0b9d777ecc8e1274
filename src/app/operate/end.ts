// Ending a bubble, and removing one that has ended.
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { isAtWork } from "../../core/interpreter/children.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { type Handled, handle, loadGood } from "../../engine/handle/handle.ts";
import { writePipelineViews } from "../../engine/views/pipeline-views.ts";
import { writeReviewViews } from "../../engine/views/review-views.ts";
import { driverMarker, placeOf, workMarker } from "../../engine/world/world.ts";
import { Failure } from "../../ports/failure.ts";
import { askGit } from "../host/git-questions.ts";
import { readWhole } from "../record/whole.ts";
import { type Desk, operator, stateOf, unknownBubble } from "../trust/desk.ts";

/** Ends a bubble for good: its turns, its gates, its driver, its panes. The record stays, and the refs with what was handed over. */
export async function stop(desk: Desk, reason: string): Promise<Handled> {
  const state = await stateOr(desk, () => endEverything(desk));
  const isStopped = state.lifecycle === "CANCELLED";
  const handled = isStopped
    ? { state, envelopes: [] }
    : await handle(desk.world, desk.bubble, { type: "stop", actor: operator(desk), reason });
  // A stop that was cut off behind its word is finished by the next one.
  if (!handled.refusal || isFinal(state.lifecycle)) {
    await endEverything(desk);
    await settleEnd(desk, state);
  }
  return handled;
}

/** Nothing can be put on a damaged record, but what still runs for it is ended before that is said. */
async function stateOr(desk: Desk, end: () => Promise<void>): Promise<State> {
  const { trouble } = await readWhole(desk.world, desk.world.repo, desk.bubble);
  if (trouble) await end();
  return stateOf(desk, true);
}

/** What a bubble that has ended owes, whether a driver lives or not: no process, its last views, word to its family. */
export async function settleEnd(desk: Desk, state: State): Promise<void> {
  const { world, bubble } = desk;
  await world.processes.end(workMarker(world, bubble, "*"));
  await writeReviewViews(world, bubble, world.chance.id());
  await writePipelineViews(world, await stateOf(desk), world.chance.id());
  await tellFamily(desk, state);
}

/** Nobody works on for a bubble that has ended, and nobody waits for it. */
async function tellFamily(desk: Desk, { parent }: State): Promise<void> {
  const { world, bubble } = desk;
  const stopped = new Set<string>();
  // A child that was routed says who has taken its place: that one is stopped then.
  for (let next = await atWork(desk, stopped); next; next = await atWork(desk, stopped)) {
    stopped.add(next);
    await world.siblings.stop(next, `${bubble} was stopped`);
  }
  if (parent) await world.siblings.keepGoing(bubble);
}

async function atWork(desk: Desk, stopped: ReadonlySet<string>): Promise<string | undefined> {
  const { children } = await stateOf(desk);
  return children?.each.filter(isAtWork).find(({ bubble = "" }) => !stopped.has(bubble))?.bubble;
}

async function endEverything({ world, bubble }: Desk): Promise<void> {
  await world.processes.end(workMarker(world, bubble, "*"));
  for (let waited = 0; waited < 2000 && (await world.runtime.living(bubble)); waited += 100)
    await world.clock.sleep(100);
  await world.processes.end(driverMarker(world, bubble));
  try {
    await world.seats.close(bubble);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  // A driver that was ended may have been about to start something.
  await world.processes.end(workMarker(world, bubble, "*"));
  await world.runtime.forget(bubble);
}

/** Removes a finished bubble's workspace and archives its record; refuses while work would be lost. */
export async function remove(
  desk: Desk,
  options: { dropBranch: boolean; discard: boolean },
): Promise<{ refusal?: Refusal; archived?: string; branch?: string }> {
  const { state, trouble } = await loadGood(desk.world, desk.bubble, true);
  if (!state) throw unknownBubble(desk.bubble);
  // A damaged bubble cannot be stopped any more; what it has made is looked for all the same.
  const isOver = isFinal(state.lifecycle) || state.lifecycle === "CREATED" || trouble?.kind === "damaged";
  if (!isOver) {
    return {
      refusal: refuse(
        "delete.not-ended",
        `${desk.bubble} is ${state.lifecycle}`,
        `pairflow bubble stop --id ${desk.bubble}`,
      ),
    };
  }
  const place = placeOf(desk.world, state);
  // Asked also when the worktree was deleted by hand: the pins may hold all that is left of the work.
  const lost = await desk.world.workspace.unreachable(place, { dropBranch: options.dropBranch });
  if (lost.length > 0 && !options.discard) {
    return {
      refusal: refuse(
        "delete.unsaved-work",
        "work would be lost that exists nowhere else",
        `keep it as said above, or throw it away: pairflow bubble delete --id ${desk.bubble} --discard`,
        lost,
      ),
    };
  }
  await endEverything(desk);
  await desk.world.workspace.remove(place, { dropBranch: options.dropBranch, force: true });
  const branch = (await askGit(place.repo, "branch", "--list", place.branch)) ? { branch: place.branch } : {};
  // What its processes printed, and what agents had to hand in, is no part of the record and may hold anything.
  rmSync(dirname(desk.world.paths.output(desk.bubble, "any")), { recursive: true, force: true });
  rmSync(dirname(desk.world.paths.out(place.path, "any")), { recursive: true, force: true });
  return { archived: await desk.world.records.archive(desk.bubble), ...branch };
}
