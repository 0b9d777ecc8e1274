// What a role is kept from seeing, named so that a human can judge whether the separation is right.
import { isStandards } from "./constitution.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Side } from "./side.ts";

export interface Withheld {
  readonly what: string;
  readonly items: readonly string[];
}

interface Seeing {
  readonly side: Side;
  readonly blind: boolean;
  /** `reviewer_sees_summary` */
  readonly seesSummary: boolean;
}

/** Everything that is withheld from one side; empty lists are left out. */
export function listWithheld(knowledge: Knowledge, { side, blind, seesSummary }: Seeing): Withheld[] {
  const kept =
    side === "critic" ? (seesSummary ? [] : [ownWords]) : blind ? listJudgingKnowledge(knowledge) : [];
  return kept.filter(({ items }) => items.length > 0);
}

const ownWords: Withheld = {
  what: "the producer's words about itself (reviewer_sees_summary = false)",
  items: ["summaries of its handoffs", "the package, until a human signs it"],
};

function listJudgingKnowledge({ sops, constitution, conventions, hidden }: Knowledge): Withheld[] {
  const standards = constitution.filter(({ sections }) => sections.some(({ name }) => isStandards(name)));
  return [
    { what: "SOPs (review.blind = true)", items: sops.map(({ id, severity }) => `${id} (${severity})`) },
    { what: "Standards of the constitution", items: standards.map(({ file }) => file) },
    { what: "conventions", items: conventions.map(({ name }) => name) },
    { what: "files that are not checked out", items: hidden },
  ];
}
