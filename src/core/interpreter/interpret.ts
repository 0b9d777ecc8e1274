// The one interpreter: takes the outcome of a step, follows its route, and continues through every immediate step until one needs
// an agent, a process, a clock or a human. What it decides is on the record as STEP_ADVANCED: the outcome of one step and the
// start of the next.

import { buildFacts } from "../judge/facts.ts";
import { areRoundsSpent, describeSpentLimit } from "../limits/rounds.ts";
import type { Route, Step } from "../model/program.ts";
import type { PayloadOf } from "../model/record/envelope.ts";
import { assertInvariant } from "../model/refusal.ts";
import type { Dialect } from "../model/review/verdict.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { hasMade } from "../state/code-tree.ts";
import {
  findStep,
  findTask,
  getCurrentStep,
  getDialect,
  getLoop,
  isProducer,
} from "../state/workflow-position.ts";
import { findLimitIn, isConditionTrue } from "../workflow/condition.ts";
import type { DecisionBatch } from "./batch.ts";
import { runImmediateStep } from "./immediate.ts";
import type { StepOutput } from "./step-result.ts";
import { tellCriteria } from "./task-line.ts";
import { beginTasks, startNextTask } from "./tasks.ts";
import { chooseTurnReason } from "./turn-reason.ts";

/** Steps that need nobody and are run in one command; the rest is the next command's. */
const stepsAtOnce = 100;

/** What the current turn hands in: its work, a score, a paper, or a review in the dialect that holds here. */
export function getAnswerKind(state: State): "handoff" | "score" | "paper" | Dialect {
  const step = getCurrentStep(state);
  if (step?.kind !== "turn" || step.answer === "handoff") return "handoff";
  return step.answer === "findings" ? getDialect(state) : step.answer;
}

/** The turn in which rework begins: the producer's of the current task, or of the one that ended last. */
export function findProducerStep(state: State): Step {
  const task = findTask(state, getCurrentStep(state)?.task ?? findLastTask(state));
  const producer = task?.loop.producer ?? getLoop(state).producer;
  const step = state.program.steps.find(
    (candidate) => candidate.kind === "turn" && candidate.role === producer && candidate.task === task?.key,
  );
  assertInvariant(step, "a workflow has a producer's turn");
  return step;
}

/** Rework is about files: of phases, the last one that made any. */
function findLastTask({ tasks = {}, program }: State): string | undefined {
  const begun = Object.entries(tasks).sort(([, a], [, b]) => a.changed - b.changed);
  const makes = (key: string) =>
    !program.phases ||
    program.steps.some((step) => step.kind === "turn" && step.task === key && step.answer === "handoff");
  const makers = begun.filter(([key]) => makes(key));
  return makers.at(-1)?.[0] ?? begun.at(-1)?.[0] ?? program.tasks?.[0]?.key ?? findFirstMaker(program);
}

const findFirstMaker = ({ steps }: State["program"]) =>
  steps.find((step) => step.kind === "turn" && step.answer === "handoff")?.task;

/** Where a person signs what there is. */
export function findApprovalStep(state: State): Step {
  const step = state.program.steps.find((candidate) => candidate.kind === "approval");
  assertInvariant(step, "a workflow has an approval");
  return step;
}

/** Enters the workflow: its first task, or its first step, round 1. */
export function begin(batch: DecisionBatch): undefined {
  if (batch.state.program.tasks) beginTasks(batch);
  else
    enter(batch, {
      outcome: "start",
      route: { to: batch.state.program.start, round: getFirstRound(batch.state), roles: "keep" },
      why: "the bubble starts",
    });
  runOn(batch);
}

/** Before the first phase there is nothing to count. */
function getFirstRound({ program }: State): "same" | "next" {
  const start = program.steps.find(({ name }) => name === program.start);
  return program.phases && start?.task === undefined ? "same" : "next";
}

/** The current step ended with `outcome`: follow the route that the workflow gives it. */
export function advance(
  batch: DecisionBatch,
  outcome: string,
  why: string,
  came: StepOutput = {},
): undefined {
  follow(batch, outcome, why, came);
  runOn(batch);
}

