// `pass`: a producer's handoff or a critic's findings. Checked for form and right here; it takes effect when the
// referee has seen the tree after the turn.

import type { Batch } from "../../interpreter/batch.ts";
import { answerOf } from "../../interpreter/interpret.ts";
import { maxRefusals } from "../../limits/rounds.ts";
import type { CommandOf, ReviewClaim } from "../../model/command.ts";
import type { PayloadOf } from "../../model/envelope.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { clip } from "../../model/sizes.ts";
import type { State, Turn } from "../../model/state.ts";
import { speaker } from "../../permission/capability.ts";
import { pasteAnswers, reviewProblem } from "../../review/answers.ts";
import { isReview } from "../../review/citations.ts";
import { reviewRefused } from "../../review/integrity.ts";
import { type Numbered, number } from "../../review/ledger.ts";
import { provenIn } from "../../review/proven.ts";
import { withSopFindings } from "../../review/sop-findings.ts";
import { currentStep, currentTask, dialectOf, loopOf } from "../../state/place.ts";
import { disputeProblem } from "./disputes.ts";
import { paperIn } from "./paper.ts";
import {
  type Claimant,
  claimant,
  isReviewRefusal,
  type Result,
  turnedDown,
  warn,
  withdrawWatchdog,
} from "./speaking.ts";

export function pass(batch: Batch, given: CommandOf<"pass">): Result {
  const who = claimant(batch, speaker(batch.state, given.actor, "pass", given.digest));
  if ("result" in who) return who.result;
  const { turn } = who;
  const asked = answerOf(batch.state);
  if (asked === "paper") return handInPaper(batch, who, given);
  const reviews = asked !== "handoff" && asked !== "score";
  const command = reviews ? meant(batch.state, given) : given;
  const problem = passProblem(batch.state, who, command);
  if (problem)
    return handedOn(batch, who, command, problem)
      ? undefined
      : turnedDown(batch, problem, turn, command.actor);
  withdrawWatchdog(batch, turn.agent);
  writePass(batch, who, command, reviews ? reviewPart(batch.state, command) : producerPart(command));
  if (reviews) noteIgnored(batch, who, command);
  return undefined;
}

function passProblem(state: State, who: Claimant, command: CommandOf<"pass">): Refusal | undefined {
  const asked = answerOf(state);
  const odd = notAsked(state, command);
  if (odd) return odd;
  if (asked === "handoff") return producerProblem(state, command);
  if (asked === "score") return scoreProblem(command);
  return (
    criticProblem(state, command) ?? reviewRefused(state, { ...who, claim: command, facts: command.facts })
  );
}

/** A paper counts when it has the form of its kind; what only the referee knows is put in there. */
function handInPaper(batch: Batch, who: Claimant, command: CommandOf<"pass">): Result {
  const odd = notAsked(batch.state, command);
  const read = odd ? { refusal: odd } : paperIn(batch.state, command, batch.at);
  if ("refusal" in read) return turnedDown(batch, read.refusal, who.turn, command.actor);
  withdrawWatchdog(batch, who.turn.agent);
  writePass(batch, who, command, { ...producerPart(command), paper: { ...read.paper } });
  return undefined;
}

/** Papers are an author's, scores a judge's, checkpoints a producer's whose task waits for them. */
function notAsked(state: State, { score, checkpoint, paper }: CommandOf<"pass">): Refusal | undefined {
  const asked = answerOf(state);
  if (paper !== undefined && asked !== "paper")
    return refuse("pass.paper-not-asked", "this turn hands in no paper", 'pairflow pass --summary "…"');
  if (score !== undefined && asked !== "score")
    return refuse("pass.score-not-asked", "this turn hands in no score", 'pairflow pass --summary "…"');
  if (checkpoint === undefined) return undefined;
  return asked === "handoff" && currentTask(state)?.checkpoints === "claim"
    ? undefined
    : refuse(
        "pass.checkpoint-not-asked",
        "no checkpoint is waited for in this turn",
        'pairflow pass --summary "…"',
      );
}

function scoreProblem(command: CommandOf<"pass">): Refusal | undefined {
  if (isReview(command) || command.disputes?.length || command.noChange || command.package)
    return refuse(
      "pass.score-only",
      "a judge hands in a score and its reason, nothing else",
      'pairflow pass --summary "why" --score 0.8',
    );
  const { score } = command;
  if (score === undefined || !(score >= 0 && score <= 1))
    return refuse(
      "pass.score-missing",
      "a judge says how sure it is that this work is right, 0 to 1",
      'pairflow pass --summary "why" --score 0.8',
    );
  return undefined;
}

/**
 * Where the workflow has a step for reviews that do not count, the third one in a turn is handed on to it instead of
 * stopping at a human: one that cannot be read fails the turn, one that proves nothing fails its validation.
 */
