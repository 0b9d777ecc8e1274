// A human pauses a bubble, and lets it continue.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { pausable, resumeCommand } from "../../../limits/pause.ts";
import type { CommandOf } from "../../../model/command.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { endTurn } from "../driver/turn-end.ts";
import { expectState } from "../expected.ts";
import { getViaAndDoor } from "./door.ts";

/** Nothing new is begun from now on; with `now` the running attempt ends, and continues in its session afterwards. */
export function decidePause(
  batch: DecisionBatch,
  command: CommandOf<"pause">,
): Refusal | { readonly repeats: number } | undefined {
  const { state } = batch;
  const wrong = expectState(state, pausable, "pause");
  if (wrong) return wrong;
  if (state.pause && isSamePause(state.pause, command)) return { repeats: state.pause.seq };
  const { message, now, parent } = command;
  batch.write("PAUSED", {
    message: clip(message, 2000),
    now,
    ...(parent ? { parent } : {}),
    ...getViaAndDoor(command),
  });
  const { turn } = batch.state;
  if (now && turn?.status === "running") endTurn(batch, turn, interrupted);
}

const interrupted = {
  outcome: "interrupted",
  detail: "a human paused the bubble; that is not counted as a failure of the agent",
} as const;

/** The same pause again, unless it now ends what is under way or becomes a pause of its own. */
function isSamePause(known: NonNullable<State["pause"]>, { now, parent }: CommandOf<"pause">): boolean {
  const becomesOwn = known.parent !== undefined && parent === undefined;
  return (known.now || !now) && !becomesOwn;
}

/** A child begins nothing while a bubble above it is paused. */
export function checkPausedAbove(
  { bubbleId, pause }: State,
  { pausedAbove: above, parent }: CommandOf<"resume">,
): Refusal | undefined {
  if (!pause || !above || parent) return undefined;
  return refuse(
    "resume.paused-above",
    `${bubbleId} works for ${above}, which is paused`,
    resumeCommand(above),
  );
}

export function endPause(batch: DecisionBatch, command: CommandOf<"resume">): void {
  const { message, parent } = command;
  batch.write("PAUSE_ENDED", { message, ...(parent ? { parent } : {}), ...getViaAndDoor(command) });
}
