// Moments the workflow names: the end of a wait, of a step's time, of the run's time. They are computed from the record
// alone, so that they survive restarts; time in which a human is asked, or the bubble is paused, does not count.

import { buildFacts } from "../judge/facts.ts";
import type { State } from "../model/state.ts";
import { parseTime } from "../model/value/time.ts";
import { getCurrentStep } from "../state/workflow-position.ts";
import { fillValue } from "../workflow/template.ts";

const longestWaitS = 31_536_000;

/** When the current wait is over. A length that is no number is no wait. */
export function getWaitDeadline(state: State): number | undefined {
  const step = getCurrentStep(state);
  if (step?.kind !== "wait") return undefined;
  const given = Number(
    typeof step.seconds === "string" && step.seconds.includes("${")
      ? fillValue(step.seconds, buildFacts(state)).value
      : step.seconds,
  );
  const seconds = Number.isFinite(given) ? Math.min(Math.max(given, 0), longestWaitS) : 0;
  return getStepStart(state) + seconds * 1000 + (state.position.waitedMs ?? 0);
}

/** When the current step has had its time. A turn whose verb is accepted has kept it. */
export function getStepDeadline(state: State): number | undefined {
  if (state.turn?.status === "claimed") return undefined;
  const seconds = getCurrentStep(state)?.timeout_s;
  return seconds === undefined
    ? undefined
    : getStepStart(state) + seconds * 1000 + (state.position.waitedMs ?? 0);
}

/** When the run has had its time. */
export function getRunDeadline({ program, run }: State): number | undefined {
  return program.timeout_s === undefined || !run
    ? undefined
    : parseTime(run.at) + program.timeout_s * 1000 + run.waitedMs;
}

const getStepStart = ({ position, lastAt }: State) => parseTime(position.at ?? lastAt);
