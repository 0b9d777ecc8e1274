// From round 2 a critic answers every open finding. What it left out is refused, with the command to paste.
import type { ReviewClaim } from "../../model/command.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import type { Finding, NewFinding } from "../../model/review/finding.ts";
import type { State } from "../../model/state.ts";
import { listOpenFindings } from "../../state/severity.ts";
import { findSameFinding, isSameFinding, isWorse } from "./ledger.ts";

/** The pass a critic can paste and fill in: one answer for each open finding. */
export function suggestAnswers(state: State): string {
  const answers = listOpenFindings(state)
    .map((finding) => ` --fixed ${finding.id}`)
    .join("");
  const place = listOpenFindings(state)[0];
  const checked = place?.file
    ? `${place.file}${place.line ? `:${place.line}` : ""} why it is right now`
    : "file:line why it is right";
  return `pairflow pass --summary "…"${answers} --no-findings --checked "${checked}"`;
}

/** What is wrong with a critic's answers, or undefined. */
export function checkReviewAnswers(state: State, claim: ReviewClaim): Refusal | undefined {
  if (claim.noFindings && claim.findings?.length)
    return refuse(
      "pass.findings-contradict",
      "--no-findings and --finding exclude each other",
      "drop --no-findings",
    );
  return (
    refuseUnknownAnswer(state, claim) ?? findContradiction(state, claim) ?? refuseUnanswered(state, claim)
  );
}

function refuseUnknownAnswer(state: State, claim: ReviewClaim): Refusal | undefined {
  const seen = new Set<string>();
  for (const answer of claim.answers ?? []) {
    const finding = state.findings.find((known) => known.id === answer.id);
    if (!finding)
      return refuse("finding.unknown", `there is no finding ${answer.id}`, listKnownFindings(state));
    if (seen.has(answer.id))
      return refuse(
        "finding.answered-twice",
        `${answer.id} is answered twice`,
        "give each finding one answer",
      );
    seen.add(answer.id);
    if (answer.status === "withdrawn" && !answer.reason)
      return refuse(
        "finding.no-reason",
        `withdrawing ${answer.id} needs a reason`,
        `--withdrawn '${answer.id}:why it was wrong'`,
      );
    if (finding.status === "waived") return refuseWaived(finding);
    if (answer.status !== "open" && finding.status !== "open")
      return refuse(
        "finding.not-open",
        `${answer.id} is ${finding.status} already`,
        `--open ${answer.id} reopens it`,
      );
  }
  return undefined;
}

function refuseWaived(finding: Finding): Refusal {
  const place = finding.closedBecause ? `: ${finding.closedBecause}` : "";
  return refuse(
    "finding.waived",
    `a human waived ${finding.id}${place}`,
    "leave it out; report what is new about it as a finding of its own",
  );
}

/** Nothing a critic reports may vanish: neither behind its own answer, nor behind what a human has waived. */
function findContradiction(state: State, claim: ReviewClaim): Refusal | undefined {
  for (const finding of claim.findings ?? []) {
    const same = findSameFinding(finding, state.findings);
    const answer = same && claim.answers?.find((given) => given.id === same.id);
    if (answer && answer.status !== "open")
      return refuse(
        "finding.contradicts",
        `${answer.id} is answered ${answer.status} and reported again`,
        `--open ${answer.id}, or give what is new another title`,
      );
    const waived = same ? undefined : findWaivedTwin(state, finding);
    if (waived) return refuseWaived(waived);
  }
  return undefined;
}

function findWaivedTwin(state: State, finding: NewFinding): Finding | undefined {
  return state.findings.find(
    (known) => known.status === "waived" && isSameFinding(known, finding) && !isWorse(finding, known),
  );
}

function listKnownFindings(state: State): string {
  return state.findings.length > 0
    ? `known: ${state.findings.map((finding) => finding.id).join(", ")}`
    : "this bubble has no findings yet";
}

function refuseUnanswered(state: State, claim: ReviewClaim): Refusal | undefined {
  const answered = new Set((claim.answers ?? []).map((answer) => answer.id));
  for (const finding of claim.findings ?? []) {
    const same = findSameFinding(finding, state.findings);
    if (same) answered.add(same.id);
  }
  const left = listOpenFindings(state).filter((finding) => !answered.has(finding.id));
  if (left.length === 0) return undefined;
  return refuse(
    "review.unanswered",
    `${left.length} open ${left.length === 1 ? "finding needs" : "findings need"} an answer`,
    suggestAnswers(state),
    left.map(
      (finding) =>
        `${finding.id} ${finding.severity} ${finding.title}${finding.file ? `  ${finding.file}${finding.line ? `:${finding.line}` : ""}` : ""}`,
    ),
  );
}
