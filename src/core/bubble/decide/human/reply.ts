// A human's answer to a question, and what it sets going.
import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { open as openAnyway } from "../../../interpreter/children.ts";
import { advance, findApprovalStep, findProducerStep, goTo } from "../../../interpreter/interpret.ts";
import { listRedGates } from "../../../judge/convergence.ts";
import { areRoundsSpent } from "../../../limits/rounds.ts";
import type { Question } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { handOverKey } from "../../../questions/common-options.ts";
import { getCurrentStep, getCurrentTask, getIteration } from "../../../state/workflow-position.ts";
import { decideBaseGatesReply } from "../gates/base.ts";
import { decideFinalGatesReply } from "../gates/final.ts";
import { runGatesAgain, settleGates } from "../gates/results.ts";
import { getViaAndDoor } from "./door.ts";
import {
  type Answered,
  cancel,
  describeChoice,
  findNextAgent,
  isDeciding,
  isWaiver,
  plainIsFirst,
  type Reply,
} from "./reply/choice.ts";

export function applyAnswer(batch: DecisionBatch, question: Question, command: Reply): void {
  const { state } = batch;
  const { turn } = state;
  const choice =
    command.choice ?? (plainIsFirst.includes(question.kind) ? question.options?.[0]?.key : undefined);
  const other = isHandover(question, choice) ? findNextAgent(state) : undefined;
  batch.write(
    "HUMAN_REPLY",
    {
      question: question.id,
      message: command.message,
      ...getViaAndDoor(command),
      ...(choice ? { choice } : {}),
      // A running attempt belongs to its agent to the end; there its end names the next agent.
      ...(other && turn?.status === "due" ? { agent: other } : {}),
      ...collectGrants(state, { question, choice, command }),
    },
    { to: turn?.agent ?? "orchestrator" },
  );
  const answered: Answered = { question, choice, command };
  if (aboutTurn.includes(question.kind)) decideTurnReply(batch, answered);
  else if (question.kind === "budget" || question.kind === "timeout") decideBudgetReply(batch, answered);
  else if (question.kind === "gates") decideGatesReply(batch, answered);
  else if (question.kind === "final-gates") decideFinalGatesReply(batch, answered);
  else if (question.kind === "base-gates") decideBaseGatesReply(batch, answered);
  else follow(batch, answered);
}

/** Questions about an agent that has or had the turn. */
const aboutTurn = ["watchdog", "lost-agent", "undelivered", "refused"];

const isHandover = (question: Question, choice: string | undefined) =>
  aboutTurn.includes(question.kind) && choice === handOverKey;

/** The agent goes again, another one takes the turn, or the bubble ends. */
function decideTurnReply(batch: DecisionBatch, answered: Answered): void {
  const { question, choice } = answered;
  if (choice === "reject") cancel(batch, answered);
  else if (isHandover(question, choice)) restart(batch, findNextAgent(batch.state));
  else if (question.kind === "refused") retryRefused(batch);
  else if (choice !== "wait") restart(batch);
}

/**
 * An agent whose answers were refused tries again. In a pane it is told so in place; a process without a terminal cannot
 * be told anything, and its end must not count as one more failed attempt.
 */
export function retryRefused(batch: DecisionBatch): void {
  if (batch.state.turn?.seat !== "tmux") restart(batch);
}

/** Questions about gates: run again, signed for, sent back, or given up. */
function decideGatesReply(batch: DecisionBatch, answered: Answered): void {
  const { question, choice, command } = answered;
  const { message } = command;
  if (choice === "reject") cancel(batch, answered);
  else if (choice === "rework") advance(batch, "fail", clip(describeChoice(choice, message), 2000));
  else if (choice === "waive") {
    const gates = [...(question.gates ?? [])];
    batch.write("GATES_WAIVED", { gates, reason: clip(message, 2000), ...getViaAndDoor(command) });
    settleGates(batch, listRedGates(batch.state));
  } else runGatesAgain(batch);
}

/** A spent budget ends as a spent round limit does: accepted as it is, continued, or given up. */
function decideBudgetReply(batch: DecisionBatch, answered: Answered): void {
  const { choice, command } = answered;
  if (choice === "reject") cancel(batch, answered);
  if (choice !== "accept") return;
  const route = { to: findApprovalStep(batch.state).name, round: "same", roles: "keep" } as const;
  const why = describeChoice(choice, command.message);
  acceptTasks(batch, why);
  goTo(batch, choice, route, why);
}

