// The status of a bubble in one word and in a few words.
import type { Step } from "../../model/program.ts";
import type { State } from "../../model/state.ts";
import { clip } from "../../model/value/sizes.ts";
import { getCurrentStep, getCurrentTask } from "../../state/workflow-position.ts";
import { suggestAnswerCommand } from "../bubble/next-step.ts";
import { describePause } from "../bubble/pause.ts";
import type { TreeNode, TreeState } from "./node.ts";

type Standing = Pick<TreeNode, "state" | "says">;

export function getStanding(state: State): Standing {
  const isBusy = state.lifecycle === "RUNNING" || state.lifecycle === "PREPARING_WORKSPACE";
  if (state.pause && isBusy) return { state: "paused", says: describePause(state) };
  switch (state.lifecycle) {
    case "CREATED":
      return { state: "waiting", says: "not started" };
    case "PREPARING_WORKSPACE":
      return { state: "running", says: "its workspace is made" };
    case "RUNNING":
      return { state: "running", says: describeDoing(state) };
    case "WAITING_HUMAN":
      return {
        state: "asks",
        says: ["a human must answer", describePause(state)].filter(Boolean).join("; "),
      };
    case "READY_FOR_APPROVAL":
      return { state: "approve", says: "a human must approve" };
    case "APPROVED_FOR_COMMIT":
      return { state: "approve", says: "approved; not committed yet" };
    case "COMMITTED":
    case "DONE":
      return describeEnded(state);
    default:
      // It ended here, and continues elsewhere.
      if (state.result?.result === "routed") return describeEnded(state);
      return { state: "failed", says: getFirstLine(state.end?.message ?? state.result?.why ?? "ended") };
  }
}

function describeEnded({ result, round, commit }: State): Standing {
  if (result?.result === "routed") return { state: "running", says: describeRoute(result.to) };
  if (result?.result === "rejected" || result?.result === "exceeded")
    return { state: "failed" satisfies TreeState, says: getFirstLine(result.why) };
  return { state: "done", says: commit ? `committed ${commit.id.slice(0, 10)}` : countRounds(round) };
}

/** What a finished task shows. */
export const describeDone = ({ round, kind, says }: TreeNode): string =>
  kind === "heir" ? countRounds(round) : says || countRounds(round);

const countRounds = (round: number): string => (round === 1 ? "1 round" : `${Math.max(0, round)} rounds`);

const routes: readonly (readonly [ending: string, words: string])[] = [
  ["task-decomposition", "too big"],
  ["plan-refinement", "misscoped"],
  ["design-refinement", "architectural"],
];

/** Why another workflow continues with it, in the reviewer's word. */
export function describeRoute(to = ""): string {
  return routes.find(([name]) => to.includes(name))?.[1] ?? "continues elsewhere";
}

function describeDoing(state: State): string {
  const { turn } = state;
  const step = getCurrentStep(state);
  if (turn?.status === "claimed") return `${turn.agent} handed over`;
  if (turn) return `${turn.agent} ${turnWord(step)}${turn.status === "due" ? " next" : ""}`;
  return describeStep(step);
}

function turnWord(step: Step | undefined): string {
  if (step?.kind !== "turn") return "works";
  return { handoff: "works", findings: "reviews", score: "scores", paper: "writes" }[step.answer];
}

const words: Partial<Record<Step["kind"], string>> = {
  gates: "gates run",
  context: "the review is made ready",
  children: "tasks are at work",
  plan: "the plan is kept",
  approval: "the package is written",
  wait: "a timer runs",
  start: "another workflow is started",
};

const describeStep = (step: Step | undefined): string => (step && words[step.kind]) ?? "the referee decides";

/** Where it is and who has the floor. */
export function describeNow(
  state: State,
): Pick<TreeNode, "step" | "phase" | "round" | "agent" | "role" | "since" | "question"> {
  const { turn, questions } = state;
  const [question] = questions;
  return {
    step: state.position.step,
    phase: getCurrentTask(state)?.key ?? null,
    round: state.round,
    agent: turn?.agent ?? null,
    role: turn?.role ?? null,
    since: question?.at ?? (turn ? state.activeSince : (state.position.at ?? null)),
    question: question
      ? { id: question.id, text: getFirstLine(question.text), command: suggestAnswerCommand(state, question) }
      : null,
  };
}

const getFirstLine = (text: string): string => clip(text.trim().split("\n")[0] ?? "", 300);
