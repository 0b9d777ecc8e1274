// When a silent agent becomes a human's business: no sign of life for the configured time, or no verb for the
// turn's whole limit. Time comes in as a value.
import type { Ages } from "../model/command.ts";
import type { State } from "../model/state.ts";
import { parseTime } from "../model/value/time.ts";

const minute = 60_000;

type Reason = "silent" | "turn-timeout";

export interface Deadline {
  readonly at: number;
  readonly reason: Reason;
}

/** When the running turn was begun, or continued after a human's answer; undefined when no turn is running. */
export function getTurnStart({ turn, lifecycle, activeSince }: State): number | undefined {
  if (lifecycle !== "RUNNING" || turn?.status !== "running" || !turn.startedAt) return undefined;
  return Math.max(parseTime(turn.startedAt), parseTime(activeSince));
}

/** The moment the watchdog fires if nothing more is seen; undefined when no turn is running, or during a pause. */
export function findDeadline(state: State, lastSignAt: string | undefined): Deadline | undefined {
  const begun = getTurnStart(state);
  if (begun === undefined || state.pause) return undefined;
  const sign = Math.max(begun, lastSignAt ? parseTime(lastSignAt) : 0, parseTime(state.lastCommandAt));
  const silent = sign + state.config.watchdog_timeout_minutes * minute;
  const whole = begun + state.config.turn_timeout_minutes * minute;
  return silent <= whole ? { at: silent, reason: "silent" } : { at: whole, reason: "turn-timeout" };
}

/** A running turn that is silent for this long is reported: its model may be slow, limited or out of reach. */
export const quietMs = 30_000;

/** How long the running turn has been silent, where that is long enough to be reported. */
export function measureSilence(
  state: State,
  { now, lastSignAt }: { readonly now: string; readonly lastSignAt?: string | undefined },
): number | undefined {
  const begun = getTurnStart(state);
  if (begun === undefined || state.pause) return undefined;
  const sign = Math.max(begun, lastSignAt ? parseTime(lastSignAt) : 0, parseTime(state.lastCommandAt));
  const silent = parseTime(now) - sign;
  return silent < quietMs ? undefined : silent;
}

/** How long until the watchdog fires, by measured times or, where nobody has measured, by the record's. */
export function measureWatchdogLeft(
  state: State,
  { now, lastSignAt, ages }: { readonly now: string; readonly lastSignAt?: string; readonly ages?: Ages },
): { readonly leftMs: number; readonly reason: Reason } | undefined {
  const due = findDeadline(state, lastSignAt);
  if (!due) return undefined;
  const silentMs = state.config.watchdog_timeout_minutes * minute;
  const wholeMs = state.config.turn_timeout_minutes * minute;
  // A sign that lies in the future was made by a clock that was ahead: it is as good as one of now.
  if (!ages) return { leftMs: Math.min(due.at - parseTime(now), silentMs, wholeMs), reason: due.reason };
  const [silent, whole] = [silentMs - ages.signMs, wholeMs - ages.turnMs];
  return silent <= whole ? { leftMs: silent, reason: "silent" } : { leftMs: whole, reason: "turn-timeout" };
}
