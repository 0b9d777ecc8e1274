// A human's answer: is it one of the choices, and what does it do.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { open as openAnyway } from "../../../interpreter/children.ts";
import { advance, findApprovalStep, findProducerStep, goTo } from "../../../interpreter/interpret.ts";
import { listRedGates } from "../../../judge/convergence.ts";
import { areRoundsSpent } from "../../../limits/rounds.ts";
import type { CommandOf } from "../../../model/command.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { Question, State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { handOverKey } from "../../../questions/common-options.ts";
import { isSubstantial } from "../../../review/evidence/words.ts";
import { findFallbackAgent } from "../../../state/agents.ts";
import { getCurrentStep, getCurrentTask, getIteration } from "../../../state/workflow-position.ts";
import { baseGatesQuestion, decideBaseGatesReply } from "../gates/base.ts";
import { decideFinalGatesReply, finalGatesQuestion } from "../gates/final.ts";
import { runGatesAgain, settleGates } from "../gates/results.ts";
import { getVia, getViaAndDoor } from "./door.ts";

type Reply = CommandOf<"reply">;

/** Choices that waive something need a reason; they are a human's signature. */
const waiving = ["accept", "waive"];

/** Trusting a review that is not sure of itself is a signature too. */
const needsReason = ["trust"];

/** Questions of a running turn or effect take plain words too: the first option is meant. */
const plainIsFirst = [
  "watchdog",
  "lost-agent",
  "undelivered",
  "refused",
  "gates",
  finalGatesQuestion,
  baseGatesQuestion,
  "context",
];

export function checkReply(state: State, question: Question, command: Reply): Refusal | undefined {
  const keys = question.options?.map((option) => option.key) ?? [];
  const choose = (key: string) =>
    `pairflow bubble reply --id ${state.bubbleId} --choose ${key} --message "…"`;
  if (question.kind === "tree-changed")
    return refuse(
      "reply.use-resume",
      "changed files are kept or put back with resume",
      `pairflow bubble resume --id ${state.bubbleId} --keep   or   --put-back`,
    );
  if (
    question.kind !== "agent" &&
    keys.length > 0 &&
    !command.choice &&
    !plainIsFirst.includes(question.kind)
  ) {
    return refuse(
      "reply.needs-choice",
      `${question.id} needs a choice: ${keys.join(" | ")}`,
      choose(keys[0] ?? ""),
      question.options?.map((option) => `${option.key}: ${option.does}`),
    );
  }
  if (command.choice && !keys.includes(command.choice))
    return refuse(
      "reply.unknown-choice",
      `${command.choice} is no answer to ${question.id}`,
      keys.length > 0 ? `one of: ${keys.join(" | ")}` : "answer with --message alone",
    );
  const words = checkWords(question, command, choose) ?? handOverRefused(state, question, command, choose);
  if (words) return words;
  const limits = checkLimits(question, command);
  if (limits) return limits;
  if (isWaiver(question, command.choice))
    return checkWaiver(state, question, command, choose(command.choice ?? ""));
  return undefined;
}

/** The fallback is a setting that may have changed since the question was asked. */
function handOverRefused(
  state: State,
  question: Question,
  { choice }: Reply,
  choose: (key: string) => string,
): Refusal | undefined {
  if (!isDeciding(question) || choice !== handOverKey || findNextAgent(state) !== undefined) return undefined;
  return refuse("reply.no-fallback", "no other agent may take this turn now", choose("retry"));
}

const findNextAgent = ({ turn, ...rest }: State) =>
  turn && turn.status !== "claimed" ? findFallbackAgent({ ...rest, turn }, turn) : undefined;

/** Some answers are only as good as the words that come with them. */
function checkWords(
  question: Question,
  { choice = "", message }: Reply,
  choose: (key: string) => string,
): Refusal | undefined {
  if (!choice && !message.trim()) return refuse("reply.empty", "an answer needs words", '--message "…"');
  if (question.kind === "comprehension" && !isSubstantial(message))
    return refuse(
      "reply.own-words",
      choice === "understood" ? "say in your own words what the document means" : "say what is unclear",
      choose(choice),
    );
  if (isDeciding(question) && needsReason.includes(choice) && !message.trim())
    return refuse("reply.no-reason", `${choice} needs a reason`, choose(choice));
  return undefined;
}

