// Sixty and more kinds of lying evidence, each put to the referee as the command line puts it: in a real git repository,
// parsed, looked up in git's objects, judged. None approves, and each is refused as evidence.
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkReview } from "../../src/app/record/review/check.ts";
import { cartCriteria, places, TREE } from "../core/dialect-cart.ts";
import { byCriterion, bySop, type Fields, good, inDialect } from "../reviews/answers.ts";
import { moneyRule, openStage, type Stage } from "../reviews/scene.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.shop.close());

const { off } = places;
const cart = "src/cart.ts";
const at = { file: cart, line: off.line, quote: off.quote, why: "rounds to whole cents again" };

/** What is said for the SOP about money, as one text. */
const texts: readonly (readonly [name: string, evidence: string])[] = [
  ["invented code that begins like a call", `${cart}:${off.line} keeps \`assert.equal(cents, whole)\``],
  ["invented code that begins like a member", `${cart}:${off.line} keeps \`this.cents.rounded\``],
  ["invented code that looks like a file", `${cart}:${off.line} has \`money.roundToCents.ts\``],
  ["invented code that looks like a path", `${cart}:${off.line} has \`lib/money/round/cents\``],
  ["invented code without back-ticks", `${cart}:${off.line} return Money.round(net, 2);`],
  ["an invented call without back-ticks", `${cart}:${off.line} roundToCents(total)`],
  ["an invented assignment without back-ticks", `${cart}:${off.line} const cents = net * 100;`],
  ["an invented call behind a colon", `${cart}:${off.line}: Money.round(net, 2)`],
  ["invented code between quotation marks", `${cart}:${off.line} says "Money.round(net, 2)" itself`],
  ["invented code between typographic marks", `${cart}:${off.line} says “Money.round(net, 2)” itself`],
  ["invented code in a fenced block", `${cart}:${off.line}\n\`\`\`ts\nreturn Money.round(net);\n\`\`\``],
  ["invented code in two back-ticks", `${cart}:${off.line} has \`\`Money.round(net, 2)\`\``],
  [
    "one invented quote beside a true one",
    `${cart}:${off.line} \`${off.quote}\` and \`Money.round(net, 2)\``,
  ],
  ["an invented quote before its place", `\`Money.round(net, 2)\` stands in ${cart}:${off.line}`],
  ["an invented quote and a file alone", `${cart} rounds with \`Money.round(net, 2)\` everywhere`],
  ["a quote that names no file", `\`${off.quote}\` is what rounds`],
  ["a true quote of another file", `src/tax.ts:2 has \`${off.quote}\``],
  [
    "two true quotes, exchanged",
    `${cart}:${off.line} has \`export const rateOf\`, src/tax.ts:2 has \`${off.quote}\``,
  ],
  ["a quote far from its line", `${cart}:3 has \`${off.quote}\``],
  ["a quote three lines too low", `${cart}:${off.line - 3} has \`${off.quote}\``],
  ["a quote outside of its range", `${cart}:1-3 has \`${off.quote}\``],
  ["a quote with another sign", `${cart}:${off.line} has \`${off.quote.replace("*", "+")}\``],
  ["a quote in capitals", `${cart}:${off.line} has \`${off.quote.toUpperCase()}\``],
  ["a line behind the end", `${cart}:900 rounds to whole cents`],
  ["a range that ends behind the end", `${cart}:${off.line}-900 rounds to whole cents`],
  ["a range that ends before it begins", `${cart}:${off.line}-2 rounds to whole cents`],
  ["a range in words that ends behind the end", `${cart} lines ${off.line} to 900 round`],
  ["a line behind the end, as a link", `${cart}#L900 rounds to whole cents`],
  ["a line behind the end, with a letter", `${cart}:L900 rounds to whole cents`],
  ["a line behind the end, before its file", `line 900 of ${cart} rounds to whole cents`],
  ["a true place and a false one", `${cart}:${off.line} and ${cart}:512 round to cents`],
  ["a true place and a file that is not there", `${cart}:${off.line} and src/money.ts:4 round to cents`],
  ["a file that is not there", "src/money.ts:4 rounds to whole cents"],
  ["a folder", "src:4 rounds to whole cents"],
  ["a path that leaves the tree", "../shop/src/cart.ts:4 rounds to whole cents"],
  ["a base name that is not there", "money.ts:4 rounds to whole cents"],
  ["a picture", "logo.png:1 shows whole cents"],
  ["an empty file", "empty.txt:1 holds whole cents alone"],
  ["blank lines", "notes.txt:7 says that cents are whole"],
  ["the SOP's own file", ".pairflow/sops/money.md:5 says how it must be done"],
  ["the SOP's own text", moneyRule],
  ["the SOP's own text behind a true place", `${cart}:${off.line} ${moneyRule}`],
  ["a part of the SOP's text behind a true place", `${cart}:${off.line} never become floats on their way`],
  ["a program that is no file", "runs on node.js:20, which keeps whole cents"],
  ["a file alone", `${cart} keeps to it in every function`],
  ["praise behind a true place", "Looks good, no issues found"],
  ["a true place and a line that a spaced file lacks", `${cart}:${off.line} and docs/my notes.md:40 round`],
  ["a true place and a line that an umlaut file lacks", `${cart}:${off.line} and src/größe.ts:9 round`],
  [
    "a true place and a line that a file in brackets lacks",
    `${cart}:${off.line} and app/[id]/page.tsx:77 round`,
  ],
  ["code of a spaced file that it does not have", "docs/my notes.md:3 has `Amounts are rounded twice`"],
  ["a line of a spaced file that it does not have", "docs/my notes.md:40 says that cents are whole"],
  ["code of a file with an umlaut that it does not have", "src/größe.ts:1 has `größeInch = 2.54`"],
  ["a line of a file with an umlaut that it does not have", "src/größe.ts:9 keeps whole cents"],
  ["code of a file in brackets that it does not have", "app/[id]/page.tsx:1 has `loadCart(id)`"],
  ["a line of a file in brackets that it does not have", "app/[id]/page.tsx:77 keeps whole cents"],
  ["removed code on a line where it never stood", "src/legacy.ts:30 had `legacyTotal = (sum: number)`"],
  ["removed code that never was", "src/legacy.ts:1 had `legacyTax = (sum: number)`"],
  ["a line behind the end that was kept and moved up", "src/shrunk.ts:10 keeps whole cents apart"],
  ["kept code where it stood before it moved up", "src/shrunk.ts:11 has `keptCents5 = 4`"],
  ["a range of removed lines that ends behind the end of both", "src/shrunk.ts:2-40 hold whole cents"],
  ["code that a renamed file never had, by its new name", "src/rates.ts:1 has `luxuryRate = 0.5`"],
  ["code that a renamed file never had, by its old name", "src/old-rates.ts:1 had `luxuryRate = 0.5`"],
  ["a line behind the end of a renamed file", "src/rates.ts:9 keeps whole cents"],
  ["a line of the removed file that it never had", "src/legacy.ts:9 is gone with its floats"],
];

