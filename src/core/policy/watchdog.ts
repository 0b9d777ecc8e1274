// When a silent agent becomes a human's business: no sign of life for the configured time, or no verb for the
// turn's whole limit. Time comes in as a value.
import type { State } from "../model/state.ts";
import { millis } from "../model/time.ts";

const minute = 60_000;

export interface Deadline {
  readonly at: number;
  readonly reason: "silent" | "turn-timeout";
}

/** The moment the watchdog fires if nothing more is seen; undefined when no turn is running. */
export function deadline(state: State, lastSignAt: string | undefined): Deadline | undefined {
  const turn = state.turn;
  if (state.lifecycle !== "RUNNING" || turn?.status !== "running" || !turn.startedAt) return undefined;
  const begun = Math.max(millis(turn.startedAt), millis(state.activeSince));
  const sign = Math.max(begun, lastSignAt ? millis(lastSignAt) : 0, millis(state.lastCommandAt));
  const silent = sign + state.config.watchdog_timeout_minutes * minute;
  const whole = begun + state.config.turn_timeout_minutes * minute;
  return silent <= whole ? { at: silent, reason: "silent" } : { at: whole, reason: "turn-timeout" };
}