/** An agent's own options are words to it; whatever they are called, they decide nothing here. */
const isDeciding = (question: Question) => question.kind !== "agent";

function isWaiver(question: Question, choice: string | undefined): boolean {
  return isDeciding(question) && choice !== undefined && waiving.includes(choice);
}

/** Rounds are granted, gates and findings waived, only by the choices that do so. */
function checkLimits(question: Question, command: Reply): Refusal | undefined {
  const { choice, rounds } = command;
  const grants = isDeciding(question) && choice === "continue";
  if (rounds !== undefined && !grants)
    return refuse(
      "reply.rounds",
      "rounds are granted by choosing continue, where that is a choice",
      "--choose continue --rounds 2",
    );
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000))
    return refuse("reply.rounds", `${rounds} is no number of rounds`, "--choose continue --rounds 2");
  if (command.waiveGates?.length && !(isDeciding(question) && choice === "accept"))
    return refuse(
      "reply.waive-gate",
      "gates are waived by choosing accept, where that is a choice",
      '--choose accept --waive-gate NAME --message "…"',
    );
  if (command.findings?.length && !isWaiver(question, choice))
    return refuse("reply.findings", "findings are named only to waive them", '--message "…"');
  return undefined;
}

function checkWaiver(state: State, question: Question, command: Reply, example: string): Refusal | undefined {
  if (!command.message.trim()) return refuse("reply.no-reason", `${command.choice} needs a reason`, example);
  const asked = question.findings ?? [];
  const unknown = command.findings?.find((id) => !asked.includes(id));
  if (unknown)
    return refuse(
      "reply.unknown-finding",
      `${unknown} is not what ${question.id} is about`,
      asked.length > 0 ? `one of: ${asked.join(", ")}` : example,
    );
  if (command.choice !== "accept") return undefined;
  if (!state.tree)
    return refuse(
      "reply.no-tree",
      "there is no handed-over tree to accept",
      example.replace("accept", "continue"),
    );
  const left = command.findings?.length ? asked.filter((id) => !command.findings?.includes(id)) : [];
  if (left.length > 0)
    return refuse(
      "reply.findings-left",
      `accepting leaves ${left.join(", ")} open`,
      `${example}${asked.map((id) => ` --finding ${id}`).join("")}`,
    );
  const red = listRedGates(state).filter((name) => !command.waiveGates?.includes(name));
  if (red.length > 0)
    return refuse(
      "reply.red-gates",
      `gates are not green on this tree: ${red.join(", ")}`,
      `${example}${red.map((name) => ` --waive-gate ${name}`).join("")}`,
    );
  return undefined;
}

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
      ...collectGrants(state, question, command, choice),
    },
    { from: "human", to: turn?.agent ?? "orchestrator" },
  );
  if (aboutTurn.includes(question.kind)) decideTurnReply(batch, question, choice, command);
  else if (question.kind === "budget" || question.kind === "timeout")
    decideBudgetReply(batch, choice, command);
  else if (question.kind === "gates") decideGatesReply(batch, question, choice, command);
  else if (question.kind === finalGatesQuestion) decideFinalGatesReply(batch, question, choice, command);
  else if (question.kind === baseGatesQuestion) decideBaseGatesReply(batch, question, choice, command);
  else follow(batch, question, choice, command.message);
}

/** Questions about an agent that has or had the turn. */
const aboutTurn = ["watchdog", "lost-agent", "undelivered", "refused"];

const isHandover = (question: Question, choice: string | undefined) =>
  aboutTurn.includes(question.kind) && choice === handOverKey;

