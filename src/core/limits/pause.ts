// A pause: a flag on a bubble, no state of its own. While it lasts nothing new is begun, and every clock shows the moment
// at which it began.
import type { Lifecycle, State } from "../model/state.ts";
import { formatTime, parseTime } from "../model/value/time.ts";

/** States in which something could begin by itself. */
export const pausable: readonly Lifecycle[] = [
  "PREPARING_WORKSPACE",
  "RUNNING",
  "WAITING_HUMAN",
  "READY_FOR_APPROVAL",
];

/** Now, by the clock of the bubble: it is stopped during a pause. */
export function getBubbleTime({ pause }: Pick<State, "pause">, at: string): string {
  return pause && pause.at < at ? pause.at : at;
}

/** A moment moved by the part of the pause that came after it began to be waited for. */
export function shiftByPause(moment: number, pauseAt: string, since: number, ts: string): string {
  return formatTime(moment + Math.max(0, parseTime(ts) - Math.max(parseTime(pauseAt), since)));
}

export const resumeCommand = (bubble: string): string => `pairflow bubble resume --id ${bubble}`;
