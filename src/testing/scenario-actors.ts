// Who speaks in scenarios, and a world in which every place that a review cites is there.
import type { Actor, ReviewClaim, ReviewFacts } from "../core/model/command.ts";
import type { ProducerPackage } from "../core/model/record/package.ts";
import type { Turn } from "../core/model/state/turn.ts";
import { collectReviewFacts } from "../core/review/facts.ts";

export const operator: Actor = { kind: "operator", via: "terminal" };
export const driver = { kind: "driver", id: "d1" } as const satisfies Actor;

export const wholePackage: ProducerPackage = {
  what: "Discounts apply before tax",
  why: "Totals ignored the discount",
  risks: "Old invoices keep their totals",
  test_plan: "Add two items with code SAVE10",
  commit_message: "fix(cart): apply discount before tax",
};

/** The capability of a turn's attempt, as these scenarios hand it out. */
export const buildCapability = (turn: Pick<Turn, "id">, attempt: number): string =>
  `secret-${turn.id}.${attempt}`;

export function buildAgentActor(turn: Turn): Actor {
  return { kind: "agent", turn: turn.id, attempt: turn.attempt, capability: turn.capability ?? "" };
}

/** What the turn's verb said about the tree. */
export function getClaimedReview({ claim }: Turn): ReviewClaim {
  const { answers = [], checked = [], opinion } = claim?.pass ?? claim?.convergence ?? {};
  return { findings: claim?.pass?.findings ?? [], answers, checked, ...(opinion ? { opinion } : {}) };
}

/** Written as a file: with a folder, or with an ending. */
const looksLikeFile = (word: string): boolean =>
  /^(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}$|^[A-Z]\w*file$/.test(word);

/** A world in which every place a review cites stands in the tree, and every SOP is about every file. */
export function proveAllPlaces(claim: ReviewClaim, tree = ""): ReviewFacts {
  const nowhere = () => undefined;
  const facts = collectReviewFacts(claim, [], {
    tree,
    names: (word) => (looksLikeFile(word) ? word : undefined),
    now: () => "",
    before: nowhere,
    isRule: () => false,
    opened: nowhere,
    ruleText: nowhere,
    matched: () => [],
    isSop: () => true,
  });
  const places = Object.keys(facts.places).map((key) => [key, null] as const);
  const matched = Object.keys(facts.matched).map((id) => [id, facts.files] as const);
  return { ...facts, places: Object.fromEntries(places), matched: Object.fromEntries(matched) };
}
