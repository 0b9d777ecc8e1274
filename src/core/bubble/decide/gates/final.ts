// The result of the final gate run: green asks for approval, red goes to the producer like any red gate, and what a round cannot
// fix goes to a human with the answers that work.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { findProducerStep, goTo, takeRouteOf } from "../../../interpreter/interpret.ts";
import { isWaived, listRedGates } from "../../../judge/convergence.ts";
import {
  countRedFinalRuns,
  findGatesOfProducer,
  isFinalRunAccepted,
  isFinalRunDue,
  isRedTooOften,
} from "../../../judge/gate-runs/final.ts";
import { areRoundsSpent } from "../../../limits/rounds.ts";
import type { CommandOf } from "../../../model/command.ts";
import type { State } from "../../../model/state.ts";
import { clip, takeFitting } from "../../../model/value/sizes.ts";
import { rejectOption } from "../../../questions/common-options.ts";
import { findTask, getCurrentStep } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";
import { getViaAndDoor } from "../human/door.ts";
import { type Answered, cancel } from "../human/reply/choice.ts";
import { writeCleanRun } from "./clean-checkout.ts";
import { room, runGatesAgain } from "./results.ts";

export const decideFinalGates: Rule<"final-gates-ran"> = (batch, command) => {
  const { state } = batch;
  const { tree, results } = command;
  const isHere = getCurrentStep(state)?.kind === "approval" && state.lifecycle === "RUNNING";
  if (!isHere || tree !== state.tree?.id || !isFinalRunDue(state)) return refuseNotDue("the final gate run");
  const before = state.gates?.tree === tree ? state.gates.results : [];
  const flaky = new Set(before.flatMap(({ name, flaky: was }) => (was ? [name] : [])));
  const judged = results.map((result) =>
    flaky.has(result.name) ? { ...result, flaky: true as const } : result,
  );
  writeCleanRun(batch, { ...command, results: judged }, { attempt: countRedFinalRuns(state) + 1 });
  follow(batch, command);
};

function follow(batch: DecisionBatch, command: CommandOf<"final-gates-ran">): undefined {
  const red = listRedGates(batch.state);
  const problem = findProblem(batch.state, command);
  if (problem !== undefined) return red.length > 0 ? ask(batch, problem, command.output) : undefined;
  if (red.length === 0) return undefined;
  const step = findGatesOfProducer(batch.state, findProducerStep(batch.state));
  const what = `${red.join(", ")} failed on a clean checkout of exactly this tree`;
  if (!step || isRedTooOften(batch.state) || isFinalRunAccepted(batch.state) || isTaskSpent(batch.state))
    return ask(batch, what, command.output);
  takeUpAgain(batch, what);
  takeRouteOf(batch, step, "fail", `${what}; nobody was asked to approve it`);
}

/** Why the run says nothing about the tree, or undefined. */
function findProblem(
  state: State,
  { clean, changed, results }: CommandOf<"final-gates-ran">,
): string | undefined {
  if (clean.problem) return `The clean checkout could not be made ready: ${clean.problem}`;
  if (changed.length > 0)
    return `The gates change files of the tree they judge (${changed.slice(0, 5).join(", ")})`;
  const broken = results.filter(
    ({ required, status, name }) => required && status === "error" && !isWaived(state, name),
  );
  const hints = broken.map(({ name, hint }) => `${name}: ${hint ?? "cannot run"}`);
  return broken.length > 0
    ? `A required gate cannot run on a clean checkout (${hints.join("; ")})`
    : undefined;
}

/** Taking up a task again gives it a round; where its own are used, only a human grants one. */
function isTaskSpent(state: State): boolean {
  const { name, task } = findProducerStep(state);
  if (!state.program.tasks || task === undefined) return false;
  return areRoundsSpent({ ...state, position: { ...state.position, step: name } });
}

/** A task that was over begins again; phases are taken up by the route itself. */
function takeUpAgain(batch: DecisionBatch, why: string): void {
  const { program } = batch.state;
  const task = program.tasks && findTask(batch.state, findProducerStep(batch.state).task);
  if (task) batch.write("TASK_STARTED", { task: task.key, roles: task.roles, why: clip(why, 2000) });
}

/** The same answers as for gates of a round, the harmless one first. */
function ask(batch: DecisionBatch, what: string, output: string): undefined {
  const gates = listRedGates(batch.state);
  batch.write("HUMAN_QUESTION", {
    question: clip(
      `${what}. Nobody is asked to approve this tree before that is settled. What was printed: ${output}`,
      8000,
    ),
    kind: "final-gates",
    gates: takeFitting(gates, room.paths),
    options: [
      { key: "again", does: "runs the gates again on a new clean checkout" },
      ...(gates.length > 0
        ? [
            {
              key: "waive",
              does: clip(`${gates.join(", ")} need not pass, with your reason; the package says so`, 300),
            },
          ]
        : []),
      { key: "rework", does: "the producer goes again with your message" },
      rejectOption(batch.state),
    ],
  });
}

/** A human has answered: once more, signed for, back to work, or given up. */
export function decideFinalGatesReply(batch: DecisionBatch, answered: Answered): void {
  const { question, choice, command } = answered;
  const why = clip(`the human chose ${choice}: ${command.message}`, 2000);
  if (choice === "reject") cancel(batch, answered);
  else if (choice === "waive") {
    const reason = clip(command.message, 2000);
    batch.write("GATES_WAIVED", { gates: [...(question.gates ?? [])], reason, ...getViaAndDoor(command) });
  } else if (choice === "rework") {
    takeUpAgain(batch, why);
    goTo(batch, choice, { to: findProducerStep(batch.state).name, round: "next", roles: "keep" }, why);
  } else runGatesAgain(batch);
}