/** What is said for the SOP as a list of places. */
const lists: readonly (readonly [name: string, evidence: Fields])[] = [
  ["a typed quote that nobody wrote", { ...at, quote: "Money.round(net, 2)" }],
  ["a typed quote on another line", { ...at, line: 3 }],
  ["a typed range that ends behind the end", { ...at, end_line: 900 }],
  ["a typed range that ends before it begins", { ...at, end_line: 1 }],
  ["a typed file that is not there", { ...at, file: "src/money.ts" }],
  ["a typed file in brackets with code it does not have", { ...at, file: "app/[id]/page.tsx", line: 1 }],
  ["a typed place with praise", { ...at, why: "LGTM" }],
];

/** How the SOP is waved off. */
const waves: readonly (readonly [name: string, evidence: string])[] = [
  ["waved off by naming any file", "README.md is the only text about amounts here"],
  ["waved off by a file that is not there", "src/money.ts was not changed, so it cannot matter"],
  ["waved off for no reason", "not relevant to this change at all"],
  ["waved off by the file's name alone", `${cart} ok ok`],
  ["waved off by a false line", `${cart}:900 holds no amounts`],
  ["waved off by invented code", `${cart}:3 only has \`countOf(everything)\``],
];

/** What is said for the first criterion. */
const looks: readonly (readonly [name: string, change: Fields])[] = [
  ["the criterion's own words", { why: cartCriteria[0] }],
  ["half of the criterion's words", { why: "the discount is taken off" }],
  ["the criterion's words in another order", { why: "before the tax is added the discount is taken off" }],
  ["the criterion's words and a nod", { why: `Yes, ${cartCriteria[0]} indeed` }],
  ["praise in German for a criterion", { why: "Sieht gut aus, keine Probleme gefunden" }],
  ["praise in French for a criterion", { why: "Tout est correct, aucun problème trouvé" }],
  ["praise in Spanish for a criterion", { why: "Todo está bien, no se encontraron errores" }],
  ["praise in Chinese for a criterion", { why: "代码看起来没问题，未发现任何错误" }],
  ["an empty file for a criterion", { file: "empty.txt", line: null, quote: null }],
  ["a picture for a criterion", { file: "logo.png", line: null, quote: null }],
  ["a removed file for a criterion", { file: "src/legacy.ts", line: null, quote: null }],
  ["an invented quote for a criterion", { quote: "applyDiscount(net, percent)" }],
  ["a quote from elsewhere for a criterion", { line: 2 }],
  ["a range behind the end for a criterion", { end_line: 400 }],
];

const withMoney = (entry: Fields) =>
  inDialect("verdict", { ...good.rules, sops: [{ ...bySop[0], ...entry }, bySop[1] as Fields] });

const lies: readonly (readonly [name: string, bubble: "rules" | "criteria", text: string])[] = [
  ...texts.map(([name, evidence]) => [name, "rules", withMoney({ evidence })] as const),
  ...lists.map(([name, place]) => [name, "rules", withMoney({ evidence: [place] })] as const),
  ...waves.map(
    ([name, evidence]) => [name, "rules", withMoney({ status: "not_applicable", evidence })] as const,
  ),
  ...looks.map(([name, change]) => {
    const checked = [{ ...byCriterion[0], ...change }, ...byCriterion.slice(1)];
    return [name, "criteria", inDialect("verdict", { ...good.criteria, checked })] as const;
  }),
];

it("knows at least sixty kinds, each by its name", () => {
  expect(new Set(lies.map(([name]) => name)).size).toBe(lies.length);
  expect(lies.length).toBeGreaterThanOrEqual(60);
});

it.each(lies)("%s approves nothing", async (_, bubble, text) => {
  const { refusal, decision } = await checkReview(stage.shop.world, bubble, {
    dialect: "verdict",
    text: text.replaceAll(TREE, stage.treeOf(bubble)),
  });
  expect(decision).toBeUndefined();
  expect(refusal?.code).toBe("review.evidence");
  expect(refusal?.details?.length).toBeGreaterThan(0);
});
