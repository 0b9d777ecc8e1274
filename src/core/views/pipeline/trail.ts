// A pipeline as people see it: one of ten states, the phases with their counts and limits, whose turn it is, and
// every review tied to its phase, its round and its tree. Folded from the record; nothing is kept beside it.

import { getChainPosition } from "../../judge/chain.ts";
import { getAttemptLimit } from "../../limits/rounds.ts";
import type { ProgramTask } from "../../model/program.ts";
import type { Envelope } from "../../model/record/envelope.ts";
import type { State } from "../../model/state.ts";
import { getCurrentStep, getCurrentTask, getLoop } from "../../state/workflow-position.ts";
import { buildReviewFile, type ReviewFile } from "../review/file.ts";
import { buildReviewTrail, noTrail, type Trail, type TrailReview } from "../review/trail.ts";

export const pipelineStates = [
  "idle",
  "requirements_gathering",
  "plan_drafting",
  "plan_refining",
  "plan_reviewing",
  "implementing",
  "implementing_loop",
  "complete",
  "error",
  "needs_user_input",
] as const;
export type PipelineState = (typeof pipelineStates)[number];

type Running = Pick<State, "lifecycle" | "questions" | "program" | "position" | "turn">;

export const isPipeline = ({ config }: Pick<State, "config">): boolean => config.workflow === "pipeline";

/** The state by its name in pipeline files. A cancelled pipeline is no active task: `idle`. */
export function getPipelineState(state: Running): PipelineState {
  switch (state.lifecycle) {
    case "FAILED":
      return "error";
    case "CANCELLED":
      return "idle";
    case "READY_FOR_APPROVAL":
    case "APPROVED_FOR_COMMIT":
    case "COMMITTED":
    case "DONE":
      return "complete";
    default:
      return isAsking(state) && getCurrentTask(state)?.key !== "requirements"
        ? "needs_user_input"
        : getStateAtStep(state);
  }
}

const isAsking = ({ questions, turn }: Running): boolean =>
  questions.length > 0 || turn?.waitsFor !== undefined;

function getStateAtStep(state: Running): PipelineState {
  const step = getCurrentStep(state);
  return (
    findStateNamed(step?.state) ??
    findStateNamed(step?.name) ??
    findStateNamed(step?.task) ??
    "requirements_gathering"
  );
}

const findStateNamed = (name: string | undefined): PipelineState | undefined =>
  pipelineStates.find((known) => known === name);

/** One review, and what it was about. */
export interface PipelineReview {
  readonly phase: string;
  /** The round within the phase. */
  readonly round: number;
  /** The critic's place in the chain, by its name there. */
  readonly name: string;
  readonly agent: string;
  /** Of a question there is none: nothing was judged. */
  readonly tree: string | null;
  readonly seq: number;
  readonly file: ReviewFile;
}

export interface PipelineTrail {
  readonly trail: Trail;
  readonly state: PipelineState;
  /** Since when it is in this state. */
  readonly since: string;
  readonly reviews: readonly PipelineReview[];
  /** When each phase began. */
  readonly begun: Readonly<Record<string, string>>;
}

export const noPipeline: PipelineTrail = { trail: noTrail, state: "idle", since: "", reviews: [], begun: {} };

/** The pipeline after these lines, from where `from` was. */
export function followPipeline(
  envelopes: Iterable<Envelope>,
  from: PipelineTrail = noPipeline,
): PipelineTrail {
  let pipeline = from;
  for (const envelope of envelopes) pipeline = follow(pipeline, envelope);
  return pipeline;
}

function follow(before: PipelineTrail, envelope: Envelope): PipelineTrail {
  const trail = buildReviewTrail([envelope], before.trail);
  if (!trail.state) return { ...before, trail };
  const state = getPipelineState(trail.state);
  return {
    trail,
    state,
    since: state === before.state && before.since !== "" ? before.since : envelope.ts,
    reviews: listReviewsAfter(before, trail),
    begun: noteBegun(before.begun, trail.state, envelope.ts),
  };
}

/** Reviews that the newest line told of; a further question of one go replaces what was there. */
function listReviewsAfter(
  { trail: before, reviews }: PipelineTrail,
  { reviews: now }: Trail,
): readonly PipelineReview[] {
  const last = now.at(-1);
  if (!before.state || !last || last.kind === "refused" || last === before.reviews.at(-1)) return reviews;
  const review = tieReview(before.state, last, now);
  return [...reviews.filter(({ seq }) => seq !== review.seq), review];
}

/** `state` is the one the review was given in. */
function tieReview(
  state: State,
  review: Exclude<TrailReview, { kind: "refused" }>,
  all: Trail["reviews"],
): PipelineReview {
  const { chain = [], chain_names: names = [], critic } = getLoop(state);
  const at = getChainPosition(state) % (chain.length || 1);
  const file = buildReviewFile(state.config, review, all);
  const name = names[at] ?? review.agent;
  return {
    phase: getCurrentTask(state)?.key ?? "",
    round: getRound(state),
    name,
    agent: review.agent,
    tree: review.kind === "counted" ? review.tree : null,
    seq: review.seq,
    file: {
      ...file,
      reviewer: critic === "plan-reviewer" ? "plan-reviewer" : "code-reviewer",
      model: file.model === review.agent ? name : file.model,
    },
  };
}

function getRound(state: State): number {
  const phase = getCurrentTask(state)?.key ?? "";
  return state.round - (state.tasks?.[phase]?.firstRound ?? 1) + 1;
}

function noteBegun(begun: PipelineTrail["begun"], { tasks = {} }: State, at: string): PipelineTrail["begun"] {
  const news = Object.keys(tasks).filter((key) => begun[key] === undefined);
  return news.length === 0 ? begun : { ...begun, ...Object.fromEntries(news.map((key) => [key, at])) };
}

/** One phase with its counts. */
export interface PhaseView {
  readonly phase: string;
  readonly title: string;
  readonly status: "running" | "over";
  readonly round: number;
  /** How often the chain of critics began again, and how often it may; null where there is no chain. */
  readonly restarts: { readonly now: number; readonly limit: number } | null;
  /** Turns of the producer since the last review, and how many it has; null where nothing counts them. */
  readonly attempts: { readonly now: number; readonly limit: number } | null;
}

/** The phases that have begun, in the order of the workflow. */
export function buildPhaseViews(state: State): PhaseView[] {
  return (state.program.phases ?? []).flatMap((phase) => {
    const view = findPhaseView(state, phase);
    return view ? [view] : [];
  });
}

function findPhaseView(state: State, phase: ProgramTask): PhaseView | undefined {
  const known = state.tasks?.[phase.key];
  if (!known) return undefined;
  const isNow = getCurrentTask(state)?.key === phase.key;
  const extra = isNow ? state.extraRounds : 0;
  const limit = isNow ? getAttemptLimit(state) : undefined;
  return {
    phase: phase.key,
    title: phase.title ?? phase.key,
    status: isNow ? "running" : "over",
    round: isNow ? getRound(state) : (known.history.at(-1)?.iteration ?? 1),
    restarts: phase.loop.chain
      ? { now: known.chain?.restarts ?? 0, limit: phase.loop.max_rounds + extra }
      : null,
    attempts: limit === undefined ? null : { now: known.attempts ?? 0, limit },
  };
}
