// What a critic must answer on top of its review, one duty a clean pass. A workflow names duties in its critic's step;
// the questions are data here so that prompt, integrity check and package speak of the same ones.
import type { State } from "../model/state.ts";
import { getLoop } from "../state/workflow-position.ts";

export interface Duty {
  readonly name: string;
  /** What this pass is, for people. */
  readonly title: string;
  /** What the critic is told. */
  readonly tell: string;
  /** Each must be answered by evidence `for` its id. */
  readonly questions: readonly { readonly id: string; readonly ask: string }[];
}

const all: readonly Duty[] = [
  {
    name: "adversarial",
    title: "Adversarial pass",
    tell: "Attack the document: look for edge cases it forgets, risks it hides, and statements that cannot both be true.",
    questions: [
      {
        id: "contradictions",
        ask: "Which two statements of scope, requirements and acceptance criteria contradict each other in meaning, and if none do, which places did you compare?",
      },
      {
        id: "edge-cases",
        ask: "Which edge cases does it leave open, and where does it settle the hardest ones?",
      },
      {
        id: "risks",
        ask: "Which risk is missing or played down, and where are the gravest ones dealt with?",
      },
    ],
  },
  {
    name: "implementability",
    title: "Implementability dry-run",
    tell: "Plan the implementation without writing it: an outline of the steps, each resting on a place of the document. Whatever blocks you is a P1 finding.",
    questions: [
      {
        id: "outline",
        ask: "Which steps implement it, in order, and on which place of the document does each rest?",
      },
      {
        id: "blockers",
        ask: "What would stop an implementer, and if nothing would, where is the hardest decision settled?",
      },
    ],
  },
];

export const dutyNames: readonly string[] = all.map(({ name }) => name);

export const findDuty = (name: string): Duty | undefined => all.find((duty) => duty.name === name);

/** The duty of the review that is due: the first that no clean pass on this tree has done yet. */
export function findDueDuty(state: State): Duty | undefined {
  const step = state.program.steps.find(
    (candidate) => candidate.kind === "turn" && candidate.role === getLoop(state).critic,
  );
  const wanted = step?.kind === "turn" ? (step.duties ?? []) : [];
  const done = state.reviews
    .filter((review) => review.tree === state.tree?.id && review.clean)
    .map((review) => review.duty);
  const name = wanted.find((duty) => !done.includes(duty)) ?? wanted.at(-1);
  return name ? findDuty(name) : undefined;
}
