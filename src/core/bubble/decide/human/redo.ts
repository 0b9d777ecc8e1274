// A human takes a step of the workflow back: it is done again, and what rests on it too.

import { findProducerStep, goTo } from "../../../interpreter/interpret.ts";
import type { CommandOf } from "../../../model/command.ts";
import type { Step } from "../../../model/program.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { getCurrentStep, getCurrentTask } from "../../../state/workflow-position.ts";
import type { Rule } from "../../decision.ts";
import { getVia } from "./door.ts";

/** A human takes a step back: it is done again, and what rests on it too. */
export const decideRedo: Rule<"redo"> = (batch, command) => {
  const { state } = batch;
  const problem = checkRedo(state, command);
  if (problem) return problem;
  const step = state.program.steps.find(({ name }) => name === command.step);
  const tasks = [...new Set([...listDependants(state, step?.task), ...listLeftTasks(state, step?.task)])];
  const { turn } = state;
  if (turn?.status === "running")
    batch.write("TURN_ENDED", {
      turn: turn.id,
      attempt: turn.attempt,
      outcome: "superseded",
      detail: `a human takes ${command.step} back`,
    });
  batch.write("STEP_REDONE", {
    step: command.step,
    tasks,
    reason: clip(command.reason, 2000),
    via: getVia(command),
  });
  const makes = step?.kind === "turn" && (step.answer === "handoff" || step.answer === "paper");
  const again = makes ? "next" : "same";
  goTo(
    batch,
    "redo",
    { to: command.step, round: again, roles: "keep" },
    `a human takes this step back: ${command.reason}`,
  );
};

function checkRedo(state: State, { step: name, reason }: CommandOf<"redo">): Refusal | undefined {
  const known = state.program.steps.map((step) => step.name);
  const hint = `pairflow workflow redo --id ${state.bubbleId} --step ${known[0]} --reason "…"`;
  const step = state.program.steps.find((candidate) => candidate.name === name);
  if (!step)
    return refuse("redo.unknown-step", `there is no step ${name}`, hint, [`steps: ${known.join(", ")}`]);
  if (!reason.trim()) return refuse("redo.no-reason", "taking a step back needs a reason", '--reason "…"');
  if (!["RUNNING", "WAITING_HUMAN", "READY_FOR_APPROVAL"].includes(state.lifecycle))
    return refuse(
      "redo.wrong-state",
      `${state.bubbleId} is ${state.lifecycle}: no step can be taken back`,
      `pairflow bubble status --id ${state.bubbleId}`,
    );
  if (!isReached(state, step))
    return refuse("redo.not-reached", `${name} was not reached yet`, `pairflow log --id ${state.bubbleId}`);
  if (isSkippingJudges(state, step))
    return refuse(
      "redo.not-judged",
      `${name} comes after the judge, and what is there now was not judged`,
      `pairflow workflow redo --id ${state.bubbleId} --step ${findProducerStep(state).name} --reason "…"`,
    );
  if (!isInPhase(state, step))
    return refuse(
      "redo.not-judged",
      `${name} is about what its phase makes, and that is not what is there now`,
      `pairflow workflow redo --id ${state.bubbleId} --step ${listMakers(state, step.task)[0]?.name ?? name} --reason "…"`,
    );
  if (state.children && !state.children.joined)
    return refuse(
      "redo.children",
      "children are at work; their results would be lost",
      `pairflow bubble status --id ${state.bubbleId}`,
    );
  if (state.turn?.status === "claimed")
    return refuse("redo.handing-over", "a turn is being handed over", "try again in a moment");
}

/** Going back behind the judge from before it, from another task or with another tree would go past it. */
function isSkippingJudges(state: State, step: Step): boolean {
  const here = getCurrentStep(state);
  if (!isBehindJudge(state, step) || here?.name === step.name) return false;
  const reached = state.steps?.[step.name]?.seq ?? 0;
  // From a question or a check the way on leads through its answer.
  const isOpen = here?.kind === "question" || here?.kind === "check";
  const isElsewhere = here === undefined || isOpen || here.task !== step.task || !isBehindJudge(state, here);
  return isElsewhere || reached <= (state.tree?.seq ?? 0);
}

/** Between phases everything rests on the result of the phase before. */
const isBehindJudge = ({ program }: State, step: Step): boolean =>
  ["question", "lock", "done", "emit", "end", "approval"].includes(step.kind) ||
  (step.kind === "check" && step.check === "policy") ||
  (program.phases !== undefined && step.task === undefined);

/** Of a phase that is over, or that has made nothing yet, only the turns that make something can be done again. */
function isInPhase(state: State, step: Step): boolean {
  const { program, tasks = {}, tree } = state;
  if (!program.phases || step.task === undefined) return true;
  const makers = listMakers(state, step.task);
  if (makers.includes(step)) return true;
  if (tasks[step.task]?.status !== "running" || !tree) return false;
  return makers.some((maker) => maker.kind === "turn" && maker.paper === tree.paper?.kind);
}

function listMakers({ program }: State, phase: string | undefined): Step[] {
  return program.steps.filter(
    (step) =>
      step.kind === "turn" && step.task === phase && (step.answer === "handoff" || step.answer === "paper"),
  );
}

/** It was entered before, and its task was not taken back since then. */
function isReached(state: State, { name, task }: Step): boolean {
  const isBegun =
    task === undefined || getCurrentTask(state)?.key === task || state.tasks?.[task] !== undefined;
  return isBegun && (state.steps?.[name] !== undefined || state.position.step === name);
}

/** A task that was at work when another one is taken up again: it begins anew afterwards. */
function listLeftTasks(state: State, key: string | undefined): string[] {
  const here = getCurrentTask(state)?.key;
  return here !== undefined && here !== key && state.tasks?.[here]?.status === "running" ? [here] : [];
}

/** Tasks that rest on this one, directly or through others, and have begun. */
function listDependants({ program, tasks = {} }: State, key: string | undefined): string[] {
  if (key === undefined) return [];
  const found = new Set<string>();
  const visit = (one: string): void => {
    for (const task of program.tasks ?? [])
      if (task.depends_on.includes(one) && !found.has(task.key)) {
        found.add(task.key);
        visit(task.key);
      }
  };
  visit(key);
  return [...found].filter((one) => tasks[one]);
}
