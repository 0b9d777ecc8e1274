// `pass`: a producer's handoff or a critic's findings. Checked for form and right here; it takes effect when the
// referee has seen the tree after the turn.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { getAnswerKind } from "../../../interpreter/interpret.ts";
import { maxRefusals } from "../../../limits/rounds.ts";
import type { CommandOf, ReviewClaim } from "../../../model/command.ts";
import type { PayloadOf } from "../../../model/record/envelope.ts";
import type { NumberedFinding } from "../../../model/record/payloads/parts.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { identifySpeaker } from "../../../permission/capability.ts";
import { isReview } from "../../../review/citations.ts";
import { checkReviewAnswers, suggestAnswers } from "../../../review/findings/answers.ts";
import { markUnproven, number } from "../../../review/findings/ledger.ts";
import { addSopFindings } from "../../../review/findings/sops.ts";
import { checkReviewIntegrity } from "../../../review/integrity.ts";
import { getCurrentStep, getCurrentTask, getDialect, getLoop } from "../../../state/workflow-position.ts";
import { checkDispute } from "./disputes.ts";
import { completePaper } from "./paper.ts";
import {
  type Claimant,
  type ClaimDecision,
  findClaimant,
  isReviewRefusal,
  recordRefusedClaim,
  withdrawWatchdog,
  writeWarning,
} from "./speaker.ts";

export function pass(batch: DecisionBatch, given: CommandOf<"pass">): ClaimDecision {
  const who = findClaimant(batch, identifySpeaker(batch.state, given.actor, "pass", given.digest));
  if ("result" in who) return who.result;
  const { turn } = who;
  const asked = getAnswerKind(batch.state);
  if (asked === "paper") return handInPaper(batch, who, given);
  const reviews = asked !== "handoff" && asked !== "score";
  const command = reviews ? completeClaim(batch.state, given) : given;
  const problem = passProblem(batch.state, who, command);
  if (problem)
    return handOnUnread(batch, who, command, problem)
      ? undefined
      : recordRefusedClaim(batch, problem, turn, command.actor);
  withdrawWatchdog(batch, turn.agent);
  writePass(
    batch,
    who,
    command,
    reviews ? buildReviewPart(batch.state, command) : buildProducerPart(command),
  );
  if (reviews) noteIgnored(batch, who, command);
}

function passProblem(state: State, who: Claimant, command: CommandOf<"pass">): Refusal | undefined {
  const asked = getAnswerKind(state);
  const odd = checkAsked(state, command);
  if (odd) return odd;
  if (asked === "handoff") return checkProducer(state, command);
  if (asked === "score") return checkScore(command);
  return (
    checkCritic(state, command) ??
    checkReviewIntegrity(state, { ...who, claim: command, facts: command.facts })
  );
}

/** A paper counts when it has the form of its kind; what only the referee knows is put in there. */
function handInPaper(batch: DecisionBatch, who: Claimant, command: CommandOf<"pass">): ClaimDecision {
  const odd = checkAsked(batch.state, command);
  const read = odd ? { refusal: odd } : completePaper(batch.state, command, batch.at);
  if ("refusal" in read) return recordRefusedClaim(batch, read.refusal, who.turn, command.actor);
  withdrawWatchdog(batch, who.turn.agent);
  writePass(batch, who, command, { ...buildProducerPart(command), paper: { ...read.paper } });
}

/** Papers are an author's, scores a judge's, checkpoints a producer's whose task waits for them. */
function checkAsked(state: State, { score, checkpoint, paper }: CommandOf<"pass">): Refusal | undefined {
  const asked = getAnswerKind(state);
  if (paper !== undefined && asked !== "paper")
    return refuse("pass.paper-not-asked", "this turn hands in no paper", 'pairflow pass --summary "…"');
  if (score !== undefined && asked !== "score")
    return refuse("pass.score-not-asked", "this turn hands in no score", 'pairflow pass --summary "…"');
  if (checkpoint === undefined) return undefined;
  return asked === "handoff" && getCurrentTask(state)?.checkpoints === "claim"
    ? undefined
    : refuse(
        "pass.checkpoint-not-asked",
        "no checkpoint is waited for in this turn",
        'pairflow pass --summary "…"',
      );
}

function checkScore(command: CommandOf<"pass">): Refusal | undefined {
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
}

/**
 * Where the workflow has a step for reviews that do not count, the third one in a turn is handed on to it instead of
 * stopping at a human: one that cannot be read fails the turn, one that proves nothing fails its validation.
 */
