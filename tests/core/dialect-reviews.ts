// What honest critics say about the cart, before it is put into a dialect: fourteen who approve, twelve who do not.
import { type Place, places } from "./dialect-cart.ts";

type Criterion = "C1" | "C2" | "C3";

export interface Review {
  readonly name: string;
  readonly approves: boolean;
  readonly summary: string;
  readonly checked: readonly object[];
  readonly findings: readonly Found[];
  readonly confidence: number;
  readonly patterns?: readonly object[];
  readonly sops?: readonly object[];
  /** Where a rejection leads. */
  readonly route?: string;
}

export interface Found extends Partial<Place> {
  readonly severity: "P0" | "P1" | "P2" | "P3";
  readonly title: string;
  readonly area?: string;
  readonly advice?: string;
}

const whys: Readonly<Record<Criterion, string>> = {
  C1: "the tax is worked out from the sum that is left after the discount",
  C2: "every count below one ends in BadItem before it is added",
  C3: "without items the loop never runs and the sum stays zero",
};
const at: Readonly<Record<Criterion, Place>> = { C1: places.net, C2: places.count, C3: places.start };
const criteria = ["C1", "C2", "C3"] as const;

const entry = (id: Criterion, why = whys[id]) => ({ for: [id], ...at[id], why });
const whole = criteria.map((id) => entry(id));
const without = (key: "quote" | "line") =>
  whole.map((given) => Object.fromEntries(Object.entries(given).filter(([name]) => name !== key)));

const found = (
  severity: Found["severity"],
  place: Place,
  title: string,
  more: Partial<Found> = {},
): Found => ({
  severity,
  title,
  ...place,
  ...more,
});
const percent = found("P1", places.off, "A negative percent raises the price instead of being refused", {
  area: "core-logic",
  advice: "Refuse percents below 0 and above 100 with BadItem or an error of their own",
});
const rate = found("P1", places.tax, "A negative or missing tax rate is not refused: NaN reaches the total", {
  area: "core-logic",
});
const free = found("P0", places.floor, "A percent over 100 gives the goods away without any error", {
  area: "security",
});
const large = found("P2", places.sum, "Very large counts leave the range of safe integers");
const named = found("P3", places.bad, "BadItem has no name of its own, logs show it as Error", {
  advice: "Set this.name in a constructor",
});
const vague = found("P3", places.price, "The message names the item but not the price that was wrong");

const approving = (name: string, summary: string, more: Partial<Review> = {}): Review => ({
  ...{ name, approves: true, summary, checked: whole, findings: [], confidence: 0.9 },
  ...more,
});
const rejecting = (
  name: string,
  summary: string,
  findings: readonly Found[],
  more: Partial<Review> = {},
) => ({
  ...{ name, approves: false, summary, checked: [], findings, confidence: 0.85, route: "fixable" },
  ...more,
});

const approvals: readonly Review[] = [
  approving("plain", "I followed all three criteria through totalOf; each of them holds."),
  approving("places without quotes", "All three criteria are met, see the lines.", {
    checked: without("quote"),
  }),
  approving("quotes without lines", "The quoted lines show each criterion at work.", {
    checked: without("line"),
  }),
  approving(
    "one place for two criteria",
    "One loop settles two of the criteria, totalOf settles the other.",
    {
      checked: [
        { for: ["C1"], ...places.net, why: "netOf goes through discounted before any tax is computed" },
        {
          for: ["C2", "C3"],
          ...places.count,
          why: "the check stands inside the loop, which an empty cart never enters",
        },
      ],
    },
  ),
  approving("more places than asked", "I read the whole file, not only what the criteria name.", {
    checked: [
      ...whole,
      { ...places.total, why: "net and tax are both whole cents, so is their sum" },
      { ...places.none, why: "no discount means that nothing is taken off" },
    ],
  }),
  approving("small things noted", "Good to go; two small things for later are listed.", {
    findings: [named, vague],
    confidence: 0.8,
  }),
  approving(
    "a medium thing noted",
    "Counts above nine quadrillion would lose cents; nobody orders that many.",
    {
      findings: [large],
    },
  ),
  approving(
    "another language",
    "Alle drei Kriterien sind erfüllt – der Rabatt kommt vor der Steuer. 合計は正しい 👍",
    {
      checked: [
        entry("C1", "Die Steuer wird aus dem rabattierten Betrag berechnet"),
        entry("C2", "数量が1未満なら BadItem になる"),
        entry("C3", "Ohne Artikel läuft die Schleife nicht 🛒"),
      ],
    },
  ),
  approving(
    "several lines",
    "What I did:\n\n1. read src/cart.ts from top to bottom\n2. compared it with C1, C2 and C3\n\n\tResult: nothing stands against it.",
  ),
  approving("habits noticed", "Consistent with the rest: whole cents everywhere.", {
    patterns: [
      { name: "Whole cents", pattern: "Money is kept as a whole number of cents", applies_to: "src/**/*.ts" },
      {
        name: "Throw early",
        pattern: "Bad input ends in an error of its own class",
        applies_to: "src/cart.ts",
      },
    ],
  }),
  approving("just sure enough", "I am fairly sure; the rounding of half cents took me a while.", {
    confidence: 0.7,
  }),
  approving("a house rule answered", "The rule about money and the criteria are all kept.", {
    sops: [
      {
        sop_id: "source.doc.sops.money",
        status: "passed",
        evidence: `${places.item.file}:${places.item.line} ${places.item.quote}`,
        violations: [],
      },
    ],
    confidence: 0.95,
  }),
  approving(
    "words of other verdicts in the prose",
    'I was about to say NO_GO or {"verdict": "rejected"}, but the count check (P1 in my notes) is there; needs_changes would be wrong.',
  ),
  approving("wholly sure", "Short file, three criteria, three places. I see no way around them.", {
    confidence: 1,
  }),
];

const rejections: readonly Review[] = [
  rejecting("one grave defect", "The percent of a discount is taken as it comes.", [percent]),
  rejecting("worst first", "Customers can empty the shop for nothing.", [free, percent], { confidence: 1 }),
  rejecting("two defects and a nit", "Neither rate nor percent is checked.", [percent, rate, named]),
  rejecting("with what is right", "C2 and C3 hold, but a bad percent breaks C1.", [percent], {
    checked: [entry("C2"), entry("C3")],
  }),
  rejecting("without a place", "There is no test for any of the three criteria.", [
    { severity: "P1", title: "No test covers an empty cart, a bad count or a discount", area: "tests" },
  ]),
  rejecting("with all severities", "From worst to least, all of them in src/cart.ts.", [
    free,
    rate,
    large,
    vague,
  ]),
  rejecting("hardly sure", "I may misread the rounding, so somebody should look.", [rate], {
    confidence: 0.4,
  }),
  rejecting("another task", "What was asked for is a discount for each item, not for the cart.", [percent], {
    route: "misscoped",
  }),
  rejecting("another design", "Rounding in two places cannot be fixed here; money needs a type.", [rate], {
    route: "architectural",
  }),
  rejecting("too much at once", "Discounts, taxes and stock should be three tasks.", [large, percent], {
    route: "too_big",
  }),
  rejecting(
    "in prose alone",
    "The discount of a cart that is already free is rounded up.\nSay what should happen.",
    [],
  ),
  rejecting("a word of its own", "Nobody has said which country's tax this is.", [], {
    route: "needs_a_lawyer",
  }),
];

export const reviews: readonly Review[] = [...approvals, ...rejections];