/** What is there is taken as it is: the current task as accepted, those that have not begun as left out. */
function acceptTasks(batch: DecisionBatch, sentence: string): void {
  const reason = clip(sentence, 2000);
  const { program, tasks = {} } = batch.state;
  if (!program.tasks) return;
  const now = getCurrentTask(batch.state)?.key;
  for (const { key, joins } of program.tasks) {
    const status = key === now ? "accepted" : tasks[key] || joins ? undefined : "skipped";
    const iterations = key === now ? getIteration(batch.state) : 0;
    if (status) batch.write("TASK_ENDED", { task: key, status, iterations, why: reason });
  }
  batch.write("RUN_RESULT", { result: "accepted", why: reason });
}

/** What the answer signs away or gives: waived findings and gates, further rounds. */
function collectGrants(state: State, answered: Answered) {
  const { question, choice, command } = answered;
  const isContinued = isDeciding(question) && choice === "continue";
  const isBudget = question.kind === "budget";
  const rounds = countGrantedRounds(state, answered);
  return {
    ...(rounds > 0 ? { rounds } : {}),
    ...(isContinued && isBudget ? { budgets: 1 } : {}),
    ...(isWaiver(question, choice) && question.gates === undefined
      ? { waived: listWaivedIds(question, command) }
      : {}),
    ...(command.waiveGates?.length ? { waived_gates: [...command.waiveGates] } : {}),
  };
}

/**
 * Rounds that are said, or the one that the answer needs where all are used. A tree that is sent back needs one; a task
 * that is taken up again has one.
 */
function countGrantedRounds(state: State, { question, choice, command }: Answered): number {
  const { kind } = question;
  if (kind === "final-gates" && choice === "rework")
    return findProducerStep(state).task === undefined && areRoundsSpent(state) ? 1 : 0;
  if (!isDeciding(question) || choice !== "continue") return 0;
  const isLimit = kind !== "budget" && kind !== "timeout" && areRoundsSpent(state);
  return command.rounds ?? (isLimit ? 1 : 0);
}

/** What the answer sets going. */
function follow(batch: DecisionBatch, answered: Answered): void {
  const { question, choice } = answered;
  const { message } = answered.command;
  const step = getCurrentStep(batch.state);
  const asked = step?.kind === "question" && step.ask === question.kind;
  if (asksWhetherAtAll.includes(question.kind)) decideDoubtReply(batch, answered);
  else if (asked && choice) advanceByAnswer(batch, choice, message);
  else if (question.kind === "comprehension" && choice === "unclear") explainAgain(batch, message);
}

const asksWhetherAtAll = ["pair-corrupt", "depth", "context", "git-settings"];

/** Whether this continues at all; what it was about is done again by the effect that owed it. */
function decideDoubtReply(batch: DecisionBatch, { question, choice, command }: Answered): void {
  const reason = clip(describeChoice("reject", command.message), 2000);
  const step = getCurrentStep(batch.state);
  if (choice === "reject") batch.write("CANCELLED", { reason, via: "cli" });
  else if (question.kind === "depth" && step?.kind === "children") openAnyway(batch, step);
}

/** A question of the workflow is answered: the answer is its outcome, and where it ends the run, the run's result. */
function advanceByAnswer(batch: DecisionBatch, choice: string, message: string): void {
  const sentence = describeChoice(choice, message);
  const { steps, phases } = batch.state.program;
  const isRun = phases !== undefined || steps.some(({ kind }) => kind === "end");
  const result = { accept: "accepted", reject: "rejected" } as const;
  if (isRun && (choice === "accept" || choice === "reject"))
    batch.write("RUN_RESULT", { result: result[choice], why: clip(sentence, 2000) });
  const tree = batch.state.tree?.id ?? "";
  advance(batch, choice, sentence, { output: { decision: choice, message: clip(message, 4000), tree } });
}

/** The document was explained and not understood: its author goes again. */
function explainAgain(batch: DecisionBatch, message: string): void {
  const route = { to: findProducerStep(batch.state).name, round: "next", roles: "keep" } as const;
  goTo(batch, "unclear", route, describeChoice("unclear", message));
}

/** Named findings, or all that the question is about. */
function listWaivedIds(question: Question, command: Reply): string[] {
  return [...(command.findings?.length ? command.findings : (question.findings ?? []))];
}

/** The turn's process is superseded: the same turn is owed again, by another agent where one takes over. */
function restart(batch: DecisionBatch, agent?: string): void {
  const turn = batch.state.turn;
  if (turn?.status === "running")
    batch.write("TURN_ENDED", {
      turn: turn.id,
      attempt: turn.attempt,
      outcome: "superseded",
      detail: agent ? `the operator gives the turn to ${agent}` : "restarted by the operator",
      ...(agent ? { next: { session: "fresh", agent } } : {}),
    });
}
