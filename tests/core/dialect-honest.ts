// Honest answers in every dialect: each review of the cart in three hands, from the shortest form to the strict one of
// vendors. Whatever places and quotes they cite stand in the cart. None may be refused.
import { type Dialect, dialects } from "../../src/core/model/review/verdict.ts";
import { buildReviewSchema } from "../../src/core/review/dialect/schema.ts";
import { quality_checks as allPassed } from "../helpers/quality.ts";
import { TREE } from "./dialect-cart.ts";
import { type Found, type Review, reviews } from "./dialect-reviews.ts";

export interface Sample {
  readonly name: string;
  readonly dialect: Dialect;
  readonly text: string;
}

export interface Honest extends Sample {
  readonly decision: "approve" | "revise" | "clarify";
}

type Fields = Readonly<Record<string, unknown>>;

const words = { P0: "critical", P1: "high", P2: "medium", P3: "low" } as const;

const listed = (findings: readonly Found[]) =>
  findings.map(({ quote, ...rest }) => ({ ...rest, ...(quote ? { evidence: quote } : {}) }));

const listedAsStatus = (findings: readonly Found[]) =>
  findings.map(({ severity, title, area, advice, file, line, quote }, i) => ({
    id: `F${i + 1}`,
    ...(area ? { category: area } : {}),
    severity: words[severity],
    title,
    ...(advice ? { recommendation: advice } : {}),
    ...(file ? { file, line, evidence: quote } : {}),
  }));

function sharedOf(review: Review): Fields {
  return {
    tree: TREE,
    checked: review.checked,
    ...(review.sops ? { sop_review: review.sops } : {}),
    ...(review.patterns ? { patterns: review.patterns } : {}),
    ...(review.findings.length > 0 ? { findings: listed(review.findings) } : {}),
  };
}

/** The shortest form of a review in each dialect. */
export const saidIn: Readonly<Record<Dialect, (review: Review) => Fields>> = {
  findings: (review) => ({ summary: review.summary, findings: [], ...sharedOf(review) }),
  decision: (review) => ({
    decision: review.approves ? "GO" : "NO_GO",
    feedback: review.summary,
    ...(review.approves ? { quality_checks: allPassed } : {}),
    ...sharedOf(review),
  }),
  status: (review) => ({
    status: review.approves ? "approved" : "needs_changes",
    summary: review.summary,
    ...sharedOf(review),
    findings: listedAsStatus(review.findings),
  }),
  verdict: (review) => ({
    verdict: review.approves ? "approved" : "rejected",
    ...(review.approves ? {} : { rejection_type: review.route }),
    sop_review: [],
    confidence: review.confidence,
    feedback: review.summary,
    ...sharedOf(review),
  }),
  challenge: (review) => ({
    challenger_approved: review.approves,
    critique: review.summary,
    ...sharedOf(review),
  }),
};

/** What critics like to say on top, in each dialect. */
const talkative: Readonly<Record<Dialect, (review: Review) => Fields>> = {
  findings: ({ confidence }) => ({ confidence, converged: false, prior_findings: [] }),
  decision: ({ approves, confidence }) => ({
    task_id: "implement",
    reviewer_agent: "reviewer",
    coder_agent: "dev",
    iteration: 2,
    quality_checks: { ...allPassed, acceptance_criteria_met: approves },
    timestamp: "2026-02-27T11:30:00Z",
    confidence,
  }),
  status: ({ approves, findings }) => ({
    id: "review-20260227-113000",
    reviewer: "code-reviewer",
    model: "opus",
    scores: { security: approves ? 8 : 4, quality: 9, overall: 8.5 },
    blockers: findings.filter(({ severity }) => severity === "P0").map(({ title }) => title),
    reviewed_at: "2026-02-27T11:30:00Z",
  }),
  verdict: ({ approves, route }) => ({ rejection_type: approves ? null : route, prior_findings: [] }),
  challenge: ({ confidence }) => ({ iteration: 1, confidence, prior_findings: [] }),
};

/** Every property of the strict form; what is not said is null or empty. */
function strict(dialect: Dialect, said: Fields): Fields {
  const { properties } = buildReviewSchema(dialect) as { properties: Record<string, { type: unknown }> };
  const unsaid = Object.entries(properties).map(([name, { type }]) => [
    name,
    type === "array" ? [] : type === "boolean" ? false : null,
  ]);
  return { ...Object.fromEntries(unsaid), ...said };
}

function inThreeHands(dialect: Dialect, review: Review): Honest[] {
  const said = saidIn[dialect](review);
  const full = { ...said, ...talkative[dialect](review) };
  const backwards = Object.fromEntries(Object.entries(full).reverse());
  const texts = {
    short: JSON.stringify(said),
    talkative: `\n${JSON.stringify(backwards, null, 2)}\n`,
    strict: JSON.stringify(strict(dialect, { ...said, confidence: review.confidence })),
  };
  return Object.entries(texts).map(([hand, text]) => ({
    name: `${review.name}, ${hand}`,
    dialect,
    text,
    decision: review.approves ? "approve" : "revise",
  }));
}

/** What may stand around an answer: a byte order mark, a fence, and talk before it. */
export const surrounded: readonly Honest[] = dialects.flatMap((dialect) =>
  reviews.slice(0, 2).flatMap((review) => {
    const said = saidIn[dialect](review);
    const texts = {
      "behind a byte order mark": `\uFEFF${JSON.stringify(said)}`,
      "in a fence": `\`\`\`json\n${JSON.stringify(said, null, 2)}\n\`\`\`\n`,
      "in a bare fence after talk": `I read all of it.\n\n\`\`\`\n${JSON.stringify(said)}\n\`\`\``,
      "after talk": `# Review\n\nI read the whole file.\n${JSON.stringify(said, null, 2)}\n`,
    };
    return Object.entries(texts).map(
      ([how, text]): Honest => ({
        name: `${review.name}, ${how}`,
        dialect,
        text,
        decision: review.approves ? "approve" : "revise",
      }),
    );
  }),
);

const unclear = { name: "unclear", dialect: "status", decision: "clarify" } as const;
const asking = { status: "needs_clarification", tree: TREE, checked: [] };
const clarifications: readonly Honest[] = [
  {
    ...unclear,
    name: "asks in questions",
    text: JSON.stringify({ ...asking, summary: "One thing is open", questions: ["Which tax rate holds?"] }),
  },
  {
    ...unclear,
    name: "asks in the summary",
    text: JSON.stringify({ ...asking, summary: "Should a percent over 100 be refused or cut to 100?" }),
  },
  {
    ...unclear,
    name: "asks with options",
    text: JSON.stringify({
      ...asking,
      summary: "The rounding is not settled",
      questions: [
        { id: "round", question: "Round half up or half even?", options: ["up", "even"], context: "C1" },
      ],
    }),
  },
];

/** In this dialect only findings can reject. */
const fits = (dialect: Dialect, review: Review) =>
  dialect !== "findings" || review.approves || review.findings.length > 0;

export const honest: readonly Honest[] = [
  ...dialects.flatMap((dialect) =>
    reviews.filter((review) => fits(dialect, review)).flatMap((review) => inThreeHands(dialect, review)),
  ),
  ...clarifications,
];
