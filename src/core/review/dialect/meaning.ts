// What an answer of any dialect means once its form is right: what contradicts itself in it, and the one verdict.
import type { NewFinding } from "../../model/review/finding.ts";
import type { Dialect, SopEntry, Verdict } from "../../model/review/verdict.ts";
import { clip } from "../../model/value/sizes.ts";
import { buildFinding, isGrave, listSopFindings, mergeFindings } from "./derived.ts";
import type { AnswerMeaning, SharedFields } from "./forms/fields.ts";

/** What no answer can mean, in whatever dialect. */
export function findReviewContradictions(
  dialect: Dialect,
  said: SharedFields,
  { decision: decided, listed }: AnswerMeaning,
): string[] {
  const grave = decided === "approve" ? listed.find(isGrave) : undefined;
  return [
    ...(grave ? [`it approves although it reports ${grave.severity} ${clip(grave.title, 100)}`] : []),
    ...(dialect !== "status" && said.questions.length > 0
      ? ["it asks questions, so its status must be needs_input, not completed"]
      : []),
    ...said.sop_review.flatMap(listSopProblem),
    ...findAnsweredTwice(said.sop_review),
  ];
}

function listSopProblem({ sop_id, status: word, violations }: SopEntry): string[] {
  if (word === "violated" && violations.length === 0)
    return [`sop_review: ${sop_id} is violated, but its violations are missing`];
  if (word !== "violated" && violations.length > 0)
    return [`sop_review: ${sop_id} is ${word}, but it lists a violation: ${clip(violations[0] ?? "", 100)}`];
  return [];
}

function findAnsweredTwice(entries: readonly SopEntry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ sop_id: id }) =>
    seen.size === seen.add(id).size ? [`sop_review: ${id} is answered twice`] : [],
  );
}

/** The verdict that an answer stands for. */
export function buildVerdict(dialect: Dialect, said: SharedFields, meant: AnswerMeaning): Verdict {
  const {
    listed,
    implied,
    answers = said.prior_findings ?? [],
    questions = [],
    converged = false,
    ...own
  } = meant;
  return {
    dialect,
    ...own,
    ...(said.tree ? { tree: said.tree } : {}),
    sop_review: said.sop_review,
    ...(said.confidence === undefined ? {} : { confidence: said.confidence }),
    patterns: said.patterns,
    findings: listAllFindings(said, meant),
    answers,
    checked: said.checked,
    questions,
    converged,
  };
}

/** A rejection in prose alone is itself a finding: nobody may read it as a clean pass. */
function listAllFindings(
  said: SharedFields,
  { decision: decided, summary, listed, implied = [], answers }: AnswerMeaning,
): NewFinding[] {
  const sops = listSopFindings(said.sop_review, listed);
  const all = mergeFindings(listed, [...implied, ...sops]);
  const isNamed =
    all.length > 0 || (answers ?? said.prior_findings ?? []).some(({ status: word }) => word === "open");
  return decided === "revise" && !isNamed ? mergeFindings(all, [buildFinding("P1", summary)]) : all;
}
