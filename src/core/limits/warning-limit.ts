// The limit of warnings on the record: an agent that repeats a refused command must not fill a log that people read.
import type { State } from "../model/state.ts";

/** How many refused claims are written down while one turn lasts, by any agent; later ones are refused all the same. */
export const maxWarnings = 20;
/** How many lines the hooks of one turn's CLI may cause: new sessions, and dialogs that open. */
export const maxHookLines = 40;

/** Warnings since the current turn began. */
export function countWarningsOfTurn({ warnings, turnCount }: Pick<State, "warnings" | "turnCount">): number {
  return warnings.now?.turns === turnCount ? warnings.now.count : 0;
}
