// The driver's place at a bubble: what a driver says of itself when it takes it, and what is done there without a driver.
import { listDueEffects, mayFinish } from "../../core/bubble/due.ts";
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import type { Beat } from "../../ports/record/records.ts";
import { load } from "../handle/command.ts";
import { buildWorkMarker, type World } from "../world/world.ts";
import { performEffect } from "./perform.ts";

/** What a driver says of itself when it takes its place. */
export function buildFirstBeat(world: World, bubble: string, driver: string): Beat {
  const at = world.clock.now();
  const session = world.seats.sessionName?.(bubble);
  return {
    ...{ driver, pid: world.pid, host: world.host, startedAt: at, at, seat: world.seats.kind },
    ...(session === undefined ? {} : { session }),
  };
}

export async function loadKnown(world: World, bubble: string): Promise<State> {
  const { state } = await load(world, bubble);
  if (!state)
    throw new Failure("bubble.unknown", `there is no bubble ${bubble}`, { hint: "pairflow bubble list" });
  return state;
}

/**
 * Makes the workspace before there is a driver, so that whoever starts the bubble sees what goes wrong. Two starts at once would
 * disturb each other in git: the one that does not get the driver's place is told who has it.
 */
export async function prepareFirst(world: World, bubble: string): Promise<{ readonly holder?: Beat }> {
  const driver = world.chance.id();
  const claim = await world.runtime.claim(bubble, buildFirstBeat(world, bubble, driver));
  if (!claim.ok) return { holder: claim.holder };
  try {
    const state = await loadKnown(world, bubble);
    const owed = [...listDueEffects(state), ...mayFinish(state)].find(({ kind }) => kind === "prepare");
    if (!owed) return {};
    // A start that was killed leaves its setup command running.
    await world.processes.end(buildWorkMarker(world, bubble, "setup*"));
    const { signal } = new AbortController();
    await performEffect({ world, state, driver: "operator", signal }, owed);
    return {};
  } finally {
    await world.runtime.release(bubble, driver);
  }
}
