// What drivers report about steps of a workflow: context put together, workflows started, time that is up.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { advance, hasRouteFor, runOn } from "../../../interpreter/interpret.ts";
import { getRunDeadline, getStepDeadline, getWaitDeadline } from "../../../limits/timers.ts";
import type { StepOf } from "../../../model/program.ts";
import { clip } from "../../../model/value/sizes.ts";
import { describeSeconds, parseTime } from "../../../model/value/time.ts";
import { acceptLastTree, rejectOption } from "../../../questions/common-options.ts";
import { listOpenFindings } from "../../../state/severity.ts";
import { getCurrentStep } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";
import { endTurn } from "./turn-end.ts";

/** Steps that need nobody continue after a command that had done enough. */
export const continueStep: Rule<"go-on"> = (batch, command) => {
  if (batch.state.lifecycle !== "RUNNING" || command.entered !== batch.state.position.seq)
    return refuseNotDue("continuing");
  runOn(batch);
};

/** What applies to the tree was put together once more: the step continues, or its critic can be asked now. */
export const decideContextAssembled: Rule<"context-assembled"> = (batch, command) => {
  const { state } = batch;
  const step = getCurrentStep(state);
  const isAsked = step?.kind === "context" || (step?.kind === "turn" && state.tree?.context?.problem);
  if (!isAsked || state.lifecycle !== "RUNNING" || command.tree !== state.tree?.id)
    return refuseNotDue("the context");
  const { tree, context } = command;
  batch.write("CONTEXT_ASSEMBLED", { tree, context });
  const { problem } = context;
  const output = { sop_ids: context.sops.map(({ id }) => id) };
  if (step?.kind === "context")
    advance(
      batch,
      problem ? "fail" : "success",
      problem ?? "what applies to this tree is known",
      problem ? { output, error: problem } : { output },
    );
  else if (problem) askAboutContext(batch, problem);
};

/** No critic is asked without what it must answer for. */
function askAboutContext(batch: DecisionBatch, problem: string): void {
  batch.write("HUMAN_QUESTION", {
    question: `No reviewer can be asked: ${clip(problem, 1000)}. Fix it, then choose retry.`,
    kind: "context",
    ...(batch.state.turn ? { turn: batch.state.turn.id } : {}),
    options: [
      { key: "retry", does: "puts the context of this tree together once more" },
      rejectOption(batch.state),
    ],
  });
}

/** Another workflow runs now as a bubble of its own; this run ends as routed, unless it has a result of its own. */
export const decideWorkflowStarted: Rule<"workflow-started"> = (batch, command) => {
  const { state } = batch;
  const step = getCurrentStep(state);
  if (step?.kind !== "start" || step.name !== command.step || state.lifecycle !== "RUNNING")
    return refuseNotDue(`starting ${command.workflow}`);
  const { workflow, bubble, problem } = command;
  batch.write("WORKFLOW_STARTED", {
    step: step.name,
    workflow,
    ...(bubble ? { bubble } : {}),
    ...(problem ? { problem: clip(problem, 2000) } : {}),
  });
  if (!bubble) {
    const why = problem ?? `workflow ${workflow} could not be started`;
    advance(batch, "fail", why, { error: why });
    return undefined;
  }
  const why = `${workflow} continues with this as ${bubble}`;
  if (!state.result) batch.write("RUN_RESULT", { result: "routed", why, to: bubble });
  advance(batch, "success", why, { output: { workflow, bubble } });
};

/** A plan, its tasks or an amendment stand with the project now, or cannot. */
export const decidePlanKept: Rule<"plan-kept"> = (batch, command) => {
  const { state } = batch;
  const step = getCurrentStep(state);
  if (step?.kind !== "plan" || step.name !== command.step || state.lifecycle !== "RUNNING")
    return refuseNotDue(`keeping the plan ${command.slug}`);
  const { act, slug, problem } = command;
  batch.write("PLAN_KEPT", {
    step: step.name,
    act,
    slug,
    ...(problem ? { problem: clip(problem, 2000) } : {}),
  });
  if (problem) advance(batch, "refused", problem, { error: problem });
  else advance(batch, "kept", keptSentence[act](slug), { output: { slug } });
};

const keptSentence: Readonly<Record<StepOf<"plan">["act"], (slug: string) => string>> = {
  save: (slug) => `plan ${slug} is kept as a scratchpad`,
  commit: (slug) => `plan ${slug} is committed`,
  propose: (slug) => `the tasks of plan ${slug} are proposed`,
  tasks: (slug) => `the tasks of plan ${slug} are kept`,
  amend: (slug) =>
    slug
      ? `plan ${slug} is amended; what was signed stays as it was`
      : "no plan stands behind this; what changes is on this record",
};

/**
 * A moment has come: a wait is over, a step or the whole run has had its time. The record says how long; that it has passed
 * is told by the record's clock, or by a driver that has waited so long.
 */
export const decideTimeUp: Rule<"time-up"> = (batch, command) => {
  const { state, at } = batch;
  const limits = { wait: getWaitDeadline, step: getStepDeadline, run: getRunDeadline };
  const limit = limits[command.what](state);
  const isThen = command.what === "run" || command.entered === state.position.seq;
  const isMeasured = command.measured === true && command.actor.kind === "driver";
  const isReached = limit !== undefined && (isMeasured || parseTime(at) >= limit);
  if (!isReached || !isThen || state.lifecycle !== "RUNNING" || state.pause)
    return refuseNotDue(`the end of this ${command.what}`);
  if (command.what === "wait") advance(batch, "done", "the wait is over");
  else if (command.what === "step") timeOutStep(batch);
  else runTimedOut(batch);
};

function timeOutStep(batch: DecisionBatch): void {
  const step = getCurrentStep(batch.state);
  const why = `${step?.name} has had its ${describeSeconds(step?.timeout_s ?? 0)}`;
  const { turn } = batch.state;
  if (step?.kind === "turn" && turn?.status === "running") {
    endTurn(batch, turn, { outcome: "timed-out", detail: why });
    return;
  }
  const outcome = step?.kind === "children" ? "failed" : "fail";
  if (hasRouteFor(batch.state, outcome)) advance(batch, outcome, why, { error: why });
  else ask(batch, `${why}. How shall this continue?`);
}

function runTimedOut(batch: DecisionBatch): void {
  const { state } = batch;
  const { turn } = state;
  const why = `the run has had its ${describeSeconds(state.program.timeout_s ?? 0)}`;
  if (turn?.status === "running") endTurn(batch, turn, { outcome: "over-budget", detail: why });
  if (batch.state.lifecycle === "RUNNING") ask(batch, `Time is up: ${why}. How shall this continue?`);
}

function ask(batch: DecisionBatch, question: string): void {
  const { state } = batch;
  batch.write("HUMAN_QUESTION", {
    question,
    kind: "timeout",
    ...(state.turn ? { turn: state.turn.id } : {}),
    options: [
      ...acceptLastTree(state),
      { key: "continue", does: "gives it the same time once more; your message goes to the agent" },
      rejectOption(batch.state),
    ],
    findings: listOpenFindings(state).map(({ id }) => id),
  });
}
