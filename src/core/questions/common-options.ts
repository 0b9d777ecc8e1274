// Options that several questions of the referee share: accept the last tree, end the bubble, give the turn to another agent.
import { listRedGates } from "../judge/convergence.ts";
import type { Question } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { findFallbackAgent } from "../state/agents.ts";
import { describeKeptWork } from "../state/code-tree.ts";

type Option = NonNullable<Question["options"]>[number];

/** Names the ref that has the work: nothing is on the branch before an approval is committed. */
export const rejectOption = (state: State): Option => ({
  key: "reject",
  does: clip(`ends the bubble as CANCELLED; ${describeKeptWork(state)}`, 300),
});

/** The same for one whose work is done by children: each has refs of its own. */
export const rejectChildrenOption: Option = {
  key: "reject",
  does: "ends the bubble and its children as CANCELLED; what each child handed over is kept in refs/pairflow/<its id>/latest",
};

/** Offered only where it will be taken: without a handed-over tree there is nothing to accept. Names each gate it has to waive. */
export function acceptOption(state: State, does: string): Option[] {
  if (!state.tree) return [];
  const red = listRedGates(state).map((name) => ` --waive-gate ${name}`);
  return [{ key: "accept", does: clip(red.length > 0 ? `${does}; needs${red.join("")}` : does, 300) }];
}

/** Where a limit other than that of rounds is reached. A paper is nothing to commit. */
export const acceptLastTree = (state: State): Option[] =>
  state.tree?.paper
    ? []
    : acceptOption(state, "waives the open findings with your reason and asks for approval of the last tree");

export const handOverKey = "hand-over";

/** What may follow when an agent cannot go on by itself: it tries again, another one takes the turn, or the bubble ends. */
export const retryOptions = (state: State, does: string): Option[] => [
  { key: "retry", does },
  ...handOverOption(state),
  rejectOption(state),
];

/** The configured fallback of the agent may take the turn, also after ends for which it does not take over by itself. */
export function handOverOption(state: State): Option[] {
  const other = state.turn && findFallbackAgent(state, state.turn);
  return other === undefined
    ? []
    : [
        {
          key: handOverKey,
          does: `${other} takes this turn in a new session; your message is in its prompt`,
        },
      ];
}
