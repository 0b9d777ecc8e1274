// `converged`: the critic's claim that nothing is left to do, checked as if it were already a clean pass.
import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { checkConvergence } from "../../../judge/convergence.ts";
import { collectConvergenceEvidence } from "../../../judge/convergence-evidence.ts";
import type { CommandOf, ReviewClaim } from "../../../model/command.ts";
import type { PayloadOf } from "../../../model/record/envelope.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { Turn } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { identifySpeaker } from "../../../permission/capability.ts";
import { checkReviewAnswers, suggestAnswers } from "../../../review/findings/answers.ts";
import { addSopFindings } from "../../../review/findings/sops.ts";
import { checkReviewIntegrity } from "../../../review/integrity.ts";
import { isCritic } from "../../../state/workflow-position.ts";
import { openBatch } from "../../batch.ts";
import { refuseUnreadableReview } from "./pass.ts";
import { type ClaimDecision, findClaimant, recordRefusedClaim, withdrawWatchdog } from "./speaker.ts";

export function decideConverged(batch: DecisionBatch, command: CommandOf<"converged">): ClaimDecision {
  const who = findClaimant(batch, identifySpeaker(batch.state, command.actor, "converged", command.digest));
  if ("result" in who) return who.result;
  const { turn, byOperator } = who;
  const problem = checkConvergedClaim(batch.state, turn, command, byOperator);
  if (problem) return recordRefusedClaim(batch, problem, turn, command.actor);
  withdrawWatchdog(batch, turn.agent);
  writeConvergence(batch, turn, command, byOperator);
}

function writeConvergence(
  batch: DecisionBatch,
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
      evidence: addThisPass(batch.state, turn),
    },
    { from: byOperator ? "human" : turn.agent, refs: command.refs ?? [] },
  );
}

/** The claim is itself the last clean pass it rests on. */
function addThisPass(state: State, turn: Turn): PayloadOf<"CONVERGENCE">["evidence"] {
  const evidence = collectConvergenceEvidence(state);
  return {
    ...evidence,
    clean_passes: [...evidence.clean_passes, { agent: turn.agent, round: state.round, seq: state.seq + 1 }],
  };
}

/** Only the current reviewer may claim convergence, and only if the claim, taken as a clean pass, would make it true. */
function checkConvergedClaim(
  state: State,
  turn: Turn,
  command: CommandOf<"converged">,
  byOperator: boolean,
): Refusal | undefined {
  if (!isCritic(state, turn.role))
    return refuse(
      "convergence.not-reviewer",
      `only the reviewer of round ${state.round} may say converged; ${turn.agent} is the ${turn.role}`,
      'pairflow pass --summary "…"',
    );
  if (command.unreadable?.length) return refuseUnreadableReview(state, command);
  if (addSopFindings(state, command).findings?.length)
    return refuse(
      "convergence.with-findings",
      "a convergence claim cannot bring new findings",
      `pairflow pass --summary "…" --finding 'P1:Title @ file:line'`,
    );
  const answers = checkReviewAnswers(state, { ...command, noFindings: true });
  if (answers && answers.code !== "review.unanswered") return answers;
  const scratch = openBatch(state, "");
  writeConvergence(scratch, turn, command, byOperator);
  scratch.write("HANDOFF", { ...buildUnchangedHandoff(state, turn) });
  const problems = checkConvergence(scratch.state);
  const claim = { ...command, noFindings: true };
  if (problems.length === 0)
    return checkReviewIntegrity(state, { turn, claim, facts: command.facts, byOperator });
  return refuse(
    getCode(problems),
    "this bubble cannot converge yet",
    answers ? suggestAnswers(state) : suggestSamePass(command),
    problems,
  );
}

/** The same review, to be pasted as a pass. */
function suggestSamePass({ answers = [] }: ReviewClaim): string {
  const said = answers.map(
    (answer) =>
      ` --${answer.status} ${answer.status === "withdrawn" ? `'${answer.id}:${answer.reason ?? "reason"}'` : answer.id}`,
  );
  return `pairflow pass --summary "…"${said.join("")} --no-findings --checked "file:line why it is right"`;
}

function getCode(problems: readonly string[]): string {
  if (problems.some((problem) => problem.startsWith("open finding"))) return "convergence.open-findings";
  if (problems.some((problem) => problem.includes("alternation"))) return "convergence.no-alternation";
  return "convergence.not-met";
}

function buildUnchangedHandoff(state: State, turn: Turn) {
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
