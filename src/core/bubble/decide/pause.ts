// A human pauses a bubble, and lets it continue.

import type { Batch } from "../../interpreter/batch.ts";
import { pausable, resumeCommand } from "../../limits/pause.ts";
import type { CommandOf } from "../../model/command.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { clip } from "../../model/sizes.ts";
import type { State } from "../../model/state.ts";
import { throughDoor } from "./door.ts";
import { expectState } from "./expected.ts";
import { endTurn } from "./turn-end.ts";

/** Nothing new is begun from now on; with `now` the running attempt ends, and continues in its session afterwards. */
export function pause(
  batch: Batch,
  command: CommandOf<"pause">,
): Refusal | { readonly repeats: number } | undefined {
  const { state } = batch;
  const wrong = expectState(state, pausable, "pause");
  if (wrong) return wrong;
  if (state.pause && addsNothing(state.pause, command)) return { repeats: state.pause.seq };
  const { message, now, parent } = command;
  batch.write(
    "PAUSED",
    { message: clip(message, 2000), now, ...(parent ? { parent } : {}), ...throughDoor(command) },
    { from: "human" },
  );
  const { turn } = batch.state;
  if (now && turn?.status === "running") endTurn(batch, turn, interrupted);
  return undefined;
}

const interrupted = {
  outcome: "interrupted",
  detail: "a human paused the bubble; that is not counted as a failure of the agent",
} as const;

/** The same pause again, unless it now ends what is under way or becomes a pause of its own. */
function addsNothing(known: NonNullable<State["pause"]>, { now, parent }: CommandOf<"pause">): boolean {
  const becomesOwn = known.parent !== undefined && parent === undefined;
  return (known.now || !now) && !becomesOwn;
}

/** A child begins nothing while a bubble above it is paused. */
export function pausedAbove(
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

export function endPause(batch: Batch, command: CommandOf<"resume">): void {
  const { message, parent } = command;
  batch.write(
    "PAUSE_ENDED",
    { message, ...(parent ? { parent } : {}), ...throughDoor(command) },
    { from: "human" },
  );
}
