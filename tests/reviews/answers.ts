// Good approvals of each bubble on the stage, before they are put into a dialect: every bad answer is one of these
// with something broken in it.
import { type Dialect, dialects } from "../../src/core/model/review/verdict.ts";
import { placeOf, places, TREE } from "../core/dialect-cart.ts";
import { saidIn } from "../core/dialect-honest.ts";
import { type BubbleName, money, naming } from "./scene.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** An approval in no dialect yet. */
export interface Approval {
  readonly words: string;
  readonly tree?: string | undefined;
  readonly checked: readonly Fields[];
  readonly sops: readonly Fields[];
  readonly prior: readonly Fields[];
  /** Fields of one dialect or another, on top. */
  readonly more: Fields;
}

const quoted = ({ file, line, quote }: (typeof places)["net"]) => ({ file, line, quote });

/** One true place for each criterion. */
export const byCriterion = [
  { for: ["C1"], ...quoted(places.net), why: "netOf goes through discounted before any tax is computed" },
  { for: ["C2"], ...quoted(places.count), why: "a count below one ends in BadItem inside the loop" },
  { for: ["C3"], ...quoted(placeOf("for (const item")), why: "without items it never runs and zero is left" },
];

export const bySop = [
  {
    sop_id: money,
    status: "passed",
    evidence: `src/cart.ts:${places.off.line} rounds to a whole number again: \`${places.off.quote}\``,
    violations: [],
  },
  {
    sop_id: naming,
    status: "passed",
    evidence: `src/cart.ts:${places.total.line} belongs to totalOf, which gives the total`,
    violations: [],
  },
];

export const byFile = [
  { ...quoted(places.total), why: "both summands are whole cents by then" },
  {
    file: "src/tax.ts",
    line: 2,
    quote: "country === 'at' ? 0.2 : 0.19",
    why: "two rates, one of them the usual",
  },
  { file: "src/legacy.ts", line: 1, quote: "legacyTotal", why: "nobody imports what went away with it" },
];

const words = "I went through every line of the change; nothing in it stands against an approval.";
const none = { words, tree: TREE, checked: [], sops: [], prior: [], more: {} };

export const good: Readonly<Record<BubbleName, Approval>> = {
  criteria: { ...none, checked: byCriterion },
  rules: { ...none, sops: bySop },
  files: { ...none, checked: byFile },
  again: {
    ...none,
    checked: byCriterion,
    prior: [
      { id: "F1", status: "withdrawn", reason: "percents come from a list of our own, none is negative" },
    ],
  },
};

/** The approval in a dialect's words. */
export function inDialect(dialect: Dialect, approval: Approval): string {
  const { words: summary, checked, sops, prior, tree, more } = approval;
  const said = saidIn[dialect]({
    name: "",
    approves: true,
    summary,
    checked,
    findings: [],
    confidence: 0.9,
    ...(sops.length > 0 ? { sops } : {}),
  });
  return JSON.stringify({ ...said, tree, ...(prior.length > 0 ? { prior_findings: prior } : {}), ...more });
}

export interface Played {
  readonly name: string;
  readonly bubble: BubbleName;
  readonly dialect: Dialect;
  readonly text: string;
}

const short = good.rules.sops.map((entry) => ({
  ...entry,
  sop_id: String(entry.sop_id).replace(/.*\./, ""),
}));

export const goodAnswers: readonly Played[] = dialects.flatMap((dialect) => [
  ...Object.entries(good).map(([bubble, approval]) => ({
    name: `a good approval by ${bubble}`,
    bubble: bubble as BubbleName,
    dialect,
    text: inDialect(dialect, approval),
  })),
  {
    name: "a good approval by the short names of SOPs",
    bubble: "rules",
    dialect,
    text: inDialect(dialect, { ...good.rules, sops: short }),
  },
]);
