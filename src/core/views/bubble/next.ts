// What happens next in a bubble, in a few words: after the turn that runs, after the step the referee is at, or why a
// human is asked.

import { isBaseRunDue } from "../../judge/gate-runs/base.ts";
import type { State } from "../../model/state.ts";
import { getCurrentStep, getLoop, isCritic } from "../../state/workflow-position.ts";
import { listAwaitedChildren } from "./run.ts";

/** Why a human is asked, where the workflow itself asks. */
const asked: Readonly<Record<string, string>> = {
  "sign-off": "a human must sign for the task",
  signal: "the workflow calls for a human",
  commands: "the plan names commands that no human has seen: a human must answer",
  "too-often": "the task comes back again and again: a human must answer",
  conflict: "what the children made does not fit together: a human must answer",
  "child-failed": "a child has not finished its work: a human must answer",
  timeout: "the time is up: a human must answer",
  depth: "children of children want children: a human must answer",
  "git-settings": "the repository's git settings were changed: a human must answer",
  "base-gates": "the gates cannot judge the base: a human must answer",
  "pair-corrupt": "the state of the pair is not to be trusted: a human must answer",
};

export function mustAnswer({ questions }: State): string {
  return asked[questions[0]?.kind ?? ""] ?? "a human must answer";
}

export function describeRunning(state: State): string {
  if (state.lifecycle === "PREPARING_WORKSPACE") return "the workspace is being prepared";
  const { turn } = state;
  if (turn?.status === "claimed") return "the referee looks at the tree";
  if (isBaseRunDue(state)) return "gates are run on the base → the work begins";
  return turn ? describeAfterTurn(state, turn.role) : describeAfterStep(state);
}

function findReviewer(state: State): string | undefined {
  const { critic } = getLoop(state);
  return critic === undefined ? undefined : state.roles[critic];
}

function describeAfterTurn(state: State, role: string): string {
  const step = getCurrentStep(state);
  if (step?.kind === "turn" && step.answer === "score") return "a score → the referee decides";
  if (isCritic(state, role)) return "review → the referee judges";
  const reviewer = findReviewer(state);
  if (step?.kind === "turn" && step.answer === "paper")
    return reviewer === undefined ? "a paper → the referee checks it" : `a paper → ${reviewer} reviews`;
  return reviewer === undefined ? "gates → the referee judges" : `gates → ${reviewer} reviews`;
}

function describeAfterStep(state: State): string {
  const step = getCurrentStep(state);
  switch (step?.kind) {
    case "gates":
      return `gates are run → ${findReviewer(state) ?? "the referee"} ${findReviewer(state) ? "reviews" : "judges"}, or ${state.roles[getLoop(state).producer]} fixes it`;
    case "approval":
      return "the package is written → a human approves";
    case "children":
      return describeChildrenAtWork(state);
    case "context":
      return "what the reviewer must know is put together → review";
    case "lock":
      return "what the task made is locked → the next task";
    case "start":
      return `the workflow ${step.workflow} is started`;
    case "wait":
      return "a timer runs";
    default:
      return "the referee decides";
  }
}

function describeChildrenAtWork(state: State): string {
  const open = listAwaitedChildren(state).filter(
    ({ status }) => status === "running" || status === "waiting",
  );
  return open.length === 0
    ? "what the children made is put together"
    : `children are at work: ${open.map(({ key }) => key).join(", ")}`;
}
