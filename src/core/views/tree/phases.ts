// The phases of a workflow as nodes: those that began, and those that are still to come.
import type { ProgramTask } from "../../model/program.ts";
import type { TaskProgress } from "../../model/run.ts";
import type { State } from "../../model/state.ts";
import { listComingPhases } from "../../state/tasks.ts";
import { getCurrentTask, getIteration } from "../../state/workflow-position.ts";
import type { TreeNode } from "./node.ts";
import { describeNow, getStanding } from "./standing.ts";

/** Before and after the step whose children do the work; all before where there is none. */
export function buildPhaseNodes(state: State): { before: TreeNode[]; after: TreeNode[] } {
  const { steps } = state.program;
  const place = (name: string) => steps.findIndex((step) => step.name === name);
  const work = steps.findIndex(({ kind }) => kind === "children");
  const shown = listComingPhases(state);
  const isAfter = ({ first }: ProgramTask) => work >= 0 && place(first) > work;
  return {
    before: shown.filter((phase) => !isAfter(phase)).map((phase) => buildPhaseNode(state, phase)),
    after: shown.filter(isAfter).map((phase) => buildPhaseNode(state, phase)),
  };
}

function buildPhaseNode(state: State, { key, title }: ProgramTask): TreeNode {
  const isHere = getCurrentTask(state)?.key === key;
  const progress = state.tasks?.[key];
  const live = isHere && progress?.status === "running";
  const { question: _question, ...now } = describeNow(state);
  const none = { step: null, phase: key, agent: null, role: null, since: null };
  return {
    ...{ kind: "phase", key, title: title ?? null, bubble: null, lifecycle: null },
    ...(live ? now : none),
    ...(live ? getStanding(state) : describeOver(progress)),
    round: live ? getIteration(state) : (progress?.iterations ?? progress?.history.at(-1)?.iteration ?? 0),
    ...{ question: null, driven: null, cost: { tokens: 0, usd: null }, children: [] },
  };
}

/** A phase that the run has left is over, whatever comes behind it. */
function describeOver(progress: TaskProgress | undefined): Pick<TreeNode, "state" | "says"> {
  if (!progress) return { state: "waiting", says: "" };
  if (progress.status === "exceeded")
    return { state: "failed", says: progress.flag ?? "its rounds are used up" };
  const newest = progress.history.at(-1);
  const round = progress.iterations ?? newest?.iteration ?? 1;
  const critic = newest?.approved ? newest.critic : undefined;
  const says = critic ? `${critic} passed it in round ${round}` : round === 1 ? "1 round" : `${round} rounds`;
  return { state: "done", says: progress.status === "accepted" ? "accepted by a human" : says };
}
