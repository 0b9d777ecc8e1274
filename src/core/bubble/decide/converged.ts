// `converged`: the critic's claim that nothing is left to do, checked as if it were already a clean pass.

import type { Batch } from "../../interpreter/batch.ts";
import { convergenceProblems } from "../../judge/convergence.ts";
import { convergenceEvidence } from "../../judge/convergence-evidence.ts";
import type { CommandOf, ReviewClaim } from "../../model/command.ts";
import type { PayloadOf } from "../../model/envelope.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import type { State, Turn } from "../../model/state.ts";
import { speaker } from "../../permission/capability.ts";
import { pasteAnswers, reviewProblem } from "../../review/answers.ts";
import { reviewRefused } from "../../review/integrity.ts";
import { withSopFindings } from "../../review/sop-findings.ts";
import { isCritic } from "../../state/place.ts";
import { openBatch } from "../batch.ts";
import { unreadable } from "./pass.ts";
import { claimant, type Result, turnedDown, withdrawWatchdog } from "./speaking.ts";

export function converged(batch: Batch, command: CommandOf<"converged">): Result {
  const who = claimant(batch, speaker(batch.state, command.actor, "converged", command.digest));
  if ("result" in who) return who.result;
  const { turn, byOperator } = who;
  const problem = convergenceProblem(batch.state, turn, command, byOperator);
  if (problem) return turnedDown(batch, problem, turn, command.actor);
  withdrawWatchdog(batch, turn.agent);
  writeConvergence(batch, turn, command, byOperator);
  return undefined;
}

function writeConvergence(
  batch: Batch,
  turn: Turn,
  command: CommandOf<"converged">,
  byOperator: boolean,
): void {
  batch.write(
    "CONVERGENCE",
    {
      turn: turn.id,
      attempt: turn.attempt,
      summary: command.summary,
      claim: command.digest,
      answers: [...(command.answers ?? [])],
      checked: [...(command.checked ?? [])],
      ...(command.opinion ? { opinion: command.opinion } : {}),
      ...(byOperator ? { by_operator: true } : {}),
      evidence: withThisPass(batch.state, turn),
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
  if (!isCritic(state, turn.role)) {
    return refuse(
      "convergence.not-reviewer",
      `only the reviewer of round ${state.round} may say converged; ${turn.agent} is the ${turn.role}`,
      'pairflow pass --summary "…"',
    );
  }
  if (command.unreadable?.length) return unreadable(state, command);
  if (withSopFindings(state, command).findings?.length)
    return refuse(
      "convergence.with-findings",
      "a convergence claim cannot bring new findings",
      `pairflow pass --summary "…" --finding 'P1:Title @ file:line'`,
    );
  const answers = reviewProblem(state, { ...command, noFindings: true });
  if (answers && answers.code !== "review.unanswered") return answers;
  const scratch = openBatch(state, "");
  writeConvergence(scratch, turn, command, byOperator);
  scratch.write("HANDOFF", { ...unchanged(state, turn) });
  const problems = convergenceProblems(scratch.state);
  const claim = { ...command, noFindings: true };
  if (problems.length === 0) return reviewRefused(state, { turn, claim, facts: command.facts, byOperator });
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
