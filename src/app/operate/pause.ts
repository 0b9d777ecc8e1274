// Pausing a bubble and those that work for it, and letting them continue.

import { isAtWork } from "../../core/interpreter/children.ts";
import type { State } from "../../core/model/state.ts";
import { type CommandReply, load } from "../../engine/front/command.ts";
import { buildTurnMarker, buildWorkMarker } from "../../engine/front/world.ts";
import { loadCallState, type OperatorCall, submit } from "../trust/operator-call.ts";
import { ensureDriver } from "./driver.ts";

interface Pausing {
  readonly message: string;
  /** What is under way is ended. */
  readonly now: boolean;
  /** The bubble above that is paused. */
  readonly parent?: string;
}

/** Done twice it is done once; what was cut off behind its word is finished by the next one. */
export async function pauseBubble(call: OperatorCall, how: Pausing): Promise<CommandReply> {
  const { world, bubble } = call;
  const before = await loadCallState(call, true);
  const handled = await submit(call, { type: "pause", ...how });
  if (handled.refusal) return handled;
  if (how.now) await endAttempt(call, before);
  for (const child of await listChildrenAtWork(call))
    await world.siblings.pause(child, { parent: bubble, message: how.message, now: how.now });
  return handled;
}

/** Its driver, if one lives, would do the same a moment later. */
async function endAttempt({ world, bubble }: OperatorCall, { turn, pause: known }: State): Promise<void> {
  if (turn?.status !== "claimed" && turn && (turn.status === "running" || known?.now))
    await world.seats.end(buildTurnMarker(world, bubble, turn));
  if (!(await world.runtime.living(bubble)))
    await world.processes.end(buildWorkMarker(world, bubble, "gate-*"));
}

/** The pause that came with the bubble above ends here too, and somebody acts on it. */
export async function endPauseBelow(call: OperatorCall, parent: string): Promise<void> {
  const handled = await submit(call, { type: "resume", message: "", parent });
  if (handled.refusal || handled.repeats !== undefined) return;
  await ensureDriver(call);
  await resumeBelow(call, handled);
}

/** Those that were paused with this one continue with it. */
export async function resumeBelow(call: OperatorCall, handled: CommandReply): Promise<CommandReply> {
  if (handled.refusal || (await loadCallState(call)).pause) return handled;
  for (const child of await listChildrenAtWork(call)) await call.world.siblings.resume(child, call.bubble);
  return handled;
}

async function listChildrenAtWork(call: OperatorCall): Promise<string[]> {
  const { children } = await loadCallState(call);
  return (children?.each ?? []).filter(isAtWork).flatMap(({ bubble }) => bubble ?? []);
}

/** The nearest bubble above that is paused. */
export async function findPausedAbove(
  { world }: OperatorCall,
  { parent }: State,
): Promise<string | undefined> {
  for (let above = parent; above; ) {
    if (!(await world.records.exists(above.bubble))) return undefined;
    const { state } = await load(world, above.bubble);
    if (state?.pause) return state.bubbleId;
    above = state?.parent;
  }
  return undefined;
}
