// When a silent agent becomes a human's business: no sign of life for the configured time, or no verb for the
// turn's whole limit. Time comes in as a value.
import type { Ages } from "../model/command.ts";
import type { State } from "../model/state.ts";
import { millis } from "../model/time.ts";

const minute = 60_000;

type Reason = "silent" | "turn-timeout";

export interface Deadline {
  readonly at: number;
  readonly reason: Reason;
}

/** When the running turn was begun, or continued after a human's answer; undefined when no turn is running. */
export function begunAt({ turn, lifecycle, activeSince }: State): number | undefined {
  if (lifecycle !== "RUNNING" || turn?.status !== "running" || !turn.startedAt) return undefined;
  return Math.max(millis(turn.startedAt), millis(activeSince));
}

/** The moment the watchdog fires if nothing more is seen; undefined when no turn is running, or during a pause. */
export function deadline(state: State, lastSignAt: string | undefined): Deadline | undefined {
  const begun = begunAt(state);
  if (begun === undefined || state.pause) return undefined;
  const sign = Math.max(begun, lastSignAt ? millis(lastSignAt) : 0, millis(state.lastCommandAt));
  const silent = sign + state.config.watchdog_timeout_minutes * minute;
  const whole = begun + state.config.turn_timeout_minutes * minute;
  return silent <= whole ? { at: silent, reason: "silent" } : { at: whole, reason: "turn-timeout" };
}

/** Nothing heard of a running turn for this long is worth a word: its model may be slow, limited or out of reach. */
export const quietMs = 30_000;

/** How long nothing was heard of the running turn, where that is worth a word. */
export function silentFor(
  state: State,
  { now, lastSignAt }: { readonly now: string; readonly lastSignAt?: string | undefined },
): number | undefined {
  const begun = begunAt(state);
  if (begun === undefined || state.pause) return undefined;
  const sign = Math.max(begun, lastSignAt ? millis(lastSignAt) : 0, millis(state.lastCommandAt));
  const silent = millis(now) - sign;
  return silent < quietMs ? undefined : silent;
}

/** How long until the watchdog fires, by measured times or, where nobody has measured, by the record's. */
export function watchdogLeft(
  state: State,
  { now, lastSignAt, ages }: { readonly now: string; readonly lastSignAt?: string; readonly ages?: Ages },
): { readonly leftMs: number; readonly reason: Reason } | undefined {
  const due = deadline(state, lastSignAt);
  if (!due) return undefined;
  const silentMs = state.config.watchdog_timeout_minutes * minute;
  const wholeMs = state.config.turn_timeout_minutes * minute;
  // A sign that lies in the future was made by a clock that was ahead: it is as good as one of now.
  if (!ages) return { leftMs: Math.min(due.at - millis(now), silentMs, wholeMs), reason: due.reason };
  const [silent, whole] = [silentMs - ages.signMs, wholeMs - ages.turnMs];
  return silent <= whole ? { leftMs: silent, reason: "silent" } : { leftMs: whole, reason: "turn-timeout" };
}
