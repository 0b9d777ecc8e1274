// What a person is shown about a pipeline: where it is, what happens there, who is at it, and what to type.
import type { State } from "../../model/state.ts";
import { getCurrentStep, getCurrentTask, getLoop } from "../../state/workflow-position.ts";
import type { Liveness } from "../bubble/liveness.ts";
import { suggestAnswerCommand } from "../bubble/next-step.ts";
import { buildPauseView, type PauseView } from "../bubble/pause.ts";
import { type AskedQuestion, buildStatusView, listAskedQuestions } from "../bubble/status.ts";
import { buildUsageView, formatUsage } from "../bubble/usage.ts";
import { getRequestText } from "./report.ts";
import {
  buildPhaseViews,
  type PhaseView,
  type PipelineReview,
  type PipelineState,
  type PipelineTrail,
} from "./trail.ts";

export interface PipelineStatus {
  readonly bubble: string | null;
  readonly state: PipelineState;
  readonly since: string | null;
  /** A human is expected to take part. */
  readonly interactive: boolean;
  readonly lifecycle: string | null;
  readonly paused: PauseView | null;
  readonly request: string;
  readonly phase: string | null;
  readonly step: string | null;
  readonly action: string;
  readonly turn: { readonly role: string; readonly agent: string; readonly since: string } | null;
  /** Documents that the agent at work goes by. */
  readonly input: readonly string[];
  /** What follows in this phase. */
  readonly follows: readonly string[];
  readonly phases: readonly PhaseView[];
  readonly reviews: readonly ReviewRow[];
  /** Its own and those of its parts. */
  readonly questions: readonly AskedQuestion[];
  readonly driven: boolean;
  readonly spent: string | null;
  readonly cost: unknown;
  readonly next: { readonly says: string; readonly command: string | null };
}

export interface ReviewRow {
  readonly phase: string;
  readonly round: number;
  readonly name: string;
  readonly agent: string;
  readonly model: string;
  readonly status: string;
  readonly tree: string | null;
  readonly summary: string;
  readonly at: string;
}

const actions: Readonly<Record<PipelineState, string>> = {
  idle: "Start a pipeline",
  requirements_gathering: "Gather the requirements, with you",
  plan_drafting: "Draft the implementation plan",
  plan_refining: "Refine the plan",
  plan_reviewing: "Review the plan, reviewer by reviewer",
  implementing: "Implement the approved plan, one turn a review",
  implementing_loop: "Implement the approved plan, in a loop until tests and reviewers pass",
  complete: "Sign the result",
  error: "Recover from an error",
  needs_user_input: "Answer a question",
};

const interactive: readonly PipelineState[] = ["requirements_gathering", "needs_user_input"];

/** Without a pipeline. */
export const idleStatus: PipelineStatus = {
  bubble: null,
  state: "idle",
  since: null,
  interactive: false,
  lifecycle: null,
  paused: null,
  request: "",
  phase: null,
  step: null,
  action: actions.idle,
  turn: null,
  input: [],
  follows: [],
  phases: [],
  reviews: [],
  questions: [],
  driven: false,
  spent: null,
  cost: null,
  next: { says: "there is no pipeline", command: 'pairflow pipeline "what is wanted"' },
};

export function buildPipelineStatus(
  { trail, state: now, since, reviews }: PipelineTrail,
  live: Liveness,
): PipelineStatus {
  const { state } = trail;
  if (!state) return idleStatus;
  const { total } = state.spent;
  return {
    bubble: state.bubbleId,
    state: now,
    since,
    interactive: interactive.includes(now),
    lifecycle: state.lifecycle,
    paused: buildPauseView(state),
    request: getRequestText(state),
    phase: getCurrentTask(state)?.key ?? null,
    step: state.position.step,
    action: getAction(state, now),
    turn: state.turn ? { role: state.turn.role, agent: state.turn.agent, since: state.turn.since } : null,
    input: listInputs(state),
    follows: listFollowers(state),
    phases: buildPhaseViews(state),
    reviews: reviews.map(buildReviewRow),
    questions: [state, ...(live.asked ?? [])].flatMap(listAskedQuestions),
    driven: live.driver !== undefined,
    spent: total.input + total.output > 0 ? formatUsage(total) : null,
    cost: buildUsageView(state, live.now),
    next: describePipelineNext(state, now, live),
  };
}

/** What is complete may be signed, committed, or over. */
function getAction({ lifecycle }: State, now: PipelineState): string {
  if (lifecycle === "APPROVED_FOR_COMMIT") return "Commit the result";
  if (lifecycle === "CANCELLED") return "Recover it, or start another pipeline";
  return lifecycle === "COMMITTED" || lifecycle === "DONE" ? "Nothing is left to do" : actions[now];
}

export const buildReviewRow = ({ phase, round, name, agent, tree, file }: PipelineReview): ReviewRow => ({
  phase,
  round,
  name,
  agent,
  model: file.model,
  status: file.status,
  tree,
  summary: file.summary,
  at: file.reviewed_at,
});

/** The papers there are when somebody has work to do. */
function listInputs({ papers = {}, position }: State): string[] {
  if (position.step === null) return [];
  return ["user-story", "plan-refined"].filter((kind) => papers[kind]).map((kind) => `${kind}.json`);
}

function listFollowers(state: State): string[] {
  const { chain_names: names = [] } = getLoop(state);
  const step = getCurrentStep(state);
  if (!getCurrentTask(state) || names.length === 0 || step?.kind === "question") return [];
  const critics = names.map((name, i) => (i === names.length - 1 ? `${name} (gate)` : name));
  return step?.kind === "turn" && step.answer === "handoff" ? ["tests", ...critics] : critics;
}

function describePipelineNext(state: State, now: PipelineState, live: Liveness): PipelineStatus["next"] {
  const id = state.bubbleId;
  if (now === "error")
    return { says: state.end?.message ?? "it failed", command: "pairflow pipeline recover" };
  if (now === "idle") return { says: `${id} was cancelled`, command: "pairflow pipeline recover" };
  if (state.pause) return buildStatusView(state, live).next;
  if (state.questions.length > 0)
    return { says: "a human must answer", command: suggestAnswerCommand(state) };
  const view = buildStatusView(state, live);
  if (live.asked?.length) return view.next;
  const isLeft = ["RUNNING", "PREPARING_WORKSPACE", "CREATED"].includes(state.lifecycle) && !live.driver;
  if (isLeft) return { says: "nobody drives it", command: "pairflow pipeline recover" };
  return { says: view.next.says, command: view.next.command ?? null };
}
