// What an answer of any dialect means once its form is right: what contradicts itself in it, and the one verdict.
import type { NewFinding } from "../../model/finding.ts";
import { clip } from "../../model/sizes.ts";
import type { Dialect, SopEntry, Verdict } from "../../model/verdict.ts";
import { blocks, findingOf, joined, sopFindings } from "./derived.ts";
import type { Meant, Shared } from "./forms/fields.ts";

/** What no answer can mean, in whatever dialect. */
export function contradictions(
  dialect: Dialect,
  said: Shared,
  { decision: decided, listed }: Meant,
): string[] {
  const grave = decided === "approve" ? listed.find(blocks) : undefined;
  return [
    ...(grave ? [`it approves although it reports ${grave.severity} ${clip(grave.title, 100)}`] : []),
    ...(dialect !== "status" && said.questions.length > 0
      ? ["it asks questions, so its status must be needs_input, not completed"]
      : []),
    ...said.sop_review.flatMap(sopProblem),
    ...answeredTwice(said.sop_review),
  ];
}

function sopProblem({ sop_id, status: word, violations }: SopEntry): string[] {
  if (word === "violated" && violations.length === 0)
    return [`sop_review: ${sop_id} is violated, but its violations are missing`];
  if (word !== "violated" && violations.length > 0)
    return [`sop_review: ${sop_id} is ${word}, but it lists a violation: ${clip(violations[0] ?? "", 100)}`];
  return [];
}

function answeredTwice(entries: readonly SopEntry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ sop_id: id }) =>
    seen.size === seen.add(id).size ? [`sop_review: ${id} is answered twice`] : [],
  );
}

/** The verdict that an answer stands for. */
export function verdictOf(dialect: Dialect, said: Shared, meant: Meant): Verdict {
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
    findings: allFindings(said, meant),
    answers,
    checked: said.checked,
    questions,
    converged,
  };
}

/** A rejection in prose alone is itself a finding: nobody may read it as a clean pass. */
function allFindings(
  said: Shared,
  { decision: decided, summary, listed, implied = [], answers }: Meant,
): NewFinding[] {
  const sops = sopFindings(said.sop_review, listed);
  const all = joined(listed, [...implied, ...sops]);
  const isNamed =
    all.length > 0 || (answers ?? said.prior_findings ?? []).some(({ status: word }) => word === "open");
  return decided === "revise" && !isNamed ? joined(all, [findingOf("P1", summary)]) : all;
}
