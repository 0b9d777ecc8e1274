// A pause as people see it: who, since when, why, and how it ends.

import { resumeCommand } from "../../limits/pause.ts";
import type { State } from "../../model/state.ts";
import { clip } from "../../model/value/sizes.ts";

export interface PauseView {
  readonly since: string;
  readonly by: string | null;
  readonly why: string;
  /** What was under way was ended. */
  readonly now: boolean;
  /** The bubble above that is paused, and this one with it. */
  readonly parent: string | null;
  readonly says: string;
  readonly command: string;
}

/** Null when it is not paused. */
export function buildPauseView(state: State): PauseView | null {
  const { pause, bubbleId } = state;
  if (!pause) return null;
  return {
    since: pause.at,
    by: pause.by ?? null,
    why: pause.message,
    now: pause.now,
    parent: pause.parent ?? null,
    says: describePause(state),
    command: resumeCommand(pause.parent ?? bubbleId),
  };
}

/** Behind a decision that is kept; empty when it is not paused. */
export function describeKeptDecision(state: State | undefined): string {
  const paused = state && buildPauseView(state);
  return paused ? `; ${paused.says}. This is acted on after: ${paused.command}` : "";
}

/** `paused by anna: lunch`; of a child `paused with totals: lunch`. Empty when it is not paused. */
export function describePause({ pause }: Pick<State, "pause">): string {
  if (!pause) return "";
  const who = pause.parent ? ` with ${pause.parent}` : pause.by ? ` by ${pause.by}` : "";
  const why = pause.message ? `: ${clip(pause.message, 120)}` : "";
  return `paused${who}${why}`;
}
