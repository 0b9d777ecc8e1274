// `pass`: a producer's handoff or a critic's findings. Checked for form and right here; it takes effect when the
// referee has seen the tree after the turn.
import type { CommandOf } from "../../model/command.ts";
import type { PayloadOf } from "../../model/envelope.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { clip } from "../../model/sizes.ts";
import type { State, Turn } from "../../model/state.ts";
import { speaker } from "../../policy/capability.ts";
import { pasteAnswers, reviewProblem } from "../../review/answers.ts";
import { isReview } from "../../review/citations.ts";
import { reviewRefused } from "../../review/integrity.ts";
import { type Numbered, number } from "../../review/ledger.ts";
import { provenIn } from "../../review/proven.ts";
import { withSopFindings } from "../../review/sop-findings.ts";
import type { Book } from "../book.ts";
import { type Claimant, claimant, type Result, turnedDown, warn, withdrawWatchdog } from "./speaking.ts";

export function pass(book: Book, given: CommandOf<"pass">): Result {
  const who = claimant(book, speaker(book.state, given.actor, "pass", given.digest));
  if ("result" in who) return who.result;
  const { turn } = who;
  const isCritic = turn.role === book.state.program.loop.critic;
  const command = isCritic ? meant(book.state, given) : given;
  const problem = isCritic
    ? (criticProblem(book.state, command) ??
      reviewRefused(book.state, { ...who, claim: command, facts: command.facts }))
    : producerProblem(book.state, command);
  if (problem) return turnedDown(book, problem, turn, command.actor);
  withdrawWatchdog(book, turn.agent);
  writePass(book, who, command, isCritic ? reviewPart(book.state, command) : producerPart(command));
  if (isCritic) noteIgnored(book, who, command);
  return undefined;
}

/** What is violated is found, whatever else the review says. */
function meant(state: State, command: CommandOf<"pass">): CommandOf<"pass"> {
  const { noFindings, ...claim } = { ...command, ...withSopFindings(state, command) };
  return noFindings && !(claim.findings?.length && !command.findings?.length)
    ? { ...claim, noFindings }
    : claim;
}

/** Answers to SOPs that do not apply count for nothing, and are said to. */
function noteIgnored(book: Book, { turn }: Claimant, { opinion }: CommandOf<"pass">): void {
  const applying = book.state.tree?.context?.sops.map(({ id }) => id) ?? [];
  const ignored = (opinion?.sop_review ?? []).filter(({ sop_id }) => !applying.includes(sop_id));
  if (ignored.length === 0) return;
  const ids = ignored.map(({ sop_id }) => sop_id).join(", ");
  warn(book, refuse("sop.ignored", clip(`no SOP of this tree: ${ids}; that part is ignored`, 1000)), turn);
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
  return {
    answers: numbered.answers,
    findings: numbered.findings.map((finding): Numbered => provenIn(finding, command.facts)),
    checked: [...(command.checked ?? [])],
    ...(command.opinion ? { opinion: command.opinion } : {}),
  };
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
  if (command.unreadable?.length) return unreadable(state, command.unreadable);
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

/** The review file is not what it must be. */
export function unreadable({ config }: State, problems: readonly string[]): Refusal {
  return refuse(
    "review.unreadable",
    "the review could not be understood, and nothing of it counts",
    `pairflow schema ${config.review.dialect} --example`,
    problems.slice(0, 20).map((problem) => clip(problem, 1000)),
  );
}

function producerProblem(state: State, command: CommandOf<"pass">): Refusal | undefined {
  if (isReview(command)) {
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
