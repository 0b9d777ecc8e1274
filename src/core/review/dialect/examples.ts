// The two answers that prompts show in every dialect: one that approves, one that rejects. They are whole, in the
// strict form, and about a file that nobody has, so that a copy of them can be told from a review. Each is true of its tree.
import type { Dialect } from "../../model/review/verdict.ts";

export interface Examples {
  readonly approving: Readonly<Record<string, unknown>>;
  readonly rejecting: Readonly<Record<string, unknown>>;
}

/** What is filled in: the tree to judge, what evidence is asked for, which findings are open, which SOP applies. */
export interface ExampleFilling {
  readonly tree?: string;
  readonly for?: readonly string[] | null;
  readonly open?: readonly string[];
  readonly sop?: string;
}

const sentences = {
  approves: "Example: followed the total from the items to the tax; every criterion is met in this tree",
  rejects: "Example: the discount never reaches the total, so the first criterion is not met",
  why: "Example: the discount is taken off before the tax is added",
  quote: "return exampleTotal(items, discount);",
  title: "Example: the total leaves the discount out",
  wrongQuote: "const exampleTotal = net + tax;",
  wrong: "Example: the discount is not taken off the net sum anywhere in this function",
  advice: "Example: take the discount off the net sum before the tax is added",
  fixed: "Example: the total is now made from the discounted price, in line 12",
  open: "Example: line 14 still adds the tax to the net sum without the discount",
  sopPassed: "Example: the rounding is left to one function, which every total passes through",
  sopViolated: "Example: two amounts are added here and the sum is rounded nowhere",
  violation: "Example: the total is not rounded by the one rounding function",
} as const;

/** The sentences of the examples; an agent that hands one in has copied it. */
export const exampleTexts: readonly string[] = Object.values(sentences);

const right = { file: "src/example.ts", line: 12, end_line: null, quote: sentences.quote };
const wrong = { file: "src/example.ts", line: 14, end_line: null, quote: sentences.wrongQuote };

/** The trees that the examples are about: what each cites is in its own. */
export const exampleTrees: Readonly<Record<keyof Examples, Readonly<Record<string, string>>>> = {
  approving: { "src/example.ts": `${"// example\n".repeat(11)}  ${sentences.quote}\n` },
  rejecting: { "src/example.ts": `${"// example\n".repeat(13)}  ${sentences.wrongQuote}\n` },
};

const finding = {
  severity: "P1",
  title: sentences.title,
  area: "core-logic",
  ...wrong,
  why: sentences.wrong,
  advice: sentences.advice,
};

const nobodysTree = "0".repeat(40);

function buildSharedFields({ tree = nobodysTree, for: wanted = ["C1"], open = [], sop }: ExampleFilling) {
  const place = { ...right, why: sentences.why };
  const answered = (status: "fixed" | "open") =>
    open.map((id) => ({ id, status, reason: sentences[status] }));
  const rest = { confidence: 0.9, patterns: [] };
  const found: readonly object[] = [finding];
  return {
    approving: {
      tree,
      checked: [{ for: wanted, ...place }],
      prior_findings: answered("fixed"),
      sop_review: sop === undefined ? [] : [buildSopEntry(sop, "passed")],
      ...rest,
      findings: [] as readonly object[],
    },
    rejecting: {
      tree,
      checked: [],
      prior_findings: answered("open"),
      sop_review: sop === undefined ? [] : [buildSopEntry(sop, "violated")],
      ...rest,
      findings: found,
    },
  };
}

const buildSopEntry = (id: string, status: "passed" | "violated") => ({
  sop_id: id,
  status,
  evidence: [
    status === "passed" ? { ...right, why: sentences.sopPassed } : { ...wrong, why: sentences.sopViolated },
  ],
  violations: status === "passed" ? [] : [sentences.violation],
});

const buildChecks = (met: boolean) => ({
  acceptance_criteria_met: met,
  code_standards_met: true,
  test_coverage_adequate: true,
  security_review_passed: true,
});

const forms: Readonly<Record<Dialect, (shared: ReturnType<typeof buildSharedFields>) => Examples>> = {
  findings: ({ approving, rejecting }) => ({
    approving: { summary: sentences.approves, ...approving, converged: false },
    rejecting: { summary: sentences.rejects, ...rejecting, converged: false },
  }),
  decision: ({ approving, rejecting }) => ({
    approving: {
      decision: "GO",
      feedback: sentences.approves,
      quality_checks: buildChecks(true),
      ...approving,
    },
    rejecting: {
      decision: "NO_GO",
      feedback: sentences.rejects,
      quality_checks: buildChecks(false),
      ...rejecting,
    },
  }),
  status: ({ approving, rejecting }) => ({
    approving: {
      status: "approved",
      summary: sentences.approves,
      scores: { security: 9, quality: 8, overall: 8 },
      blockers: [],
      rejection_type: null,
      ...approving,
      questions: [],
    },
    rejecting: {
      status: "needs_changes",
      summary: sentences.rejects,
      scores: { security: 9, quality: 4, overall: 5 },
      blockers: [],
      rejection_type: null,
      ...rejecting,
      findings: [inStatusWords],
      questions: [],
    },
  }),
  verdict: ({ approving, rejecting }) => ({
    approving: { verdict: "approved", rejection_type: null, feedback: sentences.approves, ...approving },
    rejecting: { verdict: "rejected", rejection_type: "fixable", feedback: sentences.rejects, ...rejecting },
  }),
  challenge: ({ approving, rejecting }) => ({
    approving: { challenger_approved: true, critique: sentences.approves, ...approving },
    rejecting: { challenger_approved: false, critique: sentences.rejects, ...rejecting },
  }),
};

const inStatusWords = {
  id: "1",
  category: finding.area,
  severity: "high",
  title: finding.title,
  recommendation: finding.advice,
  ...wrong,
  why: finding.why,
};

/** An approving and a rejecting answer of a dialect, in its whole form. */
export const buildExampleReviews = (dialect: Dialect, filling: ExampleFilling = {}): Examples =>
  forms[dialect](buildSharedFields(filling));
