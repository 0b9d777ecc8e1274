// Approvals that prove nothing: lazy, invented, about another tree, or against the ledger. Each is a good approval with
// one thing broken, in every dialect.
import { type Dialect, dialects } from "../../src/core/model/review/verdict.ts";
import { cartCriteria, places, TREE } from "../core/dialect-cart.ts";
import {
  type Approval,
  byCriterion,
  byFile,
  bySop,
  type Fields,
  good,
  inDialect,
  type Played,
} from "./answers.ts";
import { type BubbleName, money, moneyRule, naming, open } from "./scene.ts";

/** Stand for what the answer names instead of its tree. */
export const instead = { base: "@base@", commit: "@commit@", first: "@first@" } as const;

type Broken = readonly [name: string, change: Partial<Approval>, only?: (dialect: Dialect) => boolean];

const [c1 = {}, c2 = {}, c3 = {}]: readonly Fields[] = byCriterion;
const all = (change: (entry: Fields, i: number) => Fields, entries: readonly Fields[] = byCriterion) => ({
  checked: entries.map(change),
});
const first = (change: Fields, gone: readonly string[] = []) => ({
  checked: [{ ...without(c1, ...gone), ...change }, c2, c3],
});
const without = (entry: Fields, ...gone: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !gone.includes(name)));
const every = (why: string) => all((entry) => ({ ...entry, why }));

const lazy: readonly Broken[] = [
  ["nothing was looked at", { checked: [] }],
  ["one criterion of three", { checked: [c1] }],
  ["two criteria of three", { checked: [c1, c2] }],
  ["places that are for nothing", all((entry) => without(entry, "for"))],
  ["criteria that nobody asked for", all((entry, i) => ({ ...entry, for: [`C${i + 4}`] }))],
  ["criteria in small letters", all((entry, i) => ({ ...entry, for: [`c${i + 1}`] }))],
  ["LGTM everywhere", every("LGTM")],
  ["looks good to me everywhere", every("Looks good to me.")],
  [
    "praise with three tongues",
    all((entry, i) => ({ ...entry, why: ["All good", "Looks fine", "Perfect!"][i] })),
  ],
  ["no issues found", first({ why: "no issues found here" })],
  ["as expected", first({ why: "works as expected" })],
  ["verified", first({ why: "checked and verified, everything is correct" })],
  ["a thumb for each", every("👍👍👍👍👍👍👍👍")],
  ["seven letters", first({ why: "it adds" })],
  ["only signs", first({ why: "---------" })],
  ["one sentence for three places", every("the implementation handles this case properly")],
  [
    "one sentence for three places, spaced otherwise",
    all((entry, i) => ({ ...entry, why: `The  implementation${" ".repeat(i + 1)}handles THIS case` })),
  ],
  ["the criteria said back", all((entry, i) => ({ ...entry, why: cartCriteria[i] }))],
  ["one criterion said back in capitals", first({ why: ` ${cartCriteria[0]?.toUpperCase()} ` })],
  ["the hint pasted", first({ why: "what you saw there" })],
  ["a file and no place in it", all((entry) => without(entry, "line", "quote"))],
  ["SOPs instead of criteria", { checked: [], sops: bySop }],
];

