// Ending a bubble, and removing one that has ended.
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { isAtWork } from "../../core/interpreter/children.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { type CommandReply, loadGood } from "../../engine/front/command.ts";
import { writePipelineViews, writeReviewViews } from "../../engine/front/views.ts";
import { buildDriverMarker, buildWorkMarker, getWorkspacePlace } from "../../engine/front/world.ts";
import { ignoreFailure } from "../../ports/failure.ts";
import { askGit } from "../host/git-questions.ts";
import { readWhole } from "../record/whole.ts";
import { loadCallState, type OperatorCall, refuseUnknownBubble, submit } from "../trust/operator-call.ts";

/** Ends a bubble for good: its turns, its gates, its driver, its panes. The record stays, and the refs with what was handed over. */
export async function stopBubble(call: OperatorCall, reason: string): Promise<CommandReply> {
  const state = await loadState(call, () => endEverything(call));
  const isStopped = state.lifecycle === "CANCELLED";
  const handled = isStopped ? { state, envelopes: [] } : await submit(call, { type: "stop", reason });
  // A stop that was cut off behind its word is finished by the next one.
  if (!handled.refusal || isFinal(state.lifecycle)) {
    await endEverything(call);
    await settleEnd(call, state);
  }
  return handled;
}

/** Nothing can be put on a damaged record, but what still runs for it is ended before that is said. */
async function loadState(call: OperatorCall, end: () => Promise<void>): Promise<State> {
  const { trouble } = await readWhole(call.world, call.world.repo, call.bubble);
  if (trouble) await end();
  return loadCallState(call, true);
}

/** What a bubble that has ended owes, whether a driver lives or not: no process, its last views, word to its family. */
export async function settleEnd(call: OperatorCall, state: State): Promise<void> {
  const { world, bubble } = call;
  await world.processes.end(buildWorkMarker(world, bubble, "*"));
  await writeReviewViews(world, bubble, world.chance.id());
  await writePipelineViews(world, await loadCallState(call), world.chance.id());
  await tellFamily(call, state);
}

/** Nobody works on for a bubble that has ended, and nobody waits for it. */
async function tellFamily(call: OperatorCall, { parent }: State): Promise<void> {
  const { world, bubble } = call;
  const stopped = new Set<string>();
  // A child that was routed says who has taken its place: that one is stopped then.
  for (let next = await findBubbleAtWork(call, stopped); next; next = await findBubbleAtWork(call, stopped)) {
    stopped.add(next);
    await world.siblings.stop(next, `${bubble} was stopped`);
  }
  if (parent) await world.siblings.keepGoing(bubble);
}

async function findBubbleAtWork(
  call: OperatorCall,
  stopped: ReadonlySet<string>,
): Promise<string | undefined> {
  const { children } = await loadCallState(call);
  return children?.each.filter(isAtWork).find(({ bubble = "" }) => !stopped.has(bubble))?.bubble;
}

async function endEverything({ world, bubble }: OperatorCall): Promise<void> {
  await world.processes.end(buildWorkMarker(world, bubble, "*"));
  for (let waited = 0; waited < 2000 && (await world.runtime.living(bubble)); waited += 100)
    await world.clock.sleep(100);
  await world.processes.end(buildDriverMarker(world, bubble));
  await ignoreFailure(() => world.seats.close(bubble));
  // A driver that was ended may have been about to start something.
  await world.processes.end(buildWorkMarker(world, bubble, "*"));
  await world.runtime.forget(bubble);
}

/** Removes a finished bubble's workspace and archives its record; refuses while work would be lost. */
export async function deleteBubble(
  call: OperatorCall,
  options: { dropBranch: boolean; discard: boolean },
): Promise<{ refusal?: Refusal; archived?: string; branch?: string }> {
  const { state, trouble } = await loadGood(call.world, call.bubble, true);
  if (!state) throw refuseUnknownBubble(call.bubble);
  // A damaged bubble cannot be stopped any more; what it has made is looked for all the same.
  const isOver = isFinal(state.lifecycle) || state.lifecycle === "CREATED" || trouble?.kind === "damaged";
  if (!isOver)
    return {
      refusal: refuse(
        "delete.not-ended",
        `${call.bubble} is ${state.lifecycle}`,
        `pairflow bubble stop --id ${call.bubble}`,
      ),
    };
  const place = getWorkspacePlace(call.world, state);
  // Asked also when the worktree was deleted by hand: the pins may hold all that is left of the work.
  const lost = await call.world.workspace.unreachable(place, { dropBranch: options.dropBranch });
  if (lost.length > 0 && !options.discard)
    return {
      refusal: refuse(
        "delete.unsaved-work",
        "work would be lost that exists nowhere else",
        `keep it as said above, or throw it away: pairflow bubble delete --id ${call.bubble} --discard`,
        lost,
      ),
    };
  await endEverything(call);
  await call.world.workspace.remove(place, { dropBranch: options.dropBranch, force: true });
  const branch = (await askGit(place.repo, "branch", "--list", place.branch)) ? { branch: place.branch } : {};
  // What its processes printed, and what agents had to hand in, is no part of the record and may hold anything.
  rmSync(dirname(call.world.paths.output(call.bubble, "any")), { recursive: true, force: true });
  rmSync(dirname(call.world.paths.out(place.path, "any")), { recursive: true, force: true });
  return { archived: await call.world.records.archive(call.bubble), ...branch };
}
