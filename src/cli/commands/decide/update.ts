// pairflow bubble update: takes the newest commit of the base branch into the work before it is signed.
import { askForBaseUpdate } from "../../../app/operate/judge-again.ts";
import type { State } from "../../../core/model/state.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { getScreenWidth, wrap } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleUpdate = defineVerb({
  words: "bubble update",
  also: ["update"],
  about: "Merge what the base branch has got since into the work; gates and reviews count again",
  access: "operator",
  suits: ["READY_FOR_APPROVAL"],
  example: "pairflow bubble update --id fix-cart",
  flags: {
    ...operatorFlags,
    from: {
      kind: "text",
      value: "<branch>",
      about: "the branch to take in, such as origin/main; the bubble's base branch if left out",
    },
  },
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const handled = await askForBaseUpdate(call, flags.from);
    if (handled.refusal || !handled.state) return handled.refusal ? { refusal: handled.refusal } : {};
    const { state } = handled;
    const conflicts = state.tree?.conflicts ?? [];
    return {
      text: `${wrap(describeUpdate(state, flags.from ?? state.config.base_branch, conflicts), getScreenWidth())}\nNext: pairflow bubble status --id ${call.bubble}`,
      json: {
        ...{ bubble: call.bubble, state: state.lifecycle, round: state.round },
        ...{ base: state.baseCommit, merged: state.baseUpdate === undefined, conflicts },
      },
    };
  },
});

function describeUpdate(state: State, branch: string, conflicts: readonly string[]): string {
  const { bubbleId, baseUpdate, baseCommit, round } = state;
  if (baseUpdate) return `${bubbleId} is to take in ${baseUpdate.branch} ${baseUpdate.to.slice(0, 10)}`;
  const stands = `${bubbleId} stands on ${branch} ${baseCommit.slice(0, 10)} now`;
  return conflicts.length > 0
    ? `${stands}, with conflicts in ${conflicts.join(", ")}: ${findProducer(state)} settles them in round ${round}`
    : `${stands}; gates and reviews run again, in round ${round}`;
}

const findProducer = ({ turn }: State): string => turn?.agent ?? "the implementer";
