// Waiting for a moment that the record names: a wait is over, or a step or the run has had its time.
import type { EffectOf } from "../../core/bubble/due.ts";
import type { State } from "../../core/model/state.ts";
import { millis } from "../../core/model/time.ts";
import { handle } from "../handle.ts";
import type { World } from "../world.ts";

/** A machine that was asleep, or whose clock was set, is noticed after this long. */
const sliceMs = 60_000;

export async function keepTime(
  world: World,
  state: State,
  { what, at, entered }: EffectOf<"clock">,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  const left = () => at - millis(world.clock.now());
  while (left() > 0) {
    await world.clock.sleep(Math.min(left(), sliceMs), signal);
    if (signal.aborted) return;
  }
  const actor = { kind: "driver", id: driver } as const;
  await handle(world, state.bubbleId, { type: "time-up", actor, what, entered });
}
