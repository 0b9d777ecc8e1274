// The documents about a pipeline, in their published schemas: for people and for tools that know them. They are written from the
// record and never read back, so deleting or editing one changes nothing.
import { sensitivePaths } from "../../gates/sensitive-paths.ts";
import { getAttemptLimit } from "../../limits/rounds.ts";
import type { GateResult } from "../../model/gate.ts";
import type { Paper } from "../../model/run.ts";
import type { Question } from "../../model/state/turn.ts";
import type { State } from "../../model/state.ts";
import { getCompletionPromise } from "../../permission/completion-promise.ts";
import { findStep, getCurrentTask, getIteration } from "../../state/workflow-position.ts";
import { compileGlobs } from "../../text/glob.ts";
import { stamp } from "../review/file.ts";
import type { PipelineReview, PipelineTrail } from "./trail.ts";

export interface PipelineDocument {
  readonly name: string;
  readonly value: unknown;
}

/** All documents that there is something to say in. */
export function buildPipelineDocuments(pipeline: PipelineTrail): PipelineDocument[] {
  const { state } = pipeline.trail;
  if (!state) return [];
  const named: [string, unknown][] = [
    ["state.json", { state: pipeline.state, since: pipeline.since }],
    ["user-story.json", buildUserStory(state)],
    ["plan-refined.json", state.papers?.["plan-refined"]?.value],
    ...listNewestReviews(pipeline, state),
    ...pipeline.reviews.map((review): [string, unknown] => [copyName(review), review.file]),
    ["impl-result.json", buildImplResult(pipeline, state)],
    ["loop-state.json", buildLoopState(pipeline, state)],
    ["worker-signal.json", buildWorkerSignal(state)],
  ];
  return named.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

/** Phase, round, critic and tree in the name: an old approval cannot be taken for a new one. */
export function copyName({ phase, round, name, tree, seq }: PipelineReview): string {
  return `reviews/${phase}-r${round}-${name}-${tree ? tree.slice(0, 8) : `asked-${seq}`}.json`;
}

/** Each critic's newest review of the phase that is worked on; `null` while it has not judged in this phase. */
function listNewestReviews({ reviews }: PipelineTrail, state: State): [string, unknown][] {
  const phase = getCurrentTask(state)?.key ?? reviews.at(-1)?.phase;
  const names = (state.program.phases ?? []).flatMap(({ loop }) => loop.chain_names ?? []);
  return [...new Set(names)].flatMap((name): [string, unknown][] => {
    const all = reviews.filter((review) => review.name === name);
    if (all.length === 0) return [];
    return [[`review-${name}.json`, all.findLast((review) => review.phase === phase)?.file ?? null]];
  });
}

/** Approved only by a human, after this very paper was handed in. */
function buildUserStory(state: State): unknown {
  const paper = state.papers?.["user-story"];
  if (!paper) return undefined;
  const at = findStoryApproval(state, paper);
  return at === undefined ? paper.value : { ...paper.value, approved_at: at, approved_by: "user" };
}

/** When the human approved this user story; undefined: not yet. */
export function findStoryApproval({ steps }: Pick<State, "steps">, paper: Paper): string | undefined {
  const signed = steps?.story_approval;
  return signed?.outcome === "approve" && signed.seq > paper.seq ? signed.at : undefined;
}

const makers = ["implementing", "implementing_loop"];
/** Made on first use: compiling it takes longer than most commands that load this run. */
let testFiles: ((path: string) => boolean) | undefined;

function isTest(path: string): boolean {
  testFiles ??= compileGlobs(sensitivePaths.tests);
  return testFiles(path);
}

/** The result of the implementation. Files are git's; `written` counts changed test files. */
function buildImplResult({ state: now, since, trail }: PipelineTrail, state: State): unknown {
  const phase = makers.findLast((key) => (state.tasks?.[key]?.history.length ?? 0) > 0);
  const { tree } = state;
  if (!phase || !tree || tree.paper) return undefined;
  const hasEnded = now === "complete" || now === "error" || now === "idle";
  const results = state.gates?.tree === tree.id ? state.gates.results : [];
  const paths = (added: boolean) =>
    tree.files.filter(({ status }) => (status === "added") === added).map(({ path }) => path);
  const at = hasEnded ? since : (state.tasks?.[phase]?.history.at(-1)?.at ?? trail.state?.lastAt ?? since);
  return {
    id: `impl-${stamp(at)}`,
    plan_implemented: state.papers?.["plan-refined"]?.value.id ?? "",
    status: now === "complete" ? "complete" : hasEnded ? "failed" : "partial",
    files_modified: paths(false),
    files_created: paths(true),
    tests: {
      written: tree.files.filter(({ path, status }) => status !== "deleted" && isTest(path)).length,
      ...buildTests(results),
    },
    completed_at: at,
  };
}

/**
 * The tests that the runners on exactly this tree told of; a command that failed without telling of a failed test is one.
 * Where no runner tells of tests, the commands themselves are counted.
 */
function buildTests(results: readonly GateResult[]): { readonly passing: number; readonly failing: number } {
  const ran = results.filter(({ status }) => status !== "skipped");
  const isTold = ran.some(({ tests }) => tests !== undefined);
  const each = ran.map(({ status, tests }) => {
    const isRed = status !== "passed";
    const alone = { passed: isRed || isTold ? 0 : 1, failed: 0 };
    const { passed, failed } = tests ?? alone;
    return { passed, failed: isRed ? Math.max(1, failed) : failed };
  });
  return {
    passing: each.reduce((sum, { passed }) => sum + passed, 0),
    failing: each.reduce((sum, { failed }) => sum + failed, 0),
  };
}

function buildLoopState({ begun, state: now }: PipelineTrail, state: State): unknown {
  const known = state.tasks?.implementing_loop;
  if (!known) return undefined;
  const implementer = state.roles.implementer ?? "";
  const isHere = getCurrentTask(state)?.key === "implementing_loop";
  const isWorking = isHere && state.turn?.role === "implementer";
  const iteration = isHere ? getIteration(state) : (known.history.at(-1)?.iteration ?? 1);
  const inRow = Math.max(1, (known.attempts ?? 0) + (isWorking ? 1 : 0));
  return {
    active: isHere && now !== "error" && now !== "idle" && now !== "complete",
    iteration,
    // Only turns without a review between them are limited: the last one of this row.
    max_iterations:
      Math.max(0, iteration - inRow) +
      ((isHere ? getAttemptLimit(state) : undefined) ?? getPlannedIterations(state)),
    implementer_agent_id:
      (isWorking ? state.turn?.session : undefined) ??
      state.sessions[`${implementer}/implementer`] ??
      implementer,
    completion_promise: getCompletionPromise(state),
    started_at: begun.implementing_loop ?? state.createdAt,
  };
}

function getPlannedIterations({ papers }: State): number {
  const planned = papers?.["plan-refined"]?.value.implementation;
  const most = (planned as { max_iterations?: unknown } | undefined)?.max_iterations;
  return typeof most === "number" ? most : 10;
}

/** The newest message of the agent that has, or had, the turn. */
function buildWorkerSignal(state: State): unknown {
  const turn = state.turn ?? state.lastTurn;
  if (!turn) return undefined;
  const questions = state.questions.filter(({ kind }) => kind === "agent");
  // A turn that was cut off, or that a human is asked about because it was lost, has no result.
  const isCut = state.lifecycle === "CANCELLED" && turn.status !== "claimed";
  const isLost = state.questions.some(({ kind, turn: id }) => kind === "lost-agent" && id === turn.id);
  const status =
    state.lifecycle === "FAILED" || isCut || isLost
      ? "error"
      : questions.length > 0
        ? "needs_input"
        : state.turn && state.turn.status !== "claimed"
          ? "in_progress"
          : "completed";
  const agent = turn.session ?? turn.agent;
  return {
    worker_id: `${turn.role}-${agent}`,
    phase: findStep(state, turn.step)?.task ?? "",
    status,
    questions: questions.map(buildAskedQuestion),
    agent_id: agent,
    timestamp: state.lastAt,
  };
}

/** The referee keeps question and context as one text, with an empty line between them. */
function buildAskedQuestion({ id, text, options = [] }: Question) {
  const [question = "", ...context] = text.split("\n\n");
  return { id, question, options: options.map(({ key }) => key), context: context.join("\n\n") };
}
