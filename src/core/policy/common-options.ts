// Options that several questions of the referee share: accept the last tree, end the bubble, give the turn to another agent.
import { clip } from "../model/sizes.ts";
import type { Question, State } from "../model/state.ts";
import { fallbackFor } from "./agents.ts";
import { redGates } from "./convergence.ts";

type Option = NonNullable<Question["options"]>[number];

export const rejectOption: Option = {
  key: "reject",
  does: "ends the bubble as CANCELLED; the branch is kept",
};

/** Offered only where it will be taken: without a handed-over tree there is nothing to accept. Names each gate it has to waive. */
export function acceptOption(state: State, does: string): Option[] {
  if (!state.tree) return [];
  const red = redGates(state).map((name) => ` --waive-gate ${name}`);
  return [{ key: "accept", does: clip(red.length > 0 ? `${does}; needs${red.join("")}` : does, 300) }];
}

/** Where a limit other than that of rounds is reached. A paper is nothing to commit. */
export const acceptLastTree = (state: State): Option[] =>
  state.tree?.paper
    ? []
    : acceptOption(state, "waives the open findings with your reason and asks for approval of the last tree");

export const handOverKey = "hand-over";

/** The configured fallback of the agent may take the turn, also after ends for which it does not take over by itself. */
export function handOverOption(state: State): Option[] {
  const other = state.turn && fallbackFor(state, state.turn);
  return other === undefined
    ? []
    : [
        {
          key: handOverKey,
          does: `${other} takes this turn in a new session; your message is in its prompt`,
        },
      ];
}
