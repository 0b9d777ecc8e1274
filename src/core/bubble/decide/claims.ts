// The three verbs of an agent. A claim is checked for form and right here; it takes effect when the referee has
// seen the tree after the turn.
import type { CommandOf, ReviewClaim } from "../../model/command.ts";
import type { PayloadOf } from "../../model/envelope.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import type { State, Turn } from "../../model/state.ts";
import { type Speaker, speaker } from "../../policy/capability.ts";
import { convergenceProblems } from "../../policy/convergence.ts";
import { pasteAnswers, reviewProblem } from "../../review/answers.ts";
import { convergenceEvidence } from "../../review/evidence.ts";
import { number } from "../../review/ledger.ts";
import { type Book, openBook } from "../book.ts";

type Result = Refusal | { repeats: number } | undefined;
interface Claimant {
  readonly turn: Turn;
  readonly byOperator: boolean;
}

/** Finds out who speaks; leaves a warning on the record when somebody speaks out of turn. */
function claimant(book: Book, who: Speaker): Claimant | { result: Result } {
  const { state } = book;
  if ("repeats" in who) return { result: who };
  if ("refusal" in who) {
    warn(book, who.refusal);
    return { result: who.refusal };
  }
  const wait = waiting(state, who.turn);
  if (!wait) return who;
  warn(book, wait, who.turn);
  return { result: wait };
}

/** A bubble that waits for a human takes no claims, except that a silent agent's next verb withdraws the watchdog's question. */
function waiting(state: State, turn: Turn): Refusal | undefined {
  if (state.lifecycle === "RUNNING") return undefined;
  const blocking = state.questions.filter(
    (question) => question.kind !== "watchdog" && question.kind !== "undelivered",
  );
  if (state.lifecycle === "WAITING_HUMAN" && blocking.length === 0) return undefined;
  const question = blocking[0];
  return refuse(
    state.lifecycle === "WAITING_HUMAN" ? "bubble.waiting-human" : "bubble.not-running",
    question
      ? `${turn.agent}'s turn is paused: a human must answer ${question.id} first`
      : `the bubble is ${state.lifecycle}`,
    question
      ? `pairflow bubble reply --id ${state.bubbleId} --message "…"`
      : `pairflow bubble status --id ${state.bubbleId}`,
  );
}

function withdrawWatchdog(book: Book, agent: string): void {
  for (const question of book.state.questions) {
    if (question.kind === "watchdog" || question.kind === "undelivered") {
      book.write("QUESTION_WITHDRAWN", { question: question.id, why: `${agent} spoke again` });
    }
  }
}

function warn(book: Book, refusal: Refusal, turn?: Turn): void {
  book.write("WARNING", {
    code: refusal.code,
    message: refusal.message,
    ...(turn ? { agent: turn.agent, turn: turn.id } : {}),
    ...(refusal.details ? { details: refusal.details.slice(0, 20) } : {}),
  });
}

export function pass(book: Book, command: CommandOf<"pass">): Result {
  const who = claimant(book, speaker(book.state, command.actor, "pass", command.digest));
  if ("result" in who) return who.result;
  const { turn } = who;
  const isCritic = turn.role === book.state.program.loop.critic;
  const problem = isCritic ? criticProblem(book.state, command) : producerProblem(book.state, command);
  if (problem) {
    warn(book, problem, turn);
    return problem;
  }
  withdrawWatchdog(book, turn.agent);
  writePass(book, who, command, isCritic ? reviewPart(book.state, command) : producerPart(command));
  return undefined;
}

type PassPart = Partial<PayloadOf<"PASS">>;

function writePass(book: Book, who: Claimant, command: CommandOf<"pass">, part: PassPart): void {
  const { turn, byOperator } = who;
  const meant = part.findings ? (part.findings.length > 0 ? "fix_request" : "review") : "task";
  book.write(
    "PASS",
    {
      turn: turn.id,
      attempt: turn.attempt,
      role: turn.role,
      summary: command.summary,
      pass_intent: command.intent ?? meant,
      claim: command.digest,
      ...(byOperator ? { by_operator: true } : {}),
      ...part,
    },
    { from: byOperator ? "human" : turn.agent, to: counterpart(book.state, turn), refs: command.refs ?? [] },
  );
}

/** A critic's pass always says its findings, even if there are none. */
function reviewPart(state: State, command: CommandOf<"pass">): PassPart {
  const numbered = number(command.findings ?? [], command.answers ?? [], state.findings, state.findingCount);
  return { ...numbered, checked: [...(command.checked ?? [])] };
}

function producerPart(command: CommandOf<"pass">): PassPart {
  return {
    ...(command.disputes?.length ? { disputes: [...command.disputes] } : {}),
    ...(command.noChange ? { no_change: command.noChange } : {}),
    ...(command.package ? { package: command.package } : {}),
  };
}

/** The agent on the other side of the loop. */
function counterpart(state: State, turn: Turn): string {
  const { producer, critic } = state.program.loop;
  return (turn.role === critic ? state.roles[producer] : state.roles[critic]) ?? "orchestrator";
}

function criticProblem(state: State, command: CommandOf<"pass">): Refusal | undefined {
  if (command.disputes?.length || command.noChange || command.package) {
    return refuse(
      "pass.producer-only",
      "--dispute, --no-change and the package flags belong to the producer's pass",
      'pairflow pass --summary "…" --no-findings',
    );
  }
  if (
    !command.noFindings &&
    !command.findings?.length &&
    !command.answers?.some((answer) => answer.status === "open")
  ) {
    return refuse(
      "pass.findings-missing",
      "a reviewer's pass must say what it found",
      `pairflow pass --summary "…" --finding 'P1:Title @ file:line'   or   ${pasteAnswers(state)}`,
    );
  }
  return reviewProblem(state, command);
}

