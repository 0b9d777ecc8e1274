// Which two trees a person means who asks what a bubble changed: all of it, or what one round added.
import type { State } from "../../model/state.ts";
import type { RoundView } from "../page/rounds.ts";

export interface ComparedTrees {
  readonly from: string;
  readonly to: string;
}

/** From the base to the newest tree; undefined while nothing was handed over. */
export const getWholeChange = ({ baseCommit, tree }: State): ComparedTrees | undefined =>
  tree && { from: baseCommit, to: tree.id };

/** From the last tree before a round to the last one in it; undefined when nothing was handed over there. */
export function findRoundChange(
  { baseCommit }: Pick<State, "baseCommit">,
  rounds: readonly RoundView[],
  wanted: number,
): ComparedTrees | undefined {
  const made = rounds.flatMap(({ round, turns }) =>
    turns.filter(({ does }) => does === "made").map(({ tree }) => ({ round, tree })),
  );
  const to = made.findLast(({ round }) => round === wanted)?.tree;
  const from = made.findLast(({ round }) => round < wanted)?.tree ?? baseCommit;
  return to === undefined ? undefined : { from, to };
}
