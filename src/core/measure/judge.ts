// The judgement of one review. A planted defect is caught by a finding that counts and points at it; a clean change raises a
// false alarm when a finding would send it back.

import type { Usage } from "../model/record/usage.ts";
import type { NewFinding, Severity } from "../model/review/finding.ts";
import type { State } from "../model/state.ts";
import type { Case, Defect, DefectClass } from "./case.ts";

export type CaseJudgement = "caught" | "missed" | "clean" | "false-alarm" | "invalid";

/** What is known of one review of one case. */
export interface MeasuredCase {
  readonly case: string;
  readonly class: DefectClass;
  readonly planted: boolean;
  readonly judgement: CaseJudgement;
  /** The finding that decided it, or why there is no valid review. */
  readonly says: string;
  readonly seconds: number;
  readonly usage?: Usage;
}

/** A review that counts, or the reason why there is none. */
export type MeasuredReview =
  | { readonly valid: true; readonly findings: readonly NewFinding[] }
  | { readonly valid: false; readonly why: string };

/** The first review of an agent, as the record tells it. */
export function findFirstReview(state: State, agent: string): MeasuredReview {
  const review = state.reviews.find((one) => one.agent === agent);
  if (review)
    return {
      valid: true,
      findings: state.findings.filter(
        ({ openedBy, openedRound }) => openedBy === agent && openedRound === review.round,
      ),
    };
  const { questions, warnings, end } = state;
  const why = questions[0]?.text ?? end?.message ?? warnings.last?.message ?? "nothing was handed in in time";
  return { valid: false, why };
}

/** Judges a review of a case. */
export function judgeReview(one: Case, review: MeasuredReview): Pick<MeasuredCase, "judgement" | "says"> {
  if (!review.valid) return { judgement: "invalid", says: review.why };
  const { defect } = one;
  if (!defect) {
    const alarm = review.findings.find(({ severity }) => alarming.includes(severity));
    return alarm
      ? { judgement: "false-alarm", says: describeFinding(alarm) }
      : { judgement: "clean", says: "" };
  }
  const found = review.findings.find((finding) => namesDefect(finding, defect));
  return found
    ? { judgement: "caught", says: describeFinding(found) }
    : { judgement: "missed", says: defect.wrong };
}

const alarming: readonly Severity[] = ["P0", "P1"];
const counting: readonly Severity[] = ["P0", "P1", "P2"];
/** People count lines differently, and point at the head of a statement or at its end. */
const tolerance = 3;

/** Whether a finding names the defect's file, and one of its lines or what stands there. */
export function namesDefect(finding: NewFinding, defect: Defect): boolean {
  if (!counting.includes(finding.severity) || !isFile(finding.file, defect.file)) return false;
  const { line } = finding;
  const near = line !== undefined && defect.lines.some((at) => Math.abs(at - line) <= tolerance);
  return near || quotes(finding.evidence ?? finding.quote ?? "", defect.texts);
}

function isFile(named: string | undefined, file: string): boolean {
  return named === file || Boolean(named?.endsWith(`/${file}`));
}

function quotes(evidence: string, texts: readonly string[]): boolean {
  const said = fold(evidence);
  return texts
    .map(fold)
    .some(
      (stands) => (isTelling(stands) && said.includes(stands)) || (isTelling(said) && stands.includes(said)),
    );
}

const fold = (text: string) => text.replace(/\s+/g, " ").replace(/^[\s`'"]+|[\s`'"]+$/g, "");

/** A brace or a lone word stands everywhere. */
const isTelling = (text: string) => (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 8;

function describeFinding({ severity, title, file, line }: NewFinding): string {
  const place = file ? ` @ ${file}${line === undefined ? "" : `:${line}`}` : "";
  return `${severity} ${title}${place}`;
}