const invented: readonly Broken[] = [
  ["a file that does not exist", first({ file: "src/discounts.ts" })],
  ["a file in another spelling", first({ file: "SRC/Cart.ts" })],
  ["a folder", first({ file: "src" }, ["quote"])],
  ["a path that leaves the tree", first({ file: "../shop/src/cart.ts" })],
  ["an absolute path", first({ file: "/src/cart.ts" })],
  ["git's own files", first({ file: ".git/config", line: 1 }, ["quote"])],
  ["a file with its line in the name", first({ file: `src/cart.ts:${places.net.line}` })],
  ["a line behind the end", first({ line: 400 }, ["quote"])],
  ["a line just behind the end", first({ line: 42 }, ["quote"])],
  ["a quote that nobody wrote", first({ quote: "const net = applyDiscount(items, discount);" })],
  ["a quote that nobody wrote, without a line", first({ quote: "if (discount > net) throw" }, ["line"])],
  ["a quote with another sign", first({ quote: places.net.quote.replace("=", "+=") })],
  ["a quote in other case", first({ quote: places.net.quote.toUpperCase() })],
  ["a quote from the README", first({ quote: "Totals of carts, with discount and tax." })],
  ["a quote on the wrong line", first({ line: 3 })],
  ["a quote three lines too high", first({ line: places.net.line - 3 })],
  ["a quote three lines too low", first({ line: places.off.line + 3, quote: places.off.quote })],
  ["a quote of one brace", first({ quote: "}" }, ["line"])],
  ["a quote of a short word", first({ quote: "return" }, ["line"])],
  ["a line amid empty lines", first({ file: "notes.txt", line: 7 }, ["quote"])],
  ["a line of a picture", first({ file: "logo.png", line: 1 }, ["quote"])],
  ["a quote of a picture", first({ file: "logo.png", quote: "const net = 0" }, ["line"])],
  ["the SOP as its own proof", first({ file: ".pairflow/sops/money.md", line: 5 }, ["quote"])],
  ["one invented place behind three true ones", { checked: [...byCriterion, { ...c1, line: 900 }] }],
  [
    "one invented quote behind three true ones",
    { checked: [...byCriterion, { ...c2, quote: "assertCountIsPositive(item)" }] },
  ],
];

const stale: readonly Broken[] = [
  ["no tree", { tree: undefined }],
  ["the tree of the base", { tree: instead.base }],
  ["the commit instead of the tree", { tree: instead.commit }],
  ["eleven characters of the tree", { tree: `${TREE}[0,11]` }],
  ["the tree with another beginning", { tree: `${TREE}[4,24]` }],
  ["the tree and more", { tree: `${TREE}0` }],
  ["a tree of noughts", { tree: "0".repeat(40) }],
  ["HEAD", { tree: "HEAD" }],
];

/** Where a word decides, it can contradict; in the dialect of findings these are the decision. */
const hasWord = (dialect: Dialect) => dialect !== "findings";

const evidence = (words: string): Partial<Approval> => ({
  sops: [{ ...bySop[0], evidence: words }, bySop[1] as Fields],
});
const moneyIs = (change: Fields): Partial<Approval> => ({
  sops: [{ ...bySop[0], ...change }, bySop[1] as Fields],
});

const rules: readonly Broken[] = [
  ["no SOP answered", { sops: [] }],
  ["one SOP of two", { sops: [bySop[1] as Fields] }],
  [
    "SOPs that do not apply",
    { sops: bySop.map((entry, i) => ({ ...entry, sop_id: `source.doc.sops.other${i}` })) },
  ],
  [
    "an SOP violated and approved",
    moneyIs({ status: "violated", violations: ["cents become floats"] }),
    hasWord,
  ],
  ["an SOP passed by praise", evidence("Looks good, no issues found")],
  ["an SOP passed by five letters", evidence("a: ok")],
  ["an SOP passed by its own text", evidence(moneyRule)],
  [
    "an SOP passed by its own text in other letters",
    evidence(`  ${moneyRule.toUpperCase().replaceAll(" ", "  ")} `),
  ],
  ["an SOP passed by a part of its text", evidence("never become floats on their way")],
  ["an SOP passed by its body", evidence("It holds for every file that customers meet")],
  ["an SOP passed by its own file", evidence(".pairflow/sops/money.md:5 says how it must be done")],
  ["an SOP passed without a place", evidence("I compared each function with the rule and it holds")],
  ["an SOP passed by a file alone", evidence("src/cart.ts keeps to this rule in every function")],
  ["an SOP passed by a line that is not there", evidence("src/cart.ts:900 rounds to whole cents")],
  ["an SOP passed by a file that is not there", evidence("src/money.ts:4 rounds to whole cents")],
  ["an SOP passed by invented code", evidence("src/cart.ts rounds with `Money.round(net, 2)` everywhere")],
  [
    "an SOP passed by a true place and an invented one",
    evidence("src/cart.ts:29 and src/cart.ts:512 round to cents"),
  ],
  [
    "an SOP that does not apply for no reason",
    moneyIs({ status: "not_applicable", evidence: "not relevant to this" }),
  ],
  [
    "an SOP that does not apply because of a file that is not there",
    moneyIs({ status: "not_applicable", evidence: "src/money.ts was not changed, so it cannot matter" }),
  ],
];

