// By which evidence a tree was approved or sent back: every place that the reviews which counted rest on, each with who
// named it and whether it holds in the tree that would be committed.
import type { ReviewClaim, ReviewFacts } from "../../model/command.ts";
import { type CodeLocation, formatLocation } from "../../model/review/evidence.ts";
import { listCitations } from "../../review/approval.ts";
import { buildLocationKey, normalizeLocation } from "../../review/citations.ts";
import { isCriterionId } from "../../review/subjects.ts";
import { type GoOrNot, getReviewDecision } from "./log.ts";
import type { CountedReview } from "./trail.ts";

export interface EvidenceItem {
  readonly iteration: number;
  readonly agent: string;
  readonly round: number;
  /** The tree that was judged. */
  readonly tree: string;
  readonly decision: GoOrNot;
  /** What it is evidence for. */
  readonly kind: "criterion" | "sop" | "finding" | "file" | "question";
  readonly for: string;
  /** Of an SOP: passed, violated or not_applicable; of a finding: its severity and title. */
  readonly says?: string;
  readonly place: string;
  readonly quote?: string;
  readonly why?: string;
  /** Whether it stands in the tree to be committed, or in the base for what was removed. */
  readonly holds: boolean;
  readonly problem?: string;
}

/** What a counted review says about files, as a claim that can be looked up again. */
export function buildClaimOfReview({ checked = [], open, newIds, opinion }: CountedReview): ReviewClaim {
  const findings = open.filter(({ id }) => newIds.includes(id));
  return { checked, findings, ...(opinion ? { opinion } : {}) };
}

/** The evidence of one review, with the facts of the tree to be committed. */
export function listReviewEvidence(review: CountedReview, facts: ReviewFacts): EvidenceItem[] {
  const { iteration, agent, round, tree } = review;
  const about = { iteration, agent, round, tree, decision: getReviewDecision(review) };
  return [...listChecked(review), ...listSopAnswers(review, facts), ...listFindings(review)].map(
    ({ at, quote = at.quote, ...item }) => {
      const problem = facts.places[buildLocationKey(at)];
      return {
        ...about,
        ...item,
        place: formatLocation(at),
        ...(quote ? { quote } : {}),
        holds: problem === null,
        ...(problem ? { problem } : {}),
      };
    },
  );
}

type Item = Pick<EvidenceItem, "kind" | "for" | "says" | "why" | "quote"> & { readonly at: CodeLocation };

function listChecked({ checked = [] }: CountedReview): Item[] {
  return checked.flatMap(({ for: ids = [], why, ...place }): Item[] => {
    const at = normalizeLocation(place);
    return ids.length > 0
      ? ids.map((id) => ({ kind: getKind(id), for: id, why, at }))
      : [{ kind: "file", for: at.file, why, at }];
  });
}

function getKind(id: string): EvidenceItem["kind"] {
  if (isCriterionId(id)) return "criterion";
  return id.includes(".sops.") ? "sop" : "question";
}

function listSopAnswers({ opinion }: CountedReview, facts: ReviewFacts): Item[] {
  return (opinion?.sop_review ?? []).flatMap((entry): Item[] => {
    const { sop_id: id, status: says, evidence } = entry;
    const item = { kind: "sop", for: id, says } as const;
    if (typeof evidence !== "string")
      return evidence.map(({ why, ...place }) => ({ ...item, why, at: normalizeLocation(place) }));
    return listCitations(entry, facts).map((at) => ({ ...item, why: evidence, at }));
  });
}

function listFindings({ open, newIds }: CountedReview): Item[] {
  return open
    .filter(({ id, file }) => newIds.includes(id) && file !== undefined)
    .map(({ id, severity, title, evidence, why, ...place }) => ({
      kind: "finding",
      for: id,
      says: `${severity} ${title}`,
      ...(why ? { why } : {}),
      ...(evidence ? { quote: evidence } : {}),
      at: normalizeLocation({ ...place, file: place.file ?? "" }),
    }));
}
