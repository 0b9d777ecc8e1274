// What can go wrong in one dialect alone: its words, and answers that contradict themselves.
import type { Dialect } from "../../src/core/model/review/verdict.ts";
import { places } from "./dialect-cart.ts";

type Fields = Readonly<Record<string, unknown>>;
type Failing = readonly [name: string, text: string, reason: RegExp];

const p0 = { severity: "P0", title: "Anyone can empty the till", ...quoted(places.floor) };
const p1 = { severity: "P1", title: "A negative percent raises the price", ...quoted(places.off) };

function quoted({ file, line, quote }: (typeof places)["off"]) {
  return { file, line, evidence: quote };
}

/** Words that look like a verdict and are none. */
const lookalikes = [
  ...[
    "LGTM",
    "go",
    "Go",
    "GO!",
    "GO ",
    "NO-GO",
    "no_go",
    "NOGO",
    "approve",
    "Approved",
    "APPROVED",
    "approved.",
  ],
  ...[
    "accept",
    "accepted",
    "pass",
    "passed",
    "ok",
    "yes",
    "true",
    "ready",
    "converged",
    "Rejected",
    "reject",
  ],
];

const wrongWords = (good: Fields, field: string, allowed: readonly string[]): Failing[] => [
  ...lookalikes
    .filter((word) => !allowed.includes(word))
    .map(
      (word): Failing => [
        `${field} is ${JSON.stringify(word)}`,
        JSON.stringify({ ...good, [field]: word }),
        new RegExp(`^${field}: .*must be exactly ${allowed.join(" or ")}`),
      ],
    ),
  ...[true, 1, ["GO"], { word: "GO" }].map(
    (word): Failing => [
      `${field} is ${JSON.stringify(word)}`,
      JSON.stringify({ ...good, [field]: word }),
      new RegExp(`^${field}: `),
    ],
  ),
  [
    `${field} is the choice itself`,
    JSON.stringify({ ...good, [field]: allowed.join(" | ") }),
    /is copied from the prompt/,
  ],
];

/** The failings that only this dialect has. */
export function ownFailings(dialect: Dialect, good: Fields): Failing[] {
  return failings[dialect](good, (more) => JSON.stringify({ ...good, ...more }));
}

type Breaking = (good: Fields, but: (more: Fields) => string) => Failing[];

const approvesGravely = (but: (more: Fields) => string): Failing[] => [
  ["approves and reports P0", but({ findings: [p0] }), /approves although it reports P0/],
  ["approves and reports P1", but({ findings: [p1] }), /approves although it reports P1/],
];

const failings: Readonly<Record<Dialect, Breaking>> = {
  findings: (_good, but) => [
    ["no list of findings", but({ findings: null }), /findings is missing/],
    ["converged with a finding", but({ converged: true, findings: [p1] }), /cannot be both/],
    ["converged in words", but({ converged: "yes" }), /^converged: /],
    ["both names of the answers", but({ answers: [], prior_findings: [] }), /keep prior_findings/],
    ["a severity in words", but({ findings: [{ ...p1, severity: "high" }] }), /findings\.0\.severity/],
    ["a severity that is none", but({ findings: [{ ...p1, severity: "P4" }] }), /findings\.0\.severity/],
  ],
  decision: (good, but) => [
    ...wrongWords(good, "decision", ["GO", "NO_GO"]),
    ...approvesGravely(but),
    ["GO with a failed check", but({ quality_checks: { tests: true, security: false } }), /security failed/],
    ["GO with all checks failed", but({ quality_checks: { tests: false, security: false } }), /failed/],
    ["a check in words", but({ quality_checks: { tests: "yes" } }), /true or false/],
    ["checks in a list", but({ quality_checks: [true] }), /^quality_checks/],
    [
      "a failed check behind a passed one",
      but({ quality_checks: { " tests": true, tests: false } }),
      /object of names/,
    ],
    ["a failed constructor", but({ quality_checks: { constructor: false } }), /object of names/],
    ["half an iteration", but({ iteration: 1.5 }), /^iteration: /],
  ],
  status: (good, but) => [
    ...wrongWords(good, "status", ["approved", "needs_changes", "needs_clarification"]),
    ["approves with a critical finding", but({ findings: [{ ...p0, severity: "critical" }] }), /reports P0/],
    ["approves with a high finding", but({ findings: [{ ...p1, severity: "high" }] }), /reports P1/],
    ["approves with P1", but({ findings: [p1] }), /reports P1/],
    ["approves with a blocker", but({ blockers: ["The till is open"] }), /lists a blocker/],
    ["an empty blocker", but({ blockers: [""] }), /^blockers\.0: /],
    ["a score of eleven", but({ scores: { overall: 11 } }), /from 0 to 10/],
    ["a score below nought", but({ scores: { overall: -1 } }), /from 0 to 10/],
    ["a score in words", but({ scores: { overall: "high" } }), /from 0 to 10/],
    ["a clarification without a question", but({ status: "needs_clarification" }), /needs a question/],
    ["approves and asks", but({ questions: ["Which rate?"] }), /must be needs_clarification/],
    ["finished and nothing more", but({ status: "completed" }), /^status: "completed"/],
    ["the reviewer of the form", but({ reviewer: "plan-reviewer|code-reviewer" }), /copied from the prompt/],
    ["an area instead of a category", but({ findings: [{ ...p1, area: "x" }] }), /area is not a field/],
  ],
  verdict: (good, but) => [
    ...wrongWords(good, "verdict", ["approved", "rejected"]),
    ...approvesGravely(but),
    [
      "approved with a rejection type",
      but({ rejection_type: "fixable" }),
      /has a rejection_type \(fixable\)/,
    ],
    ["rejected without a type", but({ verdict: "rejected" }), /without a rejection_type/],
    [
      "rejected with a type of null",
      but({ verdict: "rejected", rejection_type: null }),
      /without a rejection_type/,
    ],
    ["a type in a list", but({ verdict: "rejected", rejection_type: ["fixable"] }), /^rejection_type: /],
    [
      "the choice of types",
      but({ verdict: "rejected", rejection_type: "fixable|misscoped|architectural|too_big" }),
      /copied from the prompt/,
    ],
    ["no SOP review", but({ sop_review: null }), /sop_review is missing/],
    ["no confidence", but({ confidence: null }), /confidence/],
  ],
  challenge: (good, but) => [
    ...["true", "false", "yes", "approved", 1, 0, [true]].map(
      (word): Failing => [
        `challenger_approved is ${JSON.stringify(word)}`,
        JSON.stringify({ ...good, challenger_approved: word }),
        /must be exactly true or false/,
      ],
    ),
    ...approvesGravely(but),
    ["neither true nor false", but({ challenger_approved: null }), /challenger_approved is missing/],
    ["two critiques", but({ challenger_critique: "and another" }), /keep critique/],
    ["the whole session", JSON.stringify({ pair_session: { challenger_approved: true } }), /is missing/],
  ],
};