function handedOn(batch: Batch, who: Claimant, command: CommandOf<"pass">, problem: Refusal): boolean {
  const { turn, byOperator } = who;
  const step = currentStep(batch.state);
  const isLast = (turn.refusedReviews ?? 0) >= maxRefusals;
  if (byOperator || step?.kind !== "turn" || !isLast || !isReviewRefusal(problem.code)) return false;
  const isUnread = problem.code === "review.unreadable";
  if (isUnread ? !step.on.fail : !step.validated) return false;
  warn(batch, problem, turn);
  withdrawWatchdog(batch, turn.agent);
  const invalid = [problem.message, ...(problem.details ?? [])].slice(0, 20).map((line) => clip(line, 1000));
  writePass(batch, who, command, {
    invalid,
    ...(isUnread ? { unread: true } : {}),
    ...(command.opinion ? { opinion: command.opinion } : {}),
  });
  return true;
}

/** What is violated is found, whatever else the review says. */
function meant(state: State, command: CommandOf<"pass">): CommandOf<"pass"> {
  const { noFindings, ...claim } = { ...command, ...withSopFindings(state, command) };
  return noFindings && !(claim.findings?.length && !command.findings?.length)
    ? { ...claim, noFindings }
    : claim;
}

/** Answers to SOPs that do not apply count for nothing, and are said to. */
function noteIgnored(batch: Batch, { turn }: Claimant, { opinion }: CommandOf<"pass">): void {
  const applying = batch.state.tree?.context?.sops.map(({ id }) => id) ?? [];
  const ignored = (opinion?.sop_review ?? []).filter(({ sop_id }) => !applying.includes(sop_id));
  if (ignored.length === 0) return;
  const ids = ignored.map(({ sop_id }) => sop_id).join(", ");
  warn(batch, refuse("sop.ignored", clip(`no SOP of this tree: ${ids}; that part is ignored`, 1000)), turn);
}

type PassPart = Partial<PayloadOf<"PASS">>;

function writePass(batch: Batch, who: Claimant, command: CommandOf<"pass">, part: PassPart): void {
  const { turn, byOperator } = who;
  const meant = part.findings ? (part.findings.length > 0 ? "fix_request" : "review") : "task";
  batch.write(
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
    { from: byOperator ? "human" : turn.agent, to: counterpart(batch.state, turn), refs: command.refs ?? [] },
  );
}

/** A critic's pass always says its findings, even if there are none. */
function reviewPart(state: State, command: CommandOf<"pass">): PassPart {
  const numbered = number(command.findings ?? [], command.answers ?? [], state.findings, state.findingCount);
  return {
    answers: numbered.answers,
    findings: numbered.findings.map((finding): Numbered => provenIn(finding, command.facts)),
    checked: [...(command.checked ?? [])],
    ...(command.opinion ? { opinion: command.opinion } : {}),
  };
}

function producerPart(command: CommandOf<"pass">): PassPart {
  return {
    ...(command.score === undefined ? {} : { score: command.score }),
    ...(command.checkpoint ? { checkpoint: clip(command.checkpoint, 200) } : {}),
    ...(command.disputes?.length ? { disputes: [...command.disputes] } : {}),
    ...(command.noChange ? { no_change: command.noChange } : {}),
    ...(command.package ? { package: command.package } : {}),
  };
}

/** The agent on the other side of the loop. */
function counterpart(state: State, turn: Turn): string {
  const { producer, critic = "" } = loopOf(state);
  return (turn.role === producer ? state.roles[critic] : state.roles[producer]) ?? "orchestrator";
}

function criticProblem(state: State, command: CommandOf<"pass">): Refusal | undefined {
  if (command.unreadable?.length) return unreadable(state, command);
  if (command.disputes?.length || command.noChange || command.package) {
    return refuse(
      "pass.producer-only",
      "--dispute, --no-change and the package flags belong to the producer's pass",
      'pairflow pass --summary "…" --no-findings',
    );
  }
  // A verdict without findings has said that it found none.
  if (
    !command.noFindings &&
    !command.opinion &&
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

/** The review file is not what it must be: no review at all, or one that contradicts itself. */
export function unreadable(
  state: State,
  { unreadable: problems = [], contradicts = false }: ReviewClaim,
): Refusal {
  return refuse(
    contradicts ? "review.contradiction" : "review.unreadable",
    contradicts
      ? "the review contradicts itself, and nothing of it counts"
      : "the review could not be understood, and nothing of it counts",
    `pairflow schema ${dialectOf(state)} --example`,
    problems.slice(0, 20).map((problem) => clip(problem, 1000)),
  );
}

function producerProblem(state: State, command: CommandOf<"pass">): Refusal | undefined {
  if (isReview(command)) return reviewersOnly(command);
  return disputeProblem(state, command);
}

/** What was said decides the words: a producer that calls a finding fixed has not raised one. */
function reviewersOnly({ findings, answers = [] }: CommandOf<"pass">): Refusal {
  const isAnswer = answers.length > 0 && !findings?.length;
  return refuse(
    "pass.findings-not-allowed",
    isAnswer
      ? "whether a finding is fixed is for its reviewer to say, not for the implementer"
      : "an implementer's pass carries no findings",
    isAnswer
      ? `pairflow pass --summary "${answers.map(({ id }) => id).join(", ")}: what was changed"   or   --dispute '${answers[0]?.id}:reason'`
      : 'pairflow pass --summary "…"',
  );
}