/** The agent goes again, another one takes the turn, or the bubble ends. */
function decideTurnReply(
  batch: DecisionBatch,
  question: Question,
  choice: string | undefined,
  command: Reply,
): void {
  if (choice === "reject")
    batch.write("CANCELLED", {
      reason: clip(describeChoice(choice, command.message), 2000),
      via: getVia(command),
    });
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
function decideGatesReply(
  batch: DecisionBatch,
  question: Question,
  choice: string | undefined,
  command: Reply,
): void {
  const { message } = command;
  if (choice === "reject")
    batch.write("CANCELLED", { reason: clip(describeChoice(choice, message), 2000), via: getVia(command) });
  else if (choice === "rework") advance(batch, "fail", clip(describeChoice(choice, message), 2000));
  else if (choice === "waive") {
    const gates = [...(question.gates ?? [])];
    batch.write(
      "GATES_WAIVED",
      { gates, reason: clip(message, 2000), ...getViaAndDoor(command) },
      { from: "human" },
    );
    settleGates(batch, listRedGates(batch.state));
  } else runGatesAgain(batch);
}

/** A spent budget ends as a spent round limit does: accepted as it is, continued, or given up. */
function decideBudgetReply(batch: DecisionBatch, choice: string | undefined, command: Reply): void {
  if (choice === "reject")
    batch.write("CANCELLED", {
      reason: clip(describeChoice(choice, command.message), 2000),
      via: getVia(command),
    });
  if (choice === "accept") {
    const route = { to: findApprovalStep(batch.state).name, round: "same", roles: "keep" } as const;
    acceptTasks(batch, describeChoice(choice, command.message));
    goTo(batch, choice, route, describeChoice(choice, command.message));
  }
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
function collectGrants(state: State, question: Question, command: Reply, choice: string | undefined) {
  const goesOn = isDeciding(question) && choice === "continue";
  const isBudget = question.kind === "budget";
  const rounds = countGrantedRounds(state, question, command, choice);
  return {
    ...(rounds > 0 ? { rounds } : {}),
    ...(goesOn && isBudget ? { budgets: 1 } : {}),
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
function countGrantedRounds(
  state: State,
  question: Question,
  command: Reply,
  choice: string | undefined,
): number {
  const { kind } = question;
  if (kind === finalGatesQuestion && choice === "rework")
    return findProducerStep(state).task === undefined && areRoundsSpent(state) ? 1 : 0;
  if (!isDeciding(question) || choice !== "continue") return 0;
  const isLimit = kind !== "budget" && kind !== "timeout" && areRoundsSpent(state);
  return command.rounds ?? (isLimit ? 1 : 0);
}

/** What the answer sets going. */
function follow(
  batch: DecisionBatch,
  question: Question,
  choice: string | undefined,
  message: string,
): undefined {
  const step = getCurrentStep(batch.state);
  if (asksWhetherAtAll.includes(question.kind)) return decideDoubtReply(batch, question, choice, message);
  const asked = step?.kind === "question" && step.ask === question.kind;
  if (asked && choice) advanceByAnswer(batch, choice, message);
  else if (question.kind === "comprehension" && choice === "unclear") explainAgain(batch, message);
}

const asksWhetherAtAll = ["pair-corrupt", "depth", "context", "git-settings"];

/** Whether this continues at all; what it was about is done again by whoever owed it. */
function decideDoubtReply(
  batch: DecisionBatch,
  question: Question,
  choice: string | undefined,
  message: string,
): undefined {
  if (choice === "reject") {
    batch.write("CANCELLED", { reason: clip(describeChoice("reject", message), 2000), via: "cli" });
    return;
  }
  const step = getCurrentStep(batch.state);
  if (question.kind === "depth" && step?.kind === "children") openAnyway(batch, step);
}

/** A question of the workflow is answered: the answer is its outcome, and where it ends the run, the run's result. */
function advanceByAnswer(batch: DecisionBatch, choice: string, message: string): void {
  const sentence = describeChoice(choice, message);
  const { steps, phases } = batch.state.program;
  const isRun = phases !== undefined || steps.some(({ kind }) => kind === "end");
  if (isRun && choice === "accept")
    batch.write("RUN_RESULT", { result: "accepted", why: clip(sentence, 2000) });
  if (isRun && choice === "reject")
    batch.write("RUN_RESULT", { result: "rejected", why: clip(sentence, 2000) });
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

function describeChoice(choice: string, message: string): string {
  return message ? `the human chose ${choice}: ${message}` : `the human chose ${choice}`;
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
