// The answers that a question offers, each as the command a person would type for it, put to the referee.
import { fold } from "../../src/core/bubble/evolve.ts";
import { isFinal } from "../../src/core/bubble/lifecycle.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { Question } from "../../src/core/model/state/turn.ts";
import type { State } from "../../src/core/model/state.ts";
import { submitCommand } from "../../src/testing/given.ts";
import { operator } from "../../src/testing/scenario-actors.ts";

interface Tried {
  readonly key: string;
  readonly refusal: string | undefined;
  /** The bubble is over, or the work goes to another step or to another agent. */
  readonly leadsOn: boolean;
}

/** The answer with a message and the flags that the option's own words name. */
function commandFor(question: Question, { key, does }: { key: string; does: string }): Command {
  if (question.kind === "tree-changed")
    return {
      type: "resume",
      actor: operator,
      message: "",
      tree: key === "keep" ? "keep" : { putBack: "p.patch" },
    };
  const waiveGates = [...does.matchAll(/--waive-gate (\S+)/g)].map(([, name = ""]) => name);
  return {
    type: "reply",
    actor: operator,
    question: question.id,
    choice: key,
    message: "the totals of the cart are computed before tax, for shops; nothing else",
    ...(waiveGates.length > 0 ? { waiveGates } : {}),
  };
}

export function tryOptions(state: State, question: Question): Tried[] {
  return (question.options ?? []).map((option) => {
    const { written, decision } = submitCommand([], state, commandFor(question, option), state.lastAt);
    const after = fold(written, state) ?? state;
    const moved =
      written.some(({ type }) => type === "STEP_ADVANCED") || after.comprehension !== state.comprehension;
    const passedOn = after.turn !== undefined && after.turn.agent !== state.turn?.agent;
    return {
      key: option.key,
      refusal: decision.refusal?.code,
      leadsOn: isFinal(after.lifecycle) || moved || passedOn,
    };
  });
}

/** What is wrong with the answers that the open questions of a state offer; empty when nothing is. */
export function badOptions(state: State): string[] {
  return state.questions.flatMap((question) => {
    const tried = tryOptions(state, question);
    const refused = tried.filter(({ refusal }) => refusal !== undefined);
    // An agent's own question goes back to the agent, whatever the answer is.
    const isStuck = question.kind !== "agent" && !tried.some(({ leadsOn }) => leadsOn);
    return [
      ...refused.map(({ key, refusal }) => `${question.kind} offers ${key}, which is refused: ${refusal}`),
      ...(isStuck ? [`${question.kind} offers nothing that ends the bubble or hands the work over`] : []),
    ];
  });
}
