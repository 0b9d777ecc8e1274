// Steps that need no agent, human or process: the result of each, or undefined when something must be waited for.

import { judgeChain } from "../judge/chain-judge.ts";
import { findScore } from "../judge/confidence.ts";
import { findValidGateEvidence, judge, listRedGates } from "../judge/convergence.ts";
import { collectConvergenceEvidence } from "../judge/convergence-evidence.ts";
import { judgeExit, judgePolicy } from "../judge/exit.ts";
import { buildFacts } from "../judge/facts.ts";
import { isHandedOverAgain, listBrokenGates } from "../judge/gate-runs/repeated.ts";
import type { Step, StepOf } from "../model/program.ts";
import { assertInvariant } from "../model/refusal.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { renderPaper } from "../paper/render.ts";
import { isStepQuestion, questions } from "../questions/questions.ts";
import { getCurrentStep, getTaskProgress } from "../state/workflow-position.ts";
import { isConditionTrue } from "../workflow/condition.ts";
import { fillText, fillValue } from "../workflow/template.ts";
import { adoptCommands } from "./adopt.ts";
import type { DecisionBatch } from "./batch.ts";
import { openChildren } from "./children.ts";
import type { StepResult } from "./step-result.ts";

type Runs = {
  readonly [K in Step["kind"]]?: (batch: DecisionBatch, step: StepOf<K>) => StepResult | undefined;
};

const runs: Runs = {
  gates: ({ state }) => reuseGateResults(state),
  check,
  branch: ({ state }, { if: condition, say }) => {
    const isTrue = isConditionTrue(condition, buildFacts(state), { extra: state.extraRounds });
    const outcome = isTrue ? "yes" : "no";
    return { outcome, why: say?.[outcome] ?? `${condition} ${isTrue ? "holds" : "does not hold"}` };
  },
  context: ({ state }) =>
    state.tree?.context && !state.tree.context.problem
      ? { outcome: "success", why: "what applies to this tree is known" }
      : undefined,
  validate,
  question: ask,
  emit,
  score,
  children: openChildren,
  adopt: adoptCommands,
  done: endTask,
  end: ({ state }) => ({
    outcome: state.result?.result ?? "completed",
    why: state.result?.why ?? "the run is over",
  }),
};

/** The result of the current step if it needs nobody; undefined when it has to wait. */
export function runImmediateStep(batch: DecisionBatch): StepResult | undefined {
  const step = getCurrentStep(batch.state);
  assertInvariant(step, `step ${batch.state.position.step} exists`);
  const run = runs[step.kind] as ((batch: DecisionBatch, step: Step) => StepResult | undefined) | undefined;
  return run?.(batch, step);
}

/** Kinds whose work is done the moment they are entered. */
export const isImmediate = (step: Step): boolean =>
  ["check", "branch", "validate", "emit", "score", "adopt", "done", "end"].includes(step.kind);

function check(batch: DecisionBatch, step: StepOf<"check">): StepResult {
  const { state } = batch;
  if (step.check === "exit") return judgeExit(state);
  if (step.check === "policy") return judgePolicy(state);
  if (step.check === "chain") return judgeChain(state);
  const judgement = judge(state);
  if (judgement.outcome === "converged" && !hasConvergedOnTree(state)) announceConvergence(batch);
  // Workflows pinned before a question existed put it to a human all the same.
  return { ...judgement, outcome: step.on[judgement.outcome] ? judgement.outcome : "stuck" };
}

function ask(batch: DecisionBatch, step: StepOf<"question">): undefined {
  const { state } = batch;
  if (state.questions.some(({ seq }) => seq > state.position.seq)) return undefined;
  const { ask: kind } = step;
  assertInvariant(isStepQuestion(kind), `question ${kind} exists`);
  const { text, options, findings } = questions[kind](state);
  const asked = step.text === undefined ? text : fillText(step.text, buildFacts(state)).text;
  const shown = step.shows === undefined ? undefined : state.papers?.[step.shows]?.value;
  const whole = shown ? `${asked.trimEnd()}\n\n${renderPaper(shown)}` : asked;
  batch.write("HUMAN_QUESTION", {
    question: clip(whole, 8000),
    kind,
    options: [...options],
    findings: [...findings],
  });
}

