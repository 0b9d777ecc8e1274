// The ledger of findings: a critic's pass is applied to it as a whole, and only after the referee has seen
// that the critic left the tree alone.

import type { ReviewFacts } from "../../model/command.ts";
import type { NumberedFinding } from "../../model/record/payloads/parts.ts";
import {
  type Answer,
  type Dispute,
  type Finding,
  type NewFinding,
  severities,
} from "../../model/review/finding.ts";
import { keepStart } from "../../model/value/sizes.ts";
import { buildLocationKey, normalizeLocation } from "../citations.ts";

const fold = (title: string) => title.trim().toLowerCase().replace(/\s+/g, " ");

/** The same defect reported twice: same title (case and space folded) and same file. */
export function isSameFinding(a: NewFinding, b: NewFinding): boolean {
  return fold(a.title) === fold(b.title) && (a.file ?? "") === (b.file ?? "");
}

/** The open finding that says the same. */
export function findSameFinding(finding: NewFinding, ledger: readonly Finding[]): Finding | undefined {
  return ledger.find((known) => known.status === "open" && isSameFinding(known, finding));
}

export function isWorse(a: Pick<NewFinding, "severity">, b: Pick<NewFinding, "severity">): boolean {
  return severities.indexOf(a.severity) < severities.indexOf(b.severity);
}

/** Whether a finding says what proves it: a quote, or the older one text. */
export const hasEvidence = ({ evidence, quote }: Pick<NewFinding, "evidence" | "quote">): boolean =>
  Boolean(evidence ?? quote);

/** One finding for what a pass says twice, with the worse of its severities. */
function mergeRepeated(findings: readonly NewFinding[]): NewFinding[] {
  const kept: NewFinding[] = [];
  for (const finding of findings) {
    const at = kept.findIndex((other) => isSameFinding(other, finding));
    const other = kept[at];
    if (!other) kept.push(finding);
    else if (isWorse(finding, other)) kept[at] = { ...other, ...finding };
  }
  return kept;
}

/**
 * Gives ids to what is new. What repeats an open finding is the answer "open" to it, and is kept under its id
 * when it says more than before: a worse severity, or the evidence that was missing.
 */
export function number(
  findings: readonly NewFinding[],
  answers: readonly Answer[],
  ledger: readonly Finding[],
  next: number,
): { findings: NumberedFinding[]; answers: Answer[] } {
  const numbered: NumberedFinding[] = [];
  const all = [...answers];
  let given = next;
  for (const finding of mergeRepeated(findings)) {
    const known = findSameFinding(finding, ledger);
    if (!known) {
      given += 1;
      numbered.push({ id: `F${given}`, ...finding });
      continue;
    }
    if (isWorse(finding, known) || (hasEvidence(finding) && !known.proven))
      numbered.push({ id: known.id, ...finding });
    if (!all.some((answer) => answer.id === known.id)) all.push({ id: known.id, status: "open" });
  }
  return { findings: numbered, answers: all };
}

export interface ReviewStamp {
  readonly round: number;
  readonly agent: string;
  readonly tree: string;
  /** Whether a place lies on lines the last change touched; undefined when there is no earlier change to compare with. */
  readonly touched?: (file: string, line: number | undefined) => boolean;
}

/** The ledger after one critic's pass. */
export function applyReview(
  ledger: readonly Finding[],
  pass: { findings: readonly NumberedFinding[]; answers: readonly Answer[] },
  by: ReviewStamp,
): Finding[] {
  const answers = new Map(pass.answers.map((answer) => [answer.id, answer]));
  const again = new Map(pass.findings.map((finding) => [finding.id, finding]));
  const answered = ledger.map((finding) =>
    sharpenFinding(applyAnswer(finding, answers.get(finding.id), by.round), again.get(finding.id)),
  );
  const known = new Set(ledger.map((finding) => finding.id));
  return [
    ...answered,
    ...pass.findings.filter(({ id }) => !known.has(id)).map((finding) => openFinding(finding, by)),
  ];
}

/** A finding reported again, with what is worse or proven about it now. */
function sharpenFinding(finding: Finding, again: NumberedFinding | undefined): Finding {
  if (!again) return finding;
  const severity = isWorse(again, finding) ? again.severity : finding.severity;
  return {
    ...finding,
    severity,
    ...(hasEvidence(again) && !finding.proven
      ? { ...buildProof(again), proven: again.proven !== false }
      : {}),
  };
}

