// Whether a turn is about to get its process: whoever moves a bubble must not take its absence for an agent that has ended.
import { expect, it } from "vitest";
import { evolve } from "../../../src/core/bubble/evolve.ts";
import type { State } from "../../../src/core/model/state.ts";
import { isBeingStarted } from "../../../src/core/state/turn-start.ts";
import { pair } from "../pair.ts";

it("is so from the line that starts it to the line that names its process, in each attempt anew", () => {
  const scene = pair().started().turnStarts().turnEnds("crashed").turnStarts();
  let state: State | undefined;
  const told: string[] = [];
  for (const envelope of scene.log) {
    state = evolve(state, envelope);
    if (/^TURN_/.test(envelope.type) && state.turn)
      told.push(`${envelope.type} ${isBeingStarted(state.turn)}`);
  }
  expect(told).toEqual([
    "TURN_STARTED true",
    "TURN_SPAWNED false",
    "TURN_ENDED false",
    "TURN_STARTED true",
    "TURN_SPAWNED false",
  ]);
});
