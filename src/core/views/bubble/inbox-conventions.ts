// What the project itself asks a human: whether what its critics keep noticing is a convention. Apart from the inbox of a
// bubble, because what an agent's verb loads must not grow with it.
import {
  describeConventionEvidence,
  type KnownConvention,
  quoteForShell,
} from "../../knowledge/learning/conventions.ts";
import type { InboxItem } from "./inbox.ts";

/** Conventions there is enough evidence for: a human says whether critics are told. */
export function buildConventionItems(known: readonly KnownConvention[]): InboxItem[] {
  return known.flatMap((convention) =>
    convention.status === "waiting" && convention.asked_at
      ? [buildItem(convention, convention.asked_at)]
      : [],
  );
}

function buildItem({ name, pattern, applies_to, evidence }: KnownConvention, at: string): InboxItem {
  const files = applies_to.join(", ");
  const word = quoteForShell(name);
  return {
    bubble: null,
    id: `convention:${name}`,
    kind: "convention",
    from: [...new Set(evidence.map(({ agent }) => agent))].join(", "),
    text: [
      `${name}: ${pattern} (${files})`,
      `Reviewers noticed it in ${evidence.length} bubbles whose work was approved. A convention?`,
      ...evidence.map((one) => `· ${describeConventionEvidence(one)}`),
    ].join("\n"),
    at,
    round: 0,
    options: [
      { key: "accept", does: `reviewers of later bubbles are told it, for ${files}` },
      { key: "dismiss", does: `not asked again: pairflow conventions dismiss ${word}` },
    ],
    command: `pairflow conventions accept ${word}`,
    convention: { name, pattern, applies_to, evidence },
  };
}

/** What was learned cannot be read: a human fixes it, or nothing is ever asked again. */
export function buildUnreadableItem(problem: string): InboxItem {
  return {
    bubble: null,
    id: "conventions",
    kind: "unreadable",
    from: "orchestrator",
    text: problem,
    at: "",
    round: 0,
    options: [],
    command: "pairflow conventions list",
  };
}
