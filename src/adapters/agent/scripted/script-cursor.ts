// The place of an agent in its script. Each turn takes the next entry; a further attempt at the same turn takes the
// same entry again, from behind the last question it has asked. Pure: where the place is kept is the runner's affair.
import * as v from "valibot";
import type { Script } from "./script.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What is remembered of each turn this agent had, in the order in which they came. */
export const ScriptPositions = v.record(
  v.string(),
  v.strictObject({
    entry: count,
    /** The step to begin with in the next attempt. */
    from: count,
    attempts: count,
  }),
);
export type ScriptPositions = v.InferOutput<typeof ScriptPositions>;

export interface ScriptPosition {
  readonly entry: number;
  readonly from: number;
  readonly isFirstAttempt: boolean;
}

/** The place for a turn and what to remember of it, or undefined when the script has no entry left. */
export function takePlace(
  script: Script,
  places: ScriptPositions,
  turn: string,
): { place: ScriptPosition; places: ScriptPositions } | undefined {
  const known = places[turn];
  const entry = known?.entry ?? findNextEntry(script, Object.keys(places).length);
  if (entry === undefined) return undefined;
  const from = known?.from ?? 0;
  const attempts = (known?.attempts ?? 0) + 1;
  return {
    place: { entry, from, isFirstAttempt: attempts === 1 },
    places: { ...places, [turn]: { entry, from, attempts } },
  };
}

/** Remembers that the next attempt begins at step `from`. */
export function movePlace(places: ScriptPositions, turn: string, from: number): ScriptPositions {
  const known = places[turn];
  return known ? { ...places, [turn]: { ...known, from } } : places;
}

function findNextEntry({ turns, then }: Script, taken: number): number | undefined {
  if (taken < turns.length) return taken;
  return then === "repeat-last" ? turns.length - 1 : undefined;
}
