// The grammar of evidence that is written as one text: which words are places, which are quotes, and which are prose.
import { describe, expect, it } from "vitest";
import { readSentence } from "../../../src/core/review/evidence/sentence.ts";

const files = new Set([
  "src/cart.ts",
  "src/tax.ts",
  "lib/a.b.js",
  "Makefile",
  "bin/run",
  "@scope/pkg/index.ts",
  "docs/my notes.md",
  "src/größe.ts",
  "app/[id]/page.tsx",
  "app/(shop)/page.tsx",
  "notes.md",
]);
const read = (sentence: string) => readSentence(sentence, (word) => (files.has(word) ? word : undefined));
const spoken = (sentence: string) =>
  read(sentence).places.map(
    ({ file, line, end_line: end }) => `${file}${line ? `:${line}` : ""}${end ? `-${end}` : ""}`,
  );
const quoted = (sentence: string) =>
  read(sentence).quotes.map(({ quote, at }) => [
    quote,
    ...at.map(({ file, line }) => `${file}:${line ?? "*"}`),
  ]);

describe("a place", () => {
  it.each([
    ["src/cart.ts:41 rounds once", ["src/cart.ts:41"]],
    ["see `src/cart.ts:41`", ["src/cart.ts:41"]],
    ["see `src/cart.ts`:41 there", ["src/cart.ts:41"]],
    ["(src/cart.ts:41)", ["src/cart.ts:41"]],
    ["src/cart.ts:41, src/tax.ts:7; lib/a.b.js:1", ["src/cart.ts:41", "src/tax.ts:7", "lib/a.b.js:1"]],
    ["./src/cart.ts:41:9", ["src/cart.ts:41"]],
    ["src/cart.ts#L39", ["src/cart.ts:39"]],
    ["src/cart.ts#L39-L41", ["src/cart.ts:39-41"]],
    ["src/cart.ts:L39", ["src/cart.ts:39"]],
    ["src/cart.ts:39-41 rounds", ["src/cart.ts:39-41"]],
    ["src/cart.ts lines 39-41", ["src/cart.ts:39-41"]],
    ["src/cart.ts, line 39, rounds", ["src/cart.ts:39"]],
    ["`src/cart.ts` (lines 39 to 41)", ["src/cart.ts:39-41"]],
    ["lines 39-41 of src/cart.ts round", ["src/cart.ts:39-41"]],
    ["line 39 in `src/cart.ts` rounds", ["src/cart.ts:39"]],
    ["Makefile:3 and bin/run:12", ["Makefile:3", "bin/run:12"]],
    ["@scope/pkg/index.ts:2", ["@scope/pkg/index.ts:2"]],
    ["docs/my notes.md:3 says so", ["docs/my notes.md:3"]],
    ["see docs/my notes.md:3 for it", ["docs/my notes.md:3"]],
    ["notes.md:3 is another one", ["notes.md:3"]],
    ["src/größe.ts:2 misst", ["src/größe.ts:2"]],
    ["app/[id]/page.tsx:5 loads it", ["app/[id]/page.tsx:5"]],
    ["in app/(shop)/page.tsx:5", ["app/(shop)/page.tsx:5"]],
    ["src/cart.ts has no amounts.", ["src/cart.ts"]],
    ["it is in docs/my notes.md.", ["docs/my notes.md"]],
    ["src/none.ts:4 was never written", ["src/none.ts:4"]],
  ])("%s", (sentence, expected) => expect(spoken(sentence)).toEqual(expected));

  it.each([
    "at 10:30 it was note:3 and 16:9",
    "src/cart.ts:0".replace("src/", "lib/"),
    "http://localhost:8080/path",
    "runs on node.js:20 and postgres:16",
    "item.cents is whole, e.g. 3.5 is none",
    "either/or:3",
    "",
  ])("is not in: %s", (sentence) => expect(spoken(sentence)).toEqual([]));
});

describe("a quote", () => {
  it.each([
    ["src/cart.ts:41 has `const total = sum`", [["const total = sum", "src/cart.ts:41"]]],
    ["`const total = sum` in src/cart.ts:41", [["const total = sum", "src/cart.ts:41"]]],
    ["src/cart.ts has `const total = sum`", [["const total = sum", "src/cart.ts:*"]]],
    ["`const total = sum`, somewhere", [["const total = sum"]]],
    ["src/cart.ts:4 keeps `assert.equal(a, b)`", [["assert.equal(a, b)", "src/cart.ts:4"]]],
    ["src/cart.ts:4 keeps `this.unitPrice`", [["this.unitPrice", "src/cart.ts:4"]]],
    [
      "src/cart.ts:4 has `const total = sum` and src/tax.ts:7 has `const rate = 0.2`",
      [
        ["const total = sum", "src/cart.ts:4"],
        ["const rate = 0.2", "src/tax.ts:7"],
      ],
    ],
    [
      "src/cart.ts:4 has `const total = sum`, `const rate = 0.2` is in src/tax.ts:7",
      [
        ["const total = sum", "src/cart.ts:4"],
        ["const rate = 0.2", "src/tax.ts:7"],
      ],
    ],
    [
      "src/cart.ts:12 return totalOf(items, discount);",
      [["return totalOf(items, discount);", "src/cart.ts:12"]],
    ],
    ["src/cart.ts:12: roundToCents(total)", [["roundToCents(total)", "src/cart.ts:12"]]],
    ['src/cart.ts:12 says "Money.round(net, 2)"', [["Money.round(net, 2)", "src/cart.ts:12"]]],
    [
      "src/cart.ts:12\n```ts\nconst net = 1;\nconst tax = 2;\n```",
      [["const net = 1;\nconst tax = 2;", "src/cart.ts:12"]],
    ],
    ["src/cart.ts:12 has ``a `ticked` text``", [["a `ticked` text", "src/cart.ts:12"]]],
  ])("%s", (sentence, expected) => expect(quoted(sentence)).toEqual(expected));

  it.each([
    "src/cart.ts:41 names `sum` and `net`",
    "src/cart.ts:41 rounds once; nothing else does",
    'src/cart.ts:41 keeps the rule "never floats on the way"',
    "src/cart.ts:41 calls Math.round once (as it must)",
    "see `src/tax.ts:7` and `src/cart.ts`",
  ])("is not in: %s", (sentence) => expect(quoted(sentence)).toEqual([]));
});
