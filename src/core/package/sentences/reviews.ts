// Who judged the work: reviews of one's own work, work that nobody passed, reviews that need no evidence or that a human
// trusts. Derived from who handed over and who reviewed which tree, not from the roles of the configuration.
import type { State } from "../../model/state.ts";
import { listWork, type Work } from "../../state/work.ts";
import { findTask } from "../../state/workflow-position.ts";
import { buildCriterionViews } from "../criteria.ts";
import { type SentenceRule, sayNames, sayOne } from "../sentence.ts";

/** `in the task design`, where there is more than one. */
const nameTask = (key: string) => (key === "" ? "" : ` in ${key}`);

/** Makers whose work was passed by nobody but themselves. */
const listSelfReviewed = ({ makers, passed }: Work): string[] =>
  passed.length === 0 ? [] : makers.filter((maker) => passed.every((agent) => agent === maker));

const ownWork: SentenceRule = {
  code: "review.own-work",
  appears: "the only agent that passed what somebody made is the one that made it",
  say: (state) =>
    listWork(state).flatMap(([key, work]) =>
      listSelfReviewed(work).map((agent) => ({
        text: `weak alternation: nobody but ${agent} reviewed what ${agent} made${nameTask(key)}`,
        facts: { agent, task: key, tree: work.tree },
      })),
    ),
};

const noneOnTree: SentenceRule = {
  code: "review.none-on-tree",
  appears: "no agent's clean review is about exactly the tree that is signed",
  say: (state) =>
    sayOne(listCurrentPassers(state).length > 0 ? undefined : "no reviewer has approved exactly this tree", {
      tree: state.tree?.id ?? "",
    }),
};

/** Children are judged where they work, and tell what there is to know themselves. */
const isUnpassed = (state: State, key: string, { tree, passed, know }: Work): boolean =>
  passed.length === 0 && know === undefined && tree !== state.tree?.id && hasCritic(state, key);

const unpassed: SentenceRule = {
  code: "review.unpassed-work",
  appears: "an earlier task or phase that has a reviewer ended with a tree that no reviewer passed",
  say: (state) =>
    listWork(state)
      .filter(([key, work]) => isUnpassed(state, key, work))
      .map(([key, { tree, makers }]) => ({
        text: `no reviewer has approved what ${makers.join(" and ") || "somebody"} made in ${key}`,
        facts: { task: key, tree, makers },
      })),
};

const noEvidence: SentenceRule = {
  code: "review.no-evidence-asked",
  appears: "`review.require_evidence` is false in this bubble",
  say: ({ config }) =>
    sayOne(
      config.review.require_evidence
        ? undefined
        : "reviews need no evidence here (review.require_evidence = false)",
    ),
};

const trusted: SentenceRule = {
  code: "review.trusted",
  appears: "a reviewer was less sure than the bubble asks for, and a human chose to trust its review",
  say: ({ reviews }) =>
    reviews
      .filter((review) => review.trusted)
      .map(({ agent, unsure = 0 }) => ({
        text: `${agent} was only ${Math.round(unsure * 100)} % sure of its review; a human trusts it`,
        facts: { agent, confidence: unsure },
      })),
};

const byOperator: SentenceRule = {
  code: "review.by-operator",
  appears:
    "a review of the signed tree was typed by a human in an agent's turn; it never counts as a clean pass",
  say: ({ reviews, tree }) =>
    reviews
      .filter((review) => review.byOperator && review.tree === tree?.id)
      .map(({ agent, round }) => ({
        text: `the review of round ${round} in the turn of ${agent} was typed by a human`,
        facts: { agent, round },
      })),
};

const unproven: SentenceRule = {
  code: "review.criterion-unproven",
  appears: "no clean review of exactly this tree gives evidence for an acceptance criterion",
  say: (state) =>
    sayNames(
      buildCriterionViews(state)
        .filter(({ evidence }) => evidence?.length === 0)
        .map(({ id }) => id),
      (ids) => `no review of exactly this tree has evidence for: ${ids}`,
    ),
};

export const reviewSentences: readonly SentenceRule[] = [
  ownWork,
  noneOnTree,
  unpassed,
  noEvidence,
  trusted,
  byOperator,
  unproven,
];

/** The agents whose clean review is about exactly the current tree. */
function listCurrentPassers({ reviews, tree }: Pick<State, "reviews" | "tree">): string[] {
  const clean = reviews.filter((review) => review.clean && review.tree === tree?.id);
  return [...new Set(clean.map(({ agent }) => agent))];
}

function hasCritic(state: State, key: string): boolean {
  return (findTask(state, key)?.loop ?? state.program.loop).critic !== undefined;
}