/** Whether the current step has a way to continue after this outcome. */
export function hasRouteFor(state: State, outcome: string): boolean {
  return getCurrentStep(state)?.on[outcome] !== undefined;
}

/** Goes to a step a human named by a decision; a spent budget does not hold it back. */
export function goTo(
  batch: DecisionBatch,
  outcome: string,
  route: Route,
  why: string,
  came: StepOutput = {},
): undefined {
  enter(batch, { outcome, route, why, came });
  runOn(batch);
}

/** Follows a route that another step has for this outcome; its round counts, and a spent budget holds it back. */
export function takeRouteOf(batch: DecisionBatch, step: Step, outcome: string, why: string): undefined {
  const route = step.on[outcome];
  assertInvariant(route, `step ${step.name} has a route for ${outcome}`);
  take(batch, { outcome, route, why });
  runOn(batch);
}

/** Runs every step that needs nobody, as far as one command goes. */
export function runOn(batch: DecisionBatch): undefined {
  for (let i = 0; i < stepsAtOnce && batch.state.lifecycle === "RUNNING"; i++) {
    const next = runImmediateStep(batch);
    if (!next) return;
    follow(batch, next.outcome, next.why, next);
  }
}

function follow(batch: DecisionBatch, outcome: string, why: string, came: StepOutput): undefined {
  const step = getCurrentStep(batch.state);
  assertInvariant(step, "an outcome belongs to a step");
  const route = step.on[outcome];
  assertInvariant(route, `step ${step.name} has a route for ${outcome}`);
  // A workflow that could not be started is what a human's `continue` comes back to.
  const failed = step.kind === "start" && findStep(batch.state, route.to)?.kind === "question";
  take(batch, { outcome, route, why, came, ...(failed ? { held: { to: step.name, swap: false } } : {}) });
}

interface Going {
  readonly outcome: string;
  readonly route: Route;
  readonly why: string;
  readonly came?: StepOutput;
  /** What a human's `continue` comes back to, when this leads to a question. */
  readonly held?: PayloadOf<"STEP_ADVANCED">["held"];
}

function take(batch: DecisionBatch, going: Going): undefined {
  const { state } = batch;
  const { outcome, route, why, came = {} } = going;
  if (route.to === "$cancel") return cancel(batch, going);
  if (route.to === "$next") return startNextTask(batch, { outcome, why, ...came });
  if (route.to === "$resume") return enter(batch, { ...going, route: findHeldRoute(state) });
  const there = route.round === "next" ? findCountingState(state, route.to) : undefined;
  if (!there || !areRoundsSpent(there) || !mayRun(state, route.to)) return enter(batch, going);
  enter(batch, {
    ...going,
    route: { to: getLoop(there).exhausted, round: "same", roles: "keep" },
    why: `${clip(why, 1900)}; ${describeSpentLimit(there)}`,
    held: { to: route.to, swap: route.roles === "swap" },
  });
}

/** Where a round is counted: of phases, in the one that the route leads to; one that only begins has a round. */
function findCountingState(state: State, to: string): State | undefined {
  // From outside of every task, a task that was over is taken up again with its rounds.
  if (state.program.tasks && getCurrentStep(state)?.task === undefined)
    return { ...state, position: { ...state.position, step: to } };
  if (!state.program.phases) return state;
  const phase = findStep(state, to)?.task;
  const isRunning = phase !== undefined && state.tasks?.[phase]?.status === "running";
  return isRunning ? { ...state, position: { ...state.position, step: to } } : undefined;
}

/** A step with a limit of its own says itself that it is used up. */
function mayRun(state: State, to: string): boolean {
  const when = findStep(state, to)?.when;
  return when === undefined || findLimitIn(when) === undefined;
}

function cancel(batch: DecisionBatch, { outcome, why }: Going): undefined {
  const isRouted = batch.state.result?.result === "routed" && outcome === "routed";
  batch.write("CANCELLED", {
    reason: clip(why, 2000),
    via: "cli",
    ...(isRouted ? { code: "routed" } : {}),
  });
}