/** Whether the newest review may be followed: its critic was asked again before, so that this is the last word. */
function validate({ state }: DecisionBatch, { min_confidence: wanted }: StepOf<"validate">): StepResult {
  const review = state.lastReview;
  if (!review || review.tree !== state.tree?.id) return failInvalid("this tree has no review", []);
  if (review.invalid?.length) return failInvalid(review.invalid[0] ?? "", review.invalid);
  const limit = wanted ?? state.config.review.min_confidence;
  const sure = review.opinion?.confidence ?? 1;
  if (sure < limit)
    return failInvalid(`${review.agent} is only ${sure} sure of its review, ${limit} is asked for`, []);
  return {
    outcome: "success",
    why: `the review of ${review.agent} counts`,
    output: { valid: true, reason: "", details: [] },
  };
}

const failInvalid = (reason: string, details: readonly string[]): StepResult => ({
  outcome: "fail",
  why: `the review does not count: ${reason}`,
  output: { valid: false, reason: clip(reason, 1000), details: details.slice(0, 10) },
  error: reason,
});

/** Most payloads say what they say: the facts of a long run are not put together for nothing. */
const refers = (payload: unknown): boolean => JSON.stringify(payload).includes("${");

function emit(batch: DecisionBatch, step: StepOf<"emit">): StepResult {
  const payload = refers(step.payload)
    ? (fillValue(step.payload, buildFacts(batch.state)).value as Record<string, unknown>)
    : step.payload;
  const fits = JSON.stringify(payload).length <= 16_000;
  batch.write("EVENT", { event: step.event, payload: fits ? payload : { note: "too long for the record" } });
  // What a human has accepted is not approved by being completed.
  if (step.result && batch.state.result?.result !== "accepted")
    batch.write("RUN_RESULT", { result: step.result, why: `${step.name} was reached` });
  return { outcome: "done", why: `${step.event} is on the record`, output: { event: step.event } };
}

function score(batch: DecisionBatch): StepResult {
  const confidence = findScore(batch.state);
  if (!confidence) return { outcome: "scored", why: "there is nothing to score" };
  const known = getTaskProgress(batch.state)?.confidence;
  if (known?.tree !== confidence.tree || known.score !== confidence.score)
    batch.write("CONFIDENCE", confidence);
  const { score: value, threshold, met } = confidence;
  return {
    outcome: "scored",
    why: `confidence ${value} (${met ? "at least" : "below"} ${threshold}; advisory)`,
    output: { score: value, met },
  };
}

function endTask(batch: DecisionBatch, step: StepOf<"done">): StepResult {
  const { state } = batch;
  const progress = getTaskProgress(state);
  const key = step.task ?? "";
  const iterations = state.round - (progress?.firstRound ?? 1) + 1;
  const why = state.position.why;
  if (step.status === "exceeded")
    batch.write("TASK_ENDED", {
      task: key,
      status: "exceeded",
      flag: "max_iterations_exceeded",
      iterations,
      why: clip(`not completed: ${why}`, 2000),
    });
  else
    batch.write("TASK_ENDED", {
      task: key,
      status: progress?.accepted ? "accepted" : "completed",
      iterations,
      why: clip(why, 2000),
    });
  return { outcome: "next", why };
}

/** Gates of a tree are run once, unless it is handed over again with a red one: that may be the gate's own fault. */
function reuseGateResults(state: State): StepResult | undefined {
  if (!findValidGateEvidence(state) || listBrokenGates(state).length > 0) return undefined;
  const red = listRedGates(state);
  if (red.length === 0) return { outcome: "success", why: "gates are green on this tree" };
  if (isHandedOverAgain(state)) return undefined;
  return { outcome: "fail", why: `${red.join(", ")} failed on this tree; the reviewer was not asked` };
}

function hasConvergedOnTree(state: State): boolean {
  return state.convergence !== undefined && state.convergence.seq > (state.tree?.seq ?? 0);
}

/** The critic typed a clean pass instead of `converged`: the referee states the same, with the same evidence. */
function announceConvergence(batch: DecisionBatch): void {
  const last = batch.state.reviews.at(-1);
  const turn = batch.state.turn ?? batch.state.lastTurn;
  batch.write("CONVERGENCE", {
    turn: turn?.id ?? "",
    attempt: turn?.attempt ?? 0,
    summary: `All criteria are met after the clean pass of ${last?.agent ?? "the reviewer"}`,
    claim: "",
    evidence: collectConvergenceEvidence(batch.state),
  });
}
