// Waiting for a moment that the record names: a wait is over, or a step or the run has had its time.
import type { EffectOf } from "../../core/bubble/due.ts";
import type { State } from "../../core/model/state.ts";
import { millis } from "../../core/model/time.ts";
import { handle } from "../handle/handle.ts";
import { recordNow, sleepFor } from "../world/stopwatch.ts";
import type { World } from "../world/world.ts";

export async function keepTime(
  world: World,
  state: State,
  { what, at, entered }: EffectOf<"clock">,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  await sleepFor(world, at - millis(recordNow(world, state)), signal);
  if (signal.aborted) return;
  const actor = { kind: "driver", id: driver } as const;
  await handle(world, state.bubbleId, { type: "time-up", actor, what, entered, measured: true });
}
