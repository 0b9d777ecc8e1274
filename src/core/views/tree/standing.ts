// How a bubble stands, in a word and in a few words.
import type { Step } from "../../model/program.ts";
import { clip } from "../../model/sizes.ts";
import type { State } from "../../model/state.ts";
import { currentStep, currentTask } from "../../state/place.ts";
import { pauseWords } from "../pause.ts";
import { answerCommand } from "../status.ts";
import type { TreeNode, TreeState } from "./tree-node.ts";

type Standing = Pick<TreeNode, "state" | "says">;

export function standingOf(state: State): Standing {
  const isBusy = state.lifecycle === "RUNNING" || state.lifecycle === "PREPARING_WORKSPACE";
  if (state.pause && isBusy) return { state: "paused", says: pauseWords(state) };
  switch (state.lifecycle) {
    case "CREATED":
      return { state: "waiting", says: "not started" };
    case "PREPARING_WORKSPACE":
      return { state: "running", says: "its workspace is made" };
    case "RUNNING":
      return { state: "running", says: doing(state) };
    case "WAITING_HUMAN":
      return { state: "asks", says: ["a human must answer", pauseWords(state)].filter(Boolean).join("; ") };
    case "READY_FOR_APPROVAL":
      return { state: "approve", says: "a human must approve" };
    case "APPROVED_FOR_COMMIT":
      return { state: "approve", says: "approved; not committed yet" };
    case "COMMITTED":
    case "DONE":
      return ended(state);
    default:
      // It ended here, and continues elsewhere.
      if (state.result?.result === "routed") return ended(state);
      return { state: "failed", says: firstLine(state.end?.message ?? state.result?.why ?? "ended") };
  }
}

function ended({ result, round, commit }: State): Standing {
  if (result?.result === "routed") return { state: "running", says: routeWords(result.to) };
  if (result?.result === "rejected" || result?.result === "exceeded")
    return { state: "failed" satisfies TreeState, says: firstLine(result.why) };
  return { state: "done", says: commit ? `committed ${commit.id.slice(0, 10)}` : rounds(round) };
}

/** What a finished task shows. */
export const doneWords = ({ round, kind, says }: TreeNode): string =>
  kind === "heir" ? rounds(round) : says || rounds(round);

const rounds = (round: number): string => (round === 1 ? "1 round" : `${Math.max(0, round)} rounds`);

const routes: readonly (readonly [ending: string, words: string])[] = [
  ["task-decomposition", "too big"],
  ["plan-refinement", "misscoped"],
  ["design-refinement", "architectural"],
];

/** Why another workflow continues with it, in the reviewer's word. */
export function routeWords(to = ""): string {
  return routes.find(([name]) => to.includes(name))?.[1] ?? "continues elsewhere";
}

function doing(state: State): string {
  const { turn } = state;
  const step = currentStep(state);
  if (turn?.status === "claimed") return `${turn.agent} handed over`;
  if (turn) return `${turn.agent} ${turnWord(step)}${turn.status === "due" ? " next" : ""}`;
  return stepWords(step);
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

const stepWords = (step: Step | undefined): string => (step && words[step.kind]) ?? "the referee decides";

/** Where it is and who has the floor. */
export function nowOf(
  state: State,
): Pick<TreeNode, "step" | "phase" | "round" | "agent" | "role" | "since" | "question"> {
  const { turn, questions } = state;
  const [question] = questions;
  return {
    step: state.position.step,
    phase: currentTask(state)?.key ?? null,
    round: state.round,
    agent: turn?.agent ?? null,
    role: turn?.role ?? null,
    since: question?.at ?? (turn ? state.activeSince : (state.position.at ?? null)),
    question: question
      ? { id: question.id, text: firstLine(question.text), command: answerCommand(state, question) }
      : null,
  };
}

const firstLine = (text: string): string => clip(text.trim().split("\n")[0] ?? "", 300);
