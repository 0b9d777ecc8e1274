// What drivers report about steps of a workflow: context put together, workflows started, time that is up, views that
// were written; and a human who takes a step back.
import type { CommandOf } from "../../model/command.ts";
import type { Step } from "../../model/program.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { clip } from "../../model/sizes.ts";
import type { State } from "../../model/state.ts";
import { millis } from "../../model/time.ts";
import { currentStep, progressOf } from "../../policy/place.ts";
import { openFindings } from "../../policy/severity.ts";
import { runLimit, stepLimit, waitLimit } from "../../policy/timers.ts";
import { advance, goTo, leads, producerStep, runOn } from "../../workflow/interpret.ts";
import type { Book } from "../book.ts";
import { via } from "./door.ts";
import { endTurn } from "./turn-end.ts";

const notDue = (what: string): Refusal => refuse("driver.not-due", `${what} is not due any more`);

/** Steps that need nobody go on after a command that had done enough. */
export function goOn(book: Book, command: CommandOf<"go-on">): Refusal | undefined {
  if (book.state.lifecycle !== "RUNNING" || command.entered !== book.state.position.seq)
    return notDue("going on");
  runOn(book);
  return undefined;
}

/** What applies to the tree was put together once more: the step goes on, or its critic can be asked now. */
export function contextAssembled(book: Book, command: CommandOf<"context-assembled">): Refusal | undefined {
  const { state } = book;
  const step = currentStep(state);
  const isAsked = step?.kind === "context" || (step?.kind === "turn" && state.tree?.context?.problem);
  if (!isAsked || state.lifecycle !== "RUNNING" || command.tree !== state.tree?.id)
    return notDue("the context");
  const { tree, context } = command;
  book.write("CONTEXT_ASSEMBLED", { tree, context });
  const { problem } = context;
  const output = { sop_ids: context.sops.map(({ id }) => id) };
  if (step?.kind === "context")
    advance(
      book,
      problem ? "fail" : "success",
      problem ?? "what applies to this tree is known",
      problem ? { output, error: problem } : { output },
    );
  else if (problem) askAboutContext(book, problem);
  return undefined;
}

/** No critic is asked without what it must answer for. */
function askAboutContext(book: Book, problem: string): void {
  book.write(
    "HUMAN_QUESTION",
    {
      question: `No critic can be asked: ${clip(problem, 1000)}. Mend it, then choose retry.`,
      kind: "context",
      ...(book.state.turn ? { turn: book.state.turn.id } : {}),
      options: [{ key: "retry", does: "puts the context of this tree together once more" }],
    },
    { to: "human" },
  );
}

/** Another workflow runs now as a bubble of its own; this run ends as routed, unless it comes to a result itself. */
export function workflowStarted(book: Book, command: CommandOf<"workflow-started">): Refusal | undefined {
  const { state } = book;
  const step = currentStep(state);
  if (step?.kind !== "start" || step.name !== command.step || state.lifecycle !== "RUNNING")
    return notDue(`starting ${command.workflow}`);
  const { workflow, bubble, problem } = command;
  book.write("WORKFLOW_STARTED", {
    step: step.name,
    workflow,
    ...(bubble ? { bubble } : {}),
    ...(problem ? { problem: clip(problem, 2000) } : {}),
  });
  if (!bubble) {
    const why = problem ?? `workflow ${workflow} could not be started`;
    advance(book, "fail", why, { error: why });
    return undefined;
  }
  const why = `${workflow} goes on with this as ${bubble}`;
  if (!state.result) book.write("RUN_RESULT", { result: "routed", why, to: bubble });
  advance(book, "success", why, { output: { workflow, bubble } });
  return undefined;
}

/** A moment has come: a wait is over, a step or the whole run has had its time. The record says when, not the driver. */
export function timeUp(book: Book, command: CommandOf<"time-up">): Refusal | undefined {
  const { state, at } = book;
  const limits = { wait: waitLimit, step: stepLimit, run: runLimit };
  const limit = limits[command.what](state);
  const isThen = command.what === "run" || command.entered === state.position.seq;
  if (limit === undefined || !isThen || state.lifecycle !== "RUNNING" || millis(at) < limit)
    return notDue(`the end of this ${command.what}`);
  if (command.what === "wait") advance(book, "done", "the wait is over");
  else if (command.what === "step") stepTimedOut(book);
  else runTimedOut(book);
  return undefined;
}

function stepTimedOut(book: Book): void {
  const step = currentStep(book.state);
  const why = `${step?.name} has had its ${step?.timeout_s} s`;
  const { turn } = book.state;
  if (step?.kind === "turn" && turn?.status === "running") {
    endTurn(book, turn, { outcome: "timed-out", detail: why });
    return;
  }
  const outcome = step?.kind === "children" ? "failed" : "fail";
  if (leads(book.state, outcome)) advance(book, outcome, why, { error: why });
  else ask(book, `${why}. How shall this go on?`);
}

function runTimedOut(book: Book): void {
  const { state } = book;
  const { turn } = state;
  const why = `the run has had its ${state.program.timeout_s} s`;
  if (turn?.status === "running") endTurn(book, turn, { outcome: "over-budget", detail: why });
  if (book.state.lifecycle === "RUNNING") ask(book, `Time is up: ${why}. How shall this go on?`);
}