/** What a limit held back, or the turn that led to the question. */
function findHeldRoute(state: State): Route {
  const { held } = state.position;
  const to = held?.to ?? state.lastTurn?.step;
  assertInvariant(to, "something to continue with");
  const step = findStep(state, to);
  const produces =
    step?.kind === "turn" && isProducer({ ...state, position: { ...state.position, step: to } }, step.role);
  const isNext = held ? step?.kind !== "start" : produces;
  return { to, round: isNext ? "next" : "same", roles: held?.swap ? "swap" : "keep" };
}

/** Enters a step, or passes over it when its condition does not hold. */
function enter(batch: DecisionBatch, going: Going): undefined {
  const { state } = batch;
  const { outcome, route, came = {}, held } = going;
  const step = findStep(state, route.to);
  assertInvariant(step, `step ${route.to} exists`);
  const why = chooseTurnReason(state, getCurrentStep(state), step, going.why);
  if (step.kind === "approval" && isOver(state)) return finish(batch, going);
  const met =
    step.when === undefined || isConditionTrue(step.when, buildFacts(state), { extra: state.extraRounds });
  const begins = met && changePhase(batch, step, why);
  const next = met && (route.round === "next" || begins);
  batch.write("STEP_ADVANCED", {
    from: state.position.step,
    outcome,
    to: route.to,
    why: clip(why, 2000),
    round: next ? state.round + 1 : state.round,
    ...(met && route.roles === "swap" ? { swap: true } : {}),
    ...(held ? { held } : {}),
    ...(met ? {} : { unmet: true }),
    ...fitOutputs(came),
  });
  if (!met) passOver(batch, step);
}

/** Phases are entered and left by routes; a new one begins with a round of its own. True: one has begun. */
function changePhase(batch: DecisionBatch, step: Step, why: string): boolean {
  const { state } = batch;
  if (!state.program.phases || step.task === undefined) return false;
  if (state.tasks?.[step.task]?.status === "running") return false;
  for (const [key, { status }] of Object.entries(state.tasks ?? {}))
    if (status === "running") endPhase(batch, key, why);
  batch.write("TASK_STARTED", { task: step.task, roles: {}, why: clip(why, 2000) });
  tellCriteria(batch, step.task);
  return true;
}

function endPhase(batch: DecisionBatch, key: string, why: string): undefined {
  const known = batch.state.tasks?.[key];
  batch.write("TASK_ENDED", {
    task: key,
    status: known?.accepted ? "accepted" : "completed",
    iterations: batch.state.round - (known?.firstRound ?? 1) + 1,
    why: clip(why, 2000),
  });
}

/** `on_fail` of a step with a condition: the condition is false. */
function passOver(batch: DecisionBatch, step: Step): undefined {
  const route = step.on.unmet;
  assertInvariant(route, `step ${step.name} has a route for unmet`);
  const isLimit = findLimitIn(step.when ?? "") !== undefined;
  take(batch, {
    outcome: "unmet",
    route,
    why: `${step.name} is passed over: ${step.when} does not hold`,
    ...(isLimit ? { held: { to: step.name, swap: false } } : {}),
  });
}

/** A child's result is its parent's to sign; and where nothing was made, nothing is signed. */
const isOver = (state: State) => state.parent !== undefined || !hasMade(state);

function finish(batch: DecisionBatch, { why }: Going): undefined {
  if (!batch.state.result) batch.write("RUN_RESULT", { result: "completed", why: clip(why, 2000) });
  batch.write("FINISHED", { outcome: batch.state.result?.result ?? "completed" });
}

/** Outputs as far as a line has room for them; whole texts are artifacts. */
function fitOutputs({ output, error }: StepOutput): Pick<PayloadOf<"STEP_ADVANCED">, "output" | "error"> {
  const fits = output !== undefined && JSON.stringify(output).length <= 16_000;
  return { ...(fits ? { output: { ...output } } : {}), ...(error ? { error: clip(error, 2000) } : {}) };
}
