// The one interpreter: takes the outcome of a step, follows its route, and runs on through every step that needs
// nobody (checks, gates already answered) until one needs an agent, a gate run or a human.
import type { Book } from "../bubble/book.ts";
import type { Route, Step } from "../model/program.ts";
import { invariant } from "../model/refusal.ts";
import { clip } from "../model/sizes.ts";
import type { State } from "../model/state.ts";
import type { Dialect } from "../model/verdict.ts";
import { gateEvidence, judge, redGates } from "../policy/convergence.ts";
import { roundsSpent } from "../policy/limits.ts";
import { questions } from "../policy/questions.ts";
import { convergenceEvidence } from "../review/evidence.ts";

export function currentStep(state: State): Step | undefined {
  return state.program.steps.find((step) => step.name === state.position.step);
}

/** What the current turn hands in: its work, or a review in the bubble's dialect. */
export function answerOf(state: State): "handoff" | Dialect {
  const step = currentStep(state);
  return step?.kind === "turn" && step.answer === "findings" ? state.config.review.dialect : "handoff";
}

/** The turn step of the loop's producer: where rework begins. */
export function producerStep(state: State): Step {
  const step = state.program.steps.find(
    (candidate) => candidate.kind === "turn" && candidate.role === state.program.loop.producer,
  );
  invariant(step, "a workflow has a producer's turn");
  return step;
}

/** Where a person signs what there is. */
export function approvalStep(state: State): Step {
  const step = state.program.steps.find((candidate) => candidate.kind === "approval");
  invariant(step, "a workflow has an approval");
  return step;
}

/** Enters the workflow at its first step, round 1. */
export function begin(book: Book): void {
  book.write("STEP_ADVANCED", {
    from: null,
    outcome: "start",
    to: book.state.program.start,
    why: "the bubble starts",
    round: 1,
  });
  runOn(book);
}

/** The current step ended with `outcome`: follow the route that the workflow gives it. */
export function advance(book: Book, outcome: string, why: string): void {
  const step = currentStep(book.state);
  invariant(step, "an outcome belongs to a step");
  const route = step.on[outcome];
  invariant(route, `step ${step.name} has a route for ${outcome}`);
  follow(book, outcome, route, why);
}

/** Goes to a step a human named by a decision; a spent budget does not hold it back. */
export function goTo(book: Book, outcome: string, route: Route, why: string): void {
  write(book, outcome, route, why);
  runOn(book);
}

function follow(book: Book, outcome: string, route: Route, why: string): void {
  const { state } = book;
  if (route.to === "$cancel") {
    book.write("CANCELLED", { reason: clip(why, 2000), via: "cli" });
    return;
  }
  if (route.to === "$resume") {
    const held = state.position.held;
    invariant(held, "a held route to resume");
    goTo(book, outcome, { to: held.to, round: "next", roles: held.swap ? "swap" : "keep" }, why);
    return;
  }
  if (route.round === "next" && roundsSpent(state)) {
    book.write("STEP_ADVANCED", {
      from: state.position.step,
      outcome,
      to: state.program.loop.exhausted,
      why: `${clip(why, 1900)}; all ${state.round} rounds are used`,
      round: state.round,
      held: { to: route.to, swap: route.roles === "swap" },
    });
  } else {
    write(book, outcome, route, why);
  }
  runOn(book);
}

function write(book: Book, outcome: string, route: Route, why: string): void {
  const { state } = book;
  book.write("STEP_ADVANCED", {
    from: state.position.step,
    outcome,
    to: route.to,
    why: clip(why, 2000),
    round: route.round === "next" ? state.round + 1 : state.round,
    ...(route.roles === "swap" ? { swap: true } : {}),
  });
}

/** Runs the step just entered if nobody outside is needed for it. */
function runOn(book: Book): void {
  const { state } = book;
  const step = currentStep(state);
  invariant(step, `step ${state.position.step} exists`);
  if (step.kind === "gates") {
    const known = knownGates(state);
    if (known) advance(book, known.outcome, known.why);
  } else if (step.kind === "check") {
    const judgement = judge(state);
    if (judgement.outcome === "converged" && !convergedOnTree(state)) announceConvergence(book);
    // Workflows pinned before a question existed put it to a human all the same.
    advance(book, step.on[judgement.outcome] ? judgement.outcome : "stuck", judgement.why);
  } else if (step.kind === "question") {
    const ask = questions[step.ask];
    invariant(ask, `question ${step.ask} exists`);
    const { text, options, findings } = ask(state);
    book.write(
      "HUMAN_QUESTION",
      { question: clip(text, 8000), kind: step.ask, options: [...options], findings: [...findings] },
      { to: "human" },
    );
  }
}

/** Gates of a tree are run once: the same tree gets the same answer. */
function knownGates(state: State): { outcome: "success" | "fail"; why: string } | undefined {
  const evidence = gateEvidence(state);
  if (!evidence || evidence.results.some((result) => result.status === "error")) return undefined;
  const red = redGates(state);
  if (red.length === 0) return { outcome: "success", why: "gates are green on this tree" };
  return { outcome: "fail", why: `${red.join(", ")} failed on this tree; the critic was not asked` };
}

function convergedOnTree(state: State): boolean {
  return state.convergence !== undefined && state.convergence.seq > (state.tree?.seq ?? 0);
}

/** The critic typed a clean pass instead of `converged`: the referee states the same, with the same evidence. */
function announceConvergence(book: Book): void {
  const last = book.state.reviews.at(-1);
  const turn = book.state.turn ?? book.state.lastTurn;
  book.write(
    "CONVERGENCE",
    {
      turn: turn?.id ?? "",
      attempt: turn?.attempt ?? 0,
      summary: `All criteria are met after the clean pass of ${last?.agent ?? "the critic"}`,
      claim: "",
      evidence: convergenceEvidence(book.state),
    },
    { to: "human" },
  );
}