function ask(book: Book, question: string): void {
  const { state } = book;
  book.write(
    "HUMAN_QUESTION",
    {
      question,
      kind: "timeout",
      ...(state.turn ? { turn: state.turn.id } : {}),
      options: [
        {
          key: "accept",
          does: "waives the open findings with your reason and asks for approval of the last tree",
        },
        { key: "continue", does: "gives it the same time once more; your message goes to the agent" },
        { key: "reject", does: "ends the bubble as CANCELLED; the branch is kept" },
      ],
      findings: openFindings(state).map(({ id }) => id),
    },
    { to: "human" },
  );
}

/** The view of a pair session was written. */
export function pairSession(book: Book, command: CommandOf<"pair-session">): Refusal | undefined {
  const known = book.state.tasks?.[command.task];
  if (!known) return notDue("this view");
  const { task, artifact, sha256, iteration } = command;
  // A view may be deleted at any time: the line names it and does not vouch for it.
  book.write("PAIR_SESSION", { task, artifact, sha256, iteration });
  return undefined;
}

/** The pair's state cannot be trusted: nothing goes on silently, a human gets the whole history that is left. */
export function pairCorrupt(book: Book, command: CommandOf<"pair-corrupt">): Refusal | undefined {
  const { state } = book;
  if (state.lifecycle !== "RUNNING" || !state.tasks?.[command.task]) return notDue("this question");
  const history = (progressOf(state)?.history ?? []).map(
    ({ iteration, summary, critique = "", approved }) =>
      `${iteration}. ${clip(summary, 300)} / ${clip(critique, 300)} (${approved ? "approved" : "not approved"})`,
  );
  book.write("WARNING", { code: "pair.corrupt", message: clip(command.problem, 1000) });
  book.write(
    "HUMAN_QUESTION",
    {
      question: clip(
        [
          `The state of the pair ${command.task} is inconsistent: ${command.problem}. What could be saved of its history is in ${command.artifact}.`,
          ...history,
        ].join("\n"),
        8000,
      ),
      kind: "pair-corrupt",
      ...(state.turn ? { turn: state.turn.id } : {}),
      options: [
        { key: "continue", does: "goes on from the record; the view of the pair is written anew" },
        { key: "reject", does: "ends the bubble as CANCELLED; the branch is kept" },
      ],
    },
    { to: "human", refs: [`artifact://${command.artifact}`] },
  );
  return undefined;
}

/** A human takes a step back: it is done again, and what rests on it too. */
export function redo(book: Book, command: CommandOf<"redo">): Refusal | undefined {
  const { state } = book;
  const problem = redoRefused(state, command);
  if (problem) return problem;
  const step = state.program.steps.find(({ name }) => name === command.step);
  const tasks = dependants(state, step?.task);
  const { turn } = state;
  if (turn?.status === "running")
    book.write("TURN_ENDED", {
      turn: turn.id,
      attempt: turn.attempt,
      outcome: "superseded",
      detail: `a human takes ${command.step} back`,
    });
  book.write(
    "STEP_REDONE",
    { step: command.step, tasks, reason: clip(command.reason, 2000), via: via(command) },
    { from: "human" },
  );
  const again = step?.kind === "turn" && step.answer === "handoff" ? "next" : "same";
  goTo(
    book,
    "redo",
    { to: command.step, round: again, roles: "keep" },
    `a human takes this step back: ${command.reason}`,
  );
  return undefined;
}

function redoRefused(state: State, { step: name, reason }: CommandOf<"redo">): Refusal | undefined {
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
  if (!state.steps?.[name] && state.position.step !== name)
    return refuse("redo.not-reached", `${name} was not reached yet`, `pairflow log --id ${state.bubbleId}`);
  if (skipsJudges(state, step))
    return refuse(
      "redo.not-judged",
      `${name} comes after the judge, and what is there now was not judged`,
      `pairflow workflow redo --id ${state.bubbleId} --step ${producerStep(state).name} --reason "…"`,
    );
  if (state.children && !state.children.joined)
    return refuse(
      "redo.children",
      "children are at work; their results would be lost",
      `pairflow bubble status --id ${state.bubbleId}`,
    );
  if (state.turn?.status === "claimed")
    return refuse("redo.handing-over", "a turn is being handed over", "try again in a moment");
  return undefined;
}

/** Going back behind the judge from before it, or with another tree, would go past it. */
function skipsJudges(state: State, step: Step): boolean {
  const here = currentStep(state);
  if (!isBehindJudge(step) || here?.name === step.name) return false;
  const reached = state.steps?.[step.name]?.seq ?? 0;
  const isBefore = here !== undefined && here.task === step.task && !isBehindJudge(here);
  return isBefore || reached <= (state.tree?.seq ?? 0);
}

const isBehindJudge = (step: Step): boolean =>
  ["question", "lock", "done", "emit", "end", "approval"].includes(step.kind) ||
  (step.kind === "check" && step.check === "policy");

/** Tasks that rest on this one, directly or through others, and have begun. */
function dependants({ program, tasks = {} }: State, key: string | undefined): string[] {
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