const files: readonly Broken[] = [
  ["no file looked at", { checked: [] }],
  ["one file of three", { checked: [byFile[0] as Fields] }],
  ["the deleted file left out", { checked: byFile.slice(0, 2) }],
  ["files nobody changed", { checked: [{ file: "README.md", line: 1, why: "the heading is what it was" }] }],
  [
    "one sentence for all files",
    { checked: byFile.map((entry) => ({ ...entry, why: "the logic is sound here" })) },
  ],
  ["praise for a file", { checked: [byFile[0], byFile[1], { ...byFile[2], why: "looks good" }] as Fields[] }],
  [
    "a line the deleted file never had",
    { checked: [byFile[0], byFile[1], { ...byFile[2], line: 30 }] as Fields[] },
  ],
  [
    "code the deleted file never had",
    { checked: [byFile[0], byFile[1], { ...byFile[2], quote: "export const legacyTax" }] as Fields[] },
  ],
];

const fixed = (reason?: string): Partial<Approval> => ({
  prior: [{ id: "F1", status: "fixed", ...(reason ? { reason } : {}) }],
});
const again: readonly Broken[] = [
  ["the open finding passed over", { prior: [] }],
  ["the open finding left open", { prior: [{ id: "F1", status: "open" }] }, hasWord],
  [
    "the open finding left open by who says converged",
    { prior: [{ id: "F1", status: "open" }], more: { converged: true } },
    (dialect) => dialect === "findings",
  ],
  ["fixed although nothing changed there", fixed()],
  ["fixed by assertion", fixed("the author has mended it, I am sure")],
  ["fixed on the same line", fixed(`src/cart.ts:${open.line} is right now`)],
  ["fixed on a line that is not there", fixed("src/cart.ts:700 refuses it now")],
  ["fixed in a file that is not there", fixed("src/percent.ts:7 refuses it now")],
  ["withdrawn without a reason", { prior: [{ id: "F1", status: "withdrawn" }] }],
  ["another finding answered", { prior: [{ id: "F7", status: "fixed" }] }],
  ["answered twice", { prior: [...good.again.prior, { id: "F1", status: "fixed" }] }],
  ["the tree of the round before", { tree: instead.first }],
];

const broken: Readonly<Record<BubbleName, readonly Broken[]>> = {
  criteria: [...lazy, ...invented, ...stale],
  rules,
  files,
  again,
};

const cases: readonly Played[] = dialects.flatMap((dialect) =>
  Object.entries(broken).flatMap(([bubble, list]) =>
    list
      .filter(([, , only]) => only?.(dialect) ?? true)
      .map(([name, change]) => ({
        name,
        bubble: bubble as BubbleName,
        dialect,
        text: inDialect(dialect, { ...good[bubble as BubbleName], ...change }),
      })),
  ),
);

/** As a specification prints it: approved, sure of itself, and with a rule violated. */
export function printedExample(kept: string, violated: string): Fields {
  return {
    verdict: "approved",
    rejection_type: null,
    sop_review: [
      {
        sop_id: kept,
        status: "passed",
        evidence: "Error wrapping uses fmt.Errorf with %w at lines 45, 67, 89",
        violations: [],
      },
      {
        sop_id: violated,
        status: "violated",
        evidence: "New function ProcessData has no test coverage",
        violations: ["Missing unit test for ProcessData"],
      },
    ],
    confidence: 0.85,
    feedback: "Overall implementation is solid but missing test coverage for ProcessData",
    patterns: [
      {
        name: "Context timeout in handlers",
        pattern: "All HTTP handlers use context.WithTimeout",
        applies_to: "handlers/*.go",
      },
    ],
  };
}

const printed = { bubble: "rules", dialect: "verdict" } as const;
const printedAnswers: readonly Played[] = [
  { ...printed, name: "the printed example", text: JSON.stringify(printedExample(naming, money)) },
  {
    ...printed,
    name: "the printed example about the right tree",
    text: JSON.stringify({ ...printedExample(naming, money), tree: TREE }),
  },
];

export const unproven: readonly Played[] = [...cases, ...printedAnswers];
