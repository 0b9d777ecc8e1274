// Every honest way to write evidence for an SOP, put to the referee as the command line puts it: none is refused.
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkReview } from "../../src/app/record/review/check.ts";
import { places, TREE } from "../core/dialect-cart.ts";
import { bySop, type Fields, good, inDialect } from "../reviews/answers.ts";
import { openStage, type Stage } from "../reviews/scene.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.shop.close());

const { off, total, net, floor } = places;
const cart = "src/cart.ts";
const says = "rounds to a whole number of cents";

const honest: readonly (readonly [name: string, evidence: string | readonly Fields[]])[] = [
  ["a place", `${cart}:${off.line} ${says}`],
  ["a place alone", `${cart}:${off.line}`],
  ["a place and its quote", `${cart}:${off.line} ${says}: \`${off.quote}\``],
  ["a quote before its place", `\`${off.quote}\` in ${cart}:${off.line} ${says}`],
  ["a quote without a line", `${cart} has \`${off.quote}\``],
  ["the code without back-ticks", `${cart}:${off.line} ${off.quote}`],
  [
    "several quotes of one file",
    `${cart}:${off.line} has \`${off.quote}\`, \`${floor.quote}\` and \`${net.quote}\``,
  ],
  [
    "two files with their quotes",
    `${cart}:${off.line} has \`${off.quote}\` and src/tax.ts:2 has \`export const rateOf\``,
  ],
  [
    "two quotes before their files",
    `\`${off.quote}\` (${cart}:${off.line}), \`export const rateOf\` (src/tax.ts:2)`,
  ],
  ["code in which words look like files", `${cart}:${off.line} has \`(net * discount.percent) / 100\``],
  [
    "removed code beside kept code",
    `${cart}:${off.line} has \`${off.quote}\` where src/legacy.ts:1 had \`sum * 1.2\` and \`legacyTotal\``,
  ],
  [
    "a removed line of a kept file",
    `${cart}:1 had \`cents.reduce((a, b) => a + b, 0)\`, ${cart}:${off.line} ${says}`,
  ],
  ["a link to a line", `${cart}#L${off.line} ${says}`],
  ["a link to lines", `${cart}#L${off.line}-L${off.line + 1} ${says}`],
  ["a line with a letter", `${cart}:L${off.line} ${says}`],
  ["lines in words", `${cart} lines ${off.line}-${off.line + 1} round to cents`],
  ["lines before their file", `lines ${off.line} to ${off.line + 1} of \`${cart}\` round to cents`],
  ["a range", `${cart}:${off.line}-${off.line + 1} ${says}`],
  ["a base name that one file has", `cart.ts:${off.line} ${says}`],
  ["a base name outside of the change", "tax.ts:2 keeps two rates and no amount"],
  ["the path behind a dot", `./${cart}:${off.line} ${says}`],
  ["an absolute path of the worktree", `@worktree@/${cart}:${off.line} ${says}`],
  ["a program beside a place", `runs on node.js:20; ${cart}:${off.line} ${says}`],
  ["a time and a ratio beside a place", `at 10:30 the ratio was 16:9; ${cart}:${off.line} ${says}`],
  ["an address beside a place", `see http://localhost:8080/a.ts:3; ${cart}:${off.line} ${says}`],
  ["a short name in back-ticks", `${cart}:${off.line} keeps \`off\` whole`],
  ["a file in back-ticks", `${cart}:${off.line} does what \`README.md\` asks for`],
  ["a place in back-ticks", `\`${cart}:${off.line}\` ${says}`],
  ["a file in back-ticks and its line behind it", `\`${cart}\`:${off.line} ${says}`],
  ["a file with spaces", "docs/my notes.md:3 has `Amounts are rounded once`"],
  ["a file with an umlaut", "src/größe.ts:1 measures, it holds no amount: `größeIn = (cm: number)`"],
  ["a file in brackets", "app/[id]/page.tsx:1 shows the id and no amount: `pageOf = (id: string)`"],
  ["a call that is quoted without a line", `${cart} never goes below zero: \`Math.max(0, net - off)\``],
  ["a member that is quoted without a line", `${cart} takes \`discount.percent\` off once and for all`],
  [
    "two quotes of one file without a line",
    `${cart} has \`Math.max(0, net - off)\` and \`item.cents * item.count\``,
  ],
  [
    "code with a word like a file, before its file",
    `\`const tax = Math.round(net * taxRate);\` rounds once, see ${cart}`,
  ],
  ["code that was removed from a file that stayed", "src/shrunk.ts:2 had `droppedCents2 = 1`, gone now"],
  ["a line of a file that was renamed", "src/rates.ts:2 keeps the usual rate: `usualRate = 0.2`"],
  ["code that was removed from a renamed file, by its new name", "src/rates.ts:1 had `luxuryRate = 0.33`"],
  [
    "code that was removed from a renamed file, by its old name",
    "src/old-rates.ts:1 had `luxuryRate = 0.33`",
  ],
  ["a file with CRLF and a byte order mark", "src/windows.ts:1 has `export const newlineOf = () => 'CRLF';`"],
  [
    "two lines in one fenced block",
    `${cart}:${net.line}\n\`\`\`ts\n${net.quote}\n${places.tax.quote}\n\`\`\``,
  ],
  ["a list of one place", [{ file: cart, line: off.line, quote: off.quote, why: says }]],
  [
    "a list of a range",
    [{ file: cart, line: net.line, end_line: total.line, quote: total.quote, why: says }],
  ],
  [
    "a list of two places",
    [
      { file: cart, line: off.line, why: says },
      { file: "src/legacy.ts", line: 1, quote: "legacyTotal", why: "the float is gone with it" },
    ],
  ],
  ["a list with a quote alone", [{ file: cart, quote: off.quote, why: says }]],
];

const text = (entry: Fields) =>
  inDialect("verdict", { ...good.rules, sops: [{ ...bySop[0], ...entry }, bySop[1] as Fields] });

const judged = (said: string) =>
  checkReview(stage.shop.world, "rules", {
    dialect: "verdict",
    text: said.replaceAll(TREE, stage.treeOf("rules")).replaceAll("@worktree@", "/work/cart"),
  });

it.each(honest)("%s is taken", async (_, evidence) => {
  const { refusal, decision } = await judged(text({ evidence }));
  expect(refusal).toBeUndefined();
  expect(decision).toBe("approve");
});

it("an SOP that does not apply is waved off by a changed file it is about, and a reason", async () => {
  const evidence = `${cart}:2 holds counts of items; no amount is printed to a customer`;
  expect(await judged(text({ status: "not_applicable", evidence }))).toMatchObject({ decision: "approve" });
});
