// Whose word counts among drivers. The driver of a bubble is the one that the record named last: another one may live on,
// paused or cut off, and what it reports then is about work that somebody else does by now.
import type { Command } from "../model/command.ts";
import { type Refusal, refuse } from "../model/refusal.ts";
import type { State } from "../model/state.ts";

/** Taking the place, and what comes from the drivers of other bubbles. */
const fromAnybody: readonly Command["type"][] = ["claim-driver", "child-reported", "check-budget"];

/** Who makes the first workspace in the place of a driver. */
export const starter = "operator";
const ofStarter: readonly Command["type"][] = ["workspace-ready", "workspace-failed"];

/** Why this driver's word does not count any more, or undefined. */
export function checkDriver({ driver, bubbleId }: State, { type, actor }: Command): Refusal | undefined {
  if (actor.kind !== "driver" || driver === undefined || actor.id === driver.id) return undefined;
  if (fromAnybody.includes(type) || (actor.id === starter && ofStarter.includes(type))) return undefined;
  return refuse(
    "driver.replaced",
    `${type} does not count: ${bubbleId} is driven by process ${driver.pid} on ${driver.host} since ${driver.at}`,
    `pairflow bubble status --id ${bubbleId}`,
  );
}
