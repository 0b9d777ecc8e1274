// Turns that end again and again, until a human is asked.

import { chooseSession } from "../../src/core/judge/sessions.ts";
import type { StepOf } from "../../src/core/model/program.ts";
import type { TurnOutcome } from "../../src/core/model/turn-end.ts";
import { getCurrentStep } from "../../src/core/state/workflow-position.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { pair } from "./pair.ts";

/** Alice has begun her first turn. */
export const atWork = (config = {}) => pair({ config }).started().atWork();
export const isAsked = (scene: Scenario) => scene.state.lifecycle === "WAITING_HUMAN";
/** The session the next attempt continues in, if any. */
export const resumes = (scene: Scenario) =>
  chooseSession(scene.state, scene.turn, getCurrentStep(scene.state) as StepOf<"turn">).resume;

/** Ends like this again and again until a human is asked; the scene after each end. */
export function untilAsked(scene: Scenario, outcome: TurnOutcome, more: { until?: string } = {}): Scenario[] {
  const ends = [scene.turnEnds(outcome, more)];
  for (let last = ends[0]!; !isAsked(last) && ends.length < 50; ends.push(last))
    last = last.turnStarts().turnEnds(outcome, more);
  return ends;
}