/** What it says for its proof; the place stays the one it was opened at. */
function buildProof({
  evidence,
  quote,
  why,
}: NumberedFinding): Pick<NewFinding, "evidence" | "quote" | "why"> {
  return { ...(evidence ? { evidence } : {}), ...(quote ? { quote } : {}), ...(why ? { why } : {}) };
}

const keptClosed = 100;
const keptEvidence = 300;

/** What the state keeps of the ledger: everything open, and of what is closed the newest, in short. The log has the rest. */
export function pruneLedger(ledger: readonly Finding[]): Finding[] {
  const closed = ledger.filter((finding) => finding.status !== "open").slice(-keptClosed);
  return ledger
    .filter((finding) => finding.status === "open" || closed.includes(finding))
    .map((finding) =>
      finding.status !== "open" && finding.evidence
        ? { ...finding, evidence: keepStart(finding.evidence, keptEvidence) }
        : finding,
    );
}

function applyAnswer(finding: Finding, answer: Answer | undefined, round: number): Finding {
  if (!answer) return finding;
  if (answer.status === "open") {
    const { closedRound: _round, closedBecause: _why, ...rest } = finding;
    const dispute =
      finding.dispute && !finding.dispute.settled ? { dispute: { ...finding.dispute, upheld: true } } : {};
    return { ...rest, ...dispute, status: "open" };
  }
  return {
    ...finding,
    status: answer.status,
    closedRound: round,
    ...(answer.reason ? { closedBecause: answer.reason } : {}),
  };
}

function openFinding(finding: NumberedFinding, by: ReviewStamp): Finding {
  const serious = finding.severity === "P0" || finding.severity === "P1";
  const escaped = serious && finding.file !== undefined && by.touched?.(finding.file, finding.line) === false;
  return {
    ...finding,
    status: "open",
    proven: hasEvidence(finding) && finding.proven !== false,
    openedRound: by.round,
    openedBy: by.agent,
    openedTree: by.tree,
    ...(escaped ? { escaped: true } : {}),
  };
}

export function applyDisputes(
  ledger: readonly Finding[],
  disputes: readonly Dispute[],
  round: number,
): Finding[] {
  const reasons = new Map(disputes.map((dispute) => [dispute.id, dispute.reason]));
  return ledger.map((finding) => {
    const reason = reasons.get(finding.id);
    return reason && !finding.dispute?.settled ? { ...finding, dispute: { reason, round } } : finding;
  });
}

export function waiveFinding(
  ledger: readonly Finding[],
  ids: readonly string[],
  reason: string,
  round: number,
): Finding[] {
  return ledger.map((finding) =>
    ids.includes(finding.id) && finding.status === "open"
      ? { ...finding, status: "waived", closedRound: round, closedBecause: reason }
      : finding,
  );
}

/** A human wants minor findings fixed: from now on they count like serious ones, and nobody is asked again. */
export function order(ledger: readonly Finding[], ids: readonly string[]): Finding[] {
  return ledger.map((finding) =>
    ids.includes(finding.id) && finding.status === "open" ? { ...finding, ordered: true } : finding,
  );
}

/** A human upheld what a producer disputed: the finding stands and cannot be disputed again. */
export function settleFindings(ledger: readonly Finding[], ids: readonly string[]): Finding[] {
  return ledger.map((finding) =>
    ids.includes(finding.id) && finding.dispute
      ? { ...finding, dispute: { ...finding.dispute, settled: "upheld" } }
      : finding,
  );
}

/** Findings whose dispute the critic has answered with "open": only a human can settle these. */
export function listUpheldDisputes(ledger: readonly Finding[]): Finding[] {
  return ledger.filter(
    (finding) => finding.status === "open" && finding.dispute?.upheld && !finding.dispute.settled,
  );
}

/** The finding, marked when its place is not in the tree; it counts all the same. Without facts nothing is said about it. */
export function markUnproven(finding: NumberedFinding, facts: ReviewFacts | undefined): NumberedFinding {
  const { file } = finding;
  if (!facts || file === undefined || !hasEvidence(finding)) return finding;
  const problem = facts.places[buildLocationKey(normalizeLocation({ ...finding, file }))];
  const isNamed = finding.line === undefined && finding.quote === undefined && facts.files.includes(file);
  return problem === null || isNamed ? finding : { ...finding, proven: false };
}
