// Whether a review may count: it judged this tree, by somebody else than its producer, does not contradict itself, and
// an approval proves what it says about everything it must answer for. Used on the agent's verb, on the driver's second
// look, and by hand.

import type { ReviewClaim, ReviewFacts } from "../model/command.ts";
import type { NumberedFinding } from "../model/record/payloads/parts.ts";
import { type Refusal, refuse } from "../model/refusal.ts";
import type { Finding } from "../model/review/finding.ts";
import { checkNames } from "../model/review/verdict.ts";
import type { Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import { listLoopAgents } from "../state/roles.ts";
import { listOpenBlocking } from "../state/severity.ts";
import { getDialect } from "../state/workflow-position.ts";
import { checkApprovalProof } from "./approval.ts";
import { applyReview, number } from "./findings/ledger.ts";
import { isCriterionId, listEvidenceIds } from "./subjects.ts";
import { isRejectedByWord } from "./word.ts";

export interface ReviewInput {
  readonly turn: Pick<Turn, "agent" | "tree">;
  readonly claim: ReviewClaim;
  readonly facts?: ReviewFacts | undefined;
  /** An operator's review never counts as clean: it need prove nothing. */
  readonly byOperator?: boolean;
}

/** Why this review cannot count, or undefined. */
export function checkReviewIntegrity(state: State, judged: ReviewInput): Refusal | undefined {
  return (
    refuseStaleTree(judged) ??
    refuseNotIndependent(state, judged) ??
    refuseUnknownSop(state, judged) ??
    findContradiction(state, judged.claim) ??
    refuseUncheckedQuality(judged) ??
    refuseUnknownSubject(state, judged) ??
    refuseEmptyEvidence(judged) ??
    checkConfidence(state, judged) ??
    refuseFixedUnchanged(judged) ??
    (mustProve(state, judged) ? checkApprovalProof(state, judged) : undefined)
  );
}

/** An approval without evidence is no approval, unless the bubble says otherwise. */
function mustProve(state: State, { claim, byOperator }: ReviewInput): boolean {
  return !byOperator && state.config.review.require_evidence && isApproval(state, claim);
}

/** Would this review leave nothing open that stops the loop? Then it approves, unless its own word rejects. */
export function isApproval(state: State, claim: ReviewClaim): boolean {
  return !isRejectedByWord(claim.opinion) && listBlockingAfter(state, claim).length === 0;
}

function listBlockingAfter(state: State, claim: ReviewClaim): Finding[] {
  const { findings, answers } = isNumbered(claim.findings ?? [])
    ? { findings: claim.findings as NumberedFinding[], answers: claim.answers ?? [] }
    : number(claim.findings ?? [], claim.answers ?? [], state.findings, state.findingCount);
  const by = { round: state.round, agent: "", tree: state.tree?.id ?? "" };
  return listOpenBlocking({ ...state, findings: applyReview(state.findings, { findings, answers }, by) });
}

const isNumbered = (findings: readonly object[]) =>
  findings.length > 0 && findings.every((one) => "id" in one);

const shortest = 12;

/** A written review names the tree it judged; flags speak for the tree of their turn. */
function refuseStaleTree({ turn, claim, facts }: ReviewInput): Refusal | undefined {
  const expected = turn.tree ?? "";
  if (facts && facts.tree !== expected)
    return refuse("review.stale-tree", "the review was looked up in another tree than the turn's own");
  return claim.opinion ? checkReviewedTree(turn, claim.opinion.tree) : undefined;
}

/** Why a review of this tree is none of the turn's, or undefined. */
export function checkReviewedTree(turn: Pick<Turn, "tree">, named: string | undefined): Refusal | undefined {
  const expected = turn.tree ?? "";
  if (named === expected) return undefined;
  if (named && named.length >= shortest && expected.startsWith(named)) return undefined;
  return refuse(
    "review.stale-tree",
    named
      ? `the review judges tree ${named}, this turn is about ${expected}`
      : "the review does not name the tree it judged",
    `"tree": "${expected}"`,
  );
}

function refuseNotIndependent(state: State, { turn }: ReviewInput): Refusal | undefined {
  const { tree } = state;
  if (!tree || tree.by !== turn.agent || tree.round !== state.round || listLoopAgents(state).length < 2)
    return undefined;
  return refuse("review.not-independent", `${turn.agent} made this tree in this round and cannot review it`);
}

/** An approving word with something open, or a rejecting word with nothing behind it. */
function findContradiction(state: State, claim: ReviewClaim): Refusal | undefined {
  const { decision, dialect } = claim.opinion ?? {};
  // In the dialect of findings the decision follows from them: there is no word that could contradict.
  if (decision === undefined || dialect === "findings") return undefined;
  const blocking = listBlockingAfter(state, claim);
  const elsewhere = listViolatedElsewhere(state, claim);
  if (decision === "approve" && elsewhere.length > 0)
    return refuse(
      "review.contradiction",
      `the review approves and says that ${elsewhere.join(", ")} is violated`,
      "reject it, or leave out SOPs that do not apply to this tree",
    );
  if (decision === "approve" && blocking.length > 0)
    return refuse(
      "review.contradiction",
      "the review approves and leaves open what stops the loop",
      "reject it, or answer each of these",
      blocking.map(({ id, severity, title }) => `${id} ${severity} ${title}`),
    );
  const open =
    (claim.findings?.length ?? 0) + (claim.answers ?? []).filter(({ status }) => status === "open").length;
  if (decision === "revise" && open === 0)
    return refuse(
      "review.contradiction",
      "the review rejects and names no finding",
      "say what must change, with file and line",
    );
}

/** A quality check that is left out, null or called otherwise is not passed. */
function refuseUncheckedQuality({ claim: { opinion }, byOperator }: ReviewInput): Refusal | undefined {
  if (byOperator || opinion?.dialect !== "decision" || opinion.decision !== "approve") return undefined;
  const { quality_checks: said = {} } = opinion;
  const missing = checkNames.filter((name) => said[name] !== true);
  if (missing.length === 0) return undefined;
  return refuse(
    "review.quality-checks",
    `the review says GO, and ${missing.length === 1 ? "a quality check is" : "quality checks are"} not passed: ${missing.join(", ")}`,
    `"quality_checks": {${checkNames.map((name) => `"${name}": true`).join(", ")}}`,
  );
}

/** SOPs that do not apply to this tree, said to be violated: that makes no finding, and no approval either. */
function listViolatedElsewhere(state: State, { opinion }: ReviewClaim): string[] {
  const applying = state.tree?.context?.sops.map(({ id }) => id) ?? [];
  return (opinion?.sop_review ?? [])
    .filter(({ sop_id: id, status }) => status === "violated" && !applying.includes(id))
    .map(({ sop_id: id }) => id);
}

/** An SOP that the project does not have was invented, whatever is said about it. */
function refuseUnknownSop(state: State, { facts, byOperator }: ReviewInput): Refusal | undefined {
  const unknown = [...new Set(facts?.unknownSops ?? [])];
  if (byOperator || unknown.length === 0) return undefined;
  const known = (state.tree?.context?.sops ?? []).map(({ id }) => id);
  return refuse(
    "review.unknown-sop",
    `the project has no SOP ${unknown.join(", ")}`,
    known.length > 0
      ? `SOPs of this tree: ${known.join(", ")}`
      : "leave sop_review empty: no SOP applies here",
  );
}

/** Each answer to an SOP has evidence, whatever the review decides. */
function refuseEmptyEvidence({ claim, byOperator }: ReviewInput): Refusal | undefined {
  const empty = (claim.opinion?.sop_review ?? []).filter(({ evidence }) => evidence.length === 0);
  const [first] = empty;
  if (byOperator || !first) return undefined;
  return refuse(
    "review.evidence",
    "an answer to an SOP needs evidence",
    `--sop '${first.sop_id} ${first.status} file:LINE what you saw there'`,
    empty.slice(0, 18).map(({ sop_id: id }) => `${id}: its evidence is empty`),
  );
}

/** Evidence for what nobody asks for proves nothing, whatever it names. */
function refuseUnknownSubject(state: State, { claim, byOperator }: ReviewInput): Refusal | undefined {
  if (byOperator) return undefined;
  const known = listEvidenceIds(state);
  const named = (claim.checked ?? []).flatMap(({ for: subjects = [] }) => subjects);
  const unknown = [...new Set(named)].filter((id) => !known.includes(id));
  if (unknown.length === 0) return undefined;
  const what = unknown.every(isCriterionId) ? "criterion" : "criterion, SOP or question";
  return refuse(
    "review.unknown-subject",
    `there is no ${what} ${unknown.join(", ")} here`,
    known.length > 0
      ? `evidence is for: ${known.join(", ")}`
      : "leave out what it is for; name the file alone",
  );
}

/** The dialect `verdict` always says how sure it is, by flags too. */
function checkConfidence(state: State, { claim, byOperator }: ReviewInput): Refusal | undefined {
  if (byOperator || getDialect(state) !== "verdict" || claim.opinion?.confidence !== undefined)
    return undefined;
  return refuse("review.no-confidence", "a review of this bubble says how sure it is", "--confidence 0.9");
}

function refuseFixedUnchanged({ claim, facts, byOperator }: ReviewInput): Refusal | undefined {
  if (byOperator) return undefined;
  const wrong = (claim.answers ?? []).filter(
    ({ id, status }) => status === "fixed" && facts?.unchanged.includes(id),
  );
  const [first] = wrong;
  if (!first) return undefined;
  return refuse(
    "review.fixed-unchanged",
    `${wrong.map(({ id }) => id).join(", ")}: answered fixed, but nothing changed where it was found`,
    `--fixed '${first.id}:file:line why it is fixed there'   or   --open ${first.id}   or   --withdrawn '${first.id}:reason'`,
  );
}