function handOnUnread(
  batch: DecisionBatch,
  who: Claimant,
  command: CommandOf<"pass">,
  problem: Refusal,
): boolean {
  const { turn, byOperator } = who;
  const step = getCurrentStep(batch.state);
  const isLast = (turn.refusedReviews ?? 0) >= maxRefusals;
  if (byOperator || step?.kind !== "turn" || !isLast || !isReviewRefusal(problem.code)) return false;
  const isUnread = problem.code === "review.unreadable";
  if (isUnread ? !step.on.fail : !step.validated) return false;
  writeWarning(batch, problem, turn);
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
function completeClaim(state: State, command: CommandOf<"pass">): CommandOf<"pass"> {
  const { noFindings, ...claim } = { ...command, ...addSopFindings(state, command) };
  return noFindings && !(claim.findings?.length && !command.findings?.length)
    ? { ...claim, noFindings }
    : claim;
}

/** Answers to SOPs that do not apply count for nothing, and are said to. */
function noteIgnored(batch: DecisionBatch, { turn }: Claimant, { opinion }: CommandOf<"pass">): void {
  const applying = batch.state.tree?.context?.sops.map(({ id }) => id) ?? [];
  const ignored = (opinion?.sop_review ?? []).filter(({ sop_id }) => !applying.includes(sop_id));
  if (ignored.length === 0) return;
  const ids = ignored.map(({ sop_id }) => sop_id).join(", ");
  writeWarning(
    batch,
    refuse("sop.ignored", clip(`no SOP of this tree: ${ids}; that part is ignored`, 1000)),
    turn,
  );
}

type PassPart = Partial<PayloadOf<"PASS">>;

function writePass(batch: DecisionBatch, who: Claimant, command: CommandOf<"pass">, part: PassPart): void {
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
    {
      from: byOperator ? "human" : turn.agent,
      to: getCounterpart(batch.state, turn),
      refs: command.refs ?? [],
    },
  );
}

/** A critic's pass always says its findings, even if there are none. */
function buildReviewPart(state: State, command: CommandOf<"pass">): PassPart {
  const numbered = number(command.findings ?? [], command.answers ?? [], state.findings, state.findingCount);
  return {
    answers: numbered.answers,
    findings: numbered.findings.map((finding): NumberedFinding => markUnproven(finding, command.facts)),
    checked: [...(command.checked ?? [])],
    ...(command.opinion ? { opinion: command.opinion } : {}),
  };
}

function buildProducerPart(command: CommandOf<"pass">): PassPart {
  return {
    ...(command.score === undefined ? {} : { score: command.score }),
    ...(command.checkpoint ? { checkpoint: clip(command.checkpoint, 200) } : {}),
    ...(command.disputes?.length ? { disputes: [...command.disputes] } : {}),
    ...(command.noChange ? { no_change: command.noChange } : {}),
    ...(command.package ? { package: command.package } : {}),
  };
}

/** The agent on the other side of the loop. */
function getCounterpart(state: State, turn: Turn): string {
  const { producer, critic = "" } = getLoop(state);
  return (turn.role === producer ? state.roles[critic] : state.roles[producer]) ?? "orchestrator";
}

function checkCritic(state: State, command: CommandOf<"pass">): Refusal | undefined {
  if (command.unreadable?.length) return refuseUnreadableReview(state, command);
  if (command.disputes?.length || command.noChange || command.package)
    return refuse(
      "pass.producer-only",
      "--dispute, --no-change and the package flags belong to the producer's pass",
      'pairflow pass --summary "…" --no-findings',
    );
  // A verdict without findings has said that it found none.
  if (
    !command.noFindings &&
    !command.opinion &&
    !command.findings?.length &&
    !command.answers?.some((answer) => answer.status === "open")
  )
    return refuse(
      "pass.findings-missing",
      "a reviewer's pass must say what it found",
      `pairflow pass --summary "…" --finding 'P1:Title @ file:line'   or   ${suggestAnswers(state)}`,
    );
  return checkReviewAnswers(state, command);
}

/** The review file is not what it must be: no review at all, or one that contradicts itself. */
export function refuseUnreadableReview(
  state: State,
  { unreadable: problems = [], contradicts = false }: ReviewClaim,
): Refusal {
  return refuse(
    contradicts ? "review.contradiction" : "review.unreadable",
    contradicts
      ? "the review contradicts itself, and nothing of it counts"
      : "the review could not be understood, and nothing of it counts",
    `pairflow schema ${getDialect(state)} --example`,
    problems.slice(0, 20).map((problem) => clip(problem, 1000)),
  );
}

function checkProducer(state: State, command: CommandOf<"pass">): Refusal | undefined {
  if (isReview(command)) return refuseProducer(command);
  return checkDispute(state, command);
}

/** What was said decides the words: a producer that calls a finding fixed has not raised one. */
function refuseProducer({ findings, answers = [] }: CommandOf<"pass">): Refusal {
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