function producerProblem(state: State, command: CommandOf<"pass">): Refusal | undefined {
  if (command.findings?.length || command.noFindings || command.answers?.length || command.checked?.length) {
    return refuse(
      "pass.findings-not-allowed",
      "an implementer's pass carries no findings",
      'pairflow pass --summary "…"',
    );
  }
  for (const dispute of command.disputes ?? []) {
    const finding = state.findings.find((known) => known.id === dispute.id);
    if (finding?.status !== "open")
      return refuse(
        "finding.not-open",
        `${dispute.id} is not an open finding`,
        `pairflow bubble status --id ${state.bubbleId}`,
      );
    if (finding.dispute?.settled)
      return refuse(
        "finding.settled",
        `a human upheld ${dispute.id}; it cannot be disputed again`,
        `fix ${dispute.id}, then: pairflow pass --summary "…"`,
      );
  }
  return undefined;
}

export function converged(book: Book, command: CommandOf<"converged">): Result {
  const who = claimant(book, speaker(book.state, command.actor, "converged", command.digest));
  if ("result" in who) return who.result;
  const { turn, byOperator } = who;
  const problem = convergenceProblem(book.state, turn, command, byOperator);
  if (problem) {
    warn(book, problem, turn);
    return problem;
  }
  withdrawWatchdog(book, turn.agent);
  writeConvergence(book, turn, command, byOperator);
  return undefined;
}

function writeConvergence(
  book: Book,
  turn: Turn,
  command: CommandOf<"converged">,
  byOperator: boolean,
): void {
  book.write(
    "CONVERGENCE",
    {
      turn: turn.id,
      attempt: turn.attempt,
      summary: command.summary,
      claim: command.digest,
      answers: [...(command.answers ?? [])],
      checked: [...(command.checked ?? [])],
      ...(byOperator ? { by_operator: true } : {}),
      evidence: withThisPass(book.state, turn),
    },
    { from: byOperator ? "human" : turn.agent, to: "human", refs: command.refs ?? [] },
  );
}

/** The claim is itself the last clean pass it rests on. */
function withThisPass(state: State, turn: Turn): PayloadOf<"CONVERGENCE">["evidence"] {
  const evidence = convergenceEvidence(state);
  return {
    ...evidence,
    clean_passes: [...evidence.clean_passes, { agent: turn.agent, round: state.round, seq: state.seq + 1 }],
  };
}

/** Only the current reviewer may claim convergence, and only if the claim, taken as a clean pass, would make it true. */
function convergenceProblem(
  state: State,
  turn: Turn,
  command: CommandOf<"converged">,
  byOperator: boolean,
): Refusal | undefined {
  if (turn.role !== state.program.loop.critic) {
    return refuse(
      "convergence.not-reviewer",
      `only the reviewer of round ${state.round} may say converged; ${turn.agent} is the ${turn.role}`,
      'pairflow pass --summary "…"',
    );
  }
  if (command.findings?.length)
    return refuse(
      "convergence.with-findings",
      "a convergence claim cannot bring new findings",
      `pairflow pass --summary "…" --finding 'P1:Title @ file:line'`,
    );
  const answers = reviewProblem(state, { ...command, noFindings: true });
  if (answers && answers.code !== "review.unanswered") return answers;
  const scratch = openBook(state, "");
  writeConvergence(scratch, turn, command, byOperator);
  scratch.write("HANDOFF", { ...unchanged(state, turn) });
  const problems = convergenceProblems(scratch.state);
  if (problems.length === 0) return undefined;
  return refuse(
    codeFor(problems),
    "this bubble cannot converge yet",
    answers ? pasteAnswers(state) : samePass(command),
    problems,
  );
}

/** The same review, to be pasted as a pass. */
function samePass({ answers = [] }: ReviewClaim): string {
  const said = answers.map(
    (answer) =>
      ` --${answer.status} ${answer.status === "withdrawn" ? `'${answer.id}:${answer.reason ?? "reason"}'` : answer.id}`,
  );
  return `pairflow pass --summary "…"${said.join("")} --no-findings --checked "file:line why it is right"`;
}

function codeFor(problems: readonly string[]): string {
  if (problems.some((problem) => problem.startsWith("open finding"))) return "convergence.open-findings";
  if (problems.some((problem) => problem.includes("alternation"))) return "convergence.no-alternation";
  return "convergence.not-met";
}

function unchanged(state: State, turn: Turn) {
  return {
    turn: turn.id,
    attempt: turn.attempt,
    tree: state.tree?.id ?? "",
    commit: "",
    ref: "",
    files: [],
    files_total: 0,
    added: 0,
    removed: 0,
    problems: [],
    touched: [],
  };
}

export function askHuman(book: Book, command: CommandOf<"ask-human">): Result {
  const who = claimant(book, speaker(book.state, command.actor, "ask-human", command.digest));
  if ("result" in who) return who.result;
  withdrawWatchdog(book, who.turn.agent);
  book.write(
    "HUMAN_QUESTION",
    {
      question: command.question,
      kind: "agent",
      turn: who.turn.id,
      claim: command.digest,
      ...(command.options?.length
        ? { options: command.options.map((key) => ({ key, does: "answers with this" })) }
        : {}),
    },
    { from: who.byOperator ? "human" : who.turn.agent, to: "human", refs: command.refs ?? [] },
  );
  return undefined;
}
