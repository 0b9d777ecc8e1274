// What agents can cause without getting anywhere is written down up to a bound: a log is read by people, and kept.
import type { State } from "../model/state.ts";

/** How many refused claims are written down while one turn lasts, whoever made them; later ones are refused all the same. */
export const maxWarnings = 20;
/** How many lines the hooks of one turn's CLI may cause: new sessions, and dialogs that open. */
export const maxHookLines = 40;

/** Warnings since the current turn began. */
export function warningsNow({ warnings, turnCount }: Pick<State, "warnings" | "turnCount">): number {
  return warnings.now?.turns === turnCount ? warnings.now.count : 0;
}
