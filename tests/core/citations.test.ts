// What a review cites: places and files in a sentence, code it quotes, and words that say nothing.
import { describe, expect, it } from "vitest";
import {
  evidencePlaces,
  filesIn,
  filesNamed,
  isReview,
  isSubstantial,
  placeKey,
  placesIn,
  placesOf,
  plainPath,
  quotesIn,
  saysSomething,
} from "../../src/core/review/citations.ts";

describe("a place in a sentence", () => {
  it.each([
    ["src/cart.ts:41 rounds once", [["src/cart.ts", 41]]],
    ["see `src/cart.ts:41`", [["src/cart.ts", 41]]],
    ["(src/cart.ts:41)", [["src/cart.ts", 41]]],
    [
      "src/cart.ts:41, src/tax.ts:7; lib/a.b.js:1",
      [
        ["src/cart.ts", 41],
        ["src/tax.ts", 7],
        ["lib/a.b.js", 1],
      ],
    ],
    ["./src/cart.ts:41:9", [["src/cart.ts", 41]]],
    [
      "Makefile:3 and Dockerfile:1",
      [
        ["Makefile", 3],
        ["Dockerfile", 1],
      ],
    ],
    ["bin/run:12", [["bin/run", 12]]],
    ["@scope/pkg/index.ts:2", [["@scope/pkg/index.ts", 2]]],
    ["at 10:30 it was note:3 and 16:9", []],
    ["src/cart.ts:0", []],
    ["http://localhost:8080/path", []],
    ["src/cart.ts", []],
    ["", []],
  ] as const)("%s", (sentence, expected) => {
    expect(placesIn(sentence).map(({ file, line }) => [file, line])).toEqual(expected);
  });
});

describe("a file in a sentence", () => {
  it("is named with or without a line", () => {
    expect(filesIn("src/cart.ts:41 calls tax.ts, and docs/why.md. Not 3.5 or e.g. this")).toEqual(
      expect.arrayContaining(["src/cart.ts", "tax.ts", "docs/why.md"]),
    );
    expect(filesIn("no file at all")).toEqual([]);
  });

  it("has one spelling", () => {
    expect(plainPath(" ././src/a.ts ")).toBe("src/a.ts");
    expect(placeKey({ file: "./src/a.ts", line: 3 })).toBe(placeKey({ file: "src/a.ts", line: 3 }));
    expect(placeKey({ file: "a.ts" })).not.toBe(placeKey({ file: "a.ts", quote: "x" }));
  });
});

describe("quoted code", () => {
  it("counts from eight letters or digits on", () => {
    expect(quotesIn("`sum` and `const total = sum`")).toEqual(["const total = sum"]);
    expect(isSubstantial("a+b=c-d-e-f-g")).toBe(false);
    expect(isSubstantial("abcd 1234")).toBe(true);
    expect(isSubstantial("数量が一未満なら例外になる")).toBe(true);
  });

  it("stands in the file that is named first", () => {
    expect(evidencePlaces("src/cart.ts:41 has `const total = sum`")).toEqual([
      { file: "src/cart.ts", line: 41 },
      { file: "src/cart.ts", quote: "const total = sum" },
    ]);
    expect(evidencePlaces("`const total = sum`, somewhere")).toEqual([]);
    expect(evidencePlaces("see `src/cart.ts:41`")).toEqual([{ file: "src/cart.ts", line: 41 }]);
  });
});

describe("words", () => {
  it.each([
    "the sum starts at zero",
    "it returns early when the list is empty",
    "Die Steuer wird zuletzt addiert",
    "数量が1未満なら BadItem になる",
    "looks good because every branch ends in a return",
  ])("say something: %s", (words) => expect(saysSomething(words)).toBe(true));

  it.each([
    "LGTM",
    "looks good to me",
    "no issues found",
    "all good, everything is fine",
    "",
    "?!",
    "✅ ✅ ✅",
  ])("say nothing: %s", (words) => expect(saysSomething(words)).toBe(false));
});

describe("all that a review cites", () => {
  const opinion = {
    dialect: "verdict" as const,
    decision: "approve" as const,
    patterns: [],
    sop_review: [
      { sop_id: "s", status: "passed" as const, evidence: "src/a.ts:1 `export const a`", violations: [] },
      { sop_id: "t", status: "not_applicable" as const, evidence: "only docs/b.md changed", violations: [] },
    ],
  };
  const claim = {
    checked: [{ file: "./src/c.ts", line: 3, quote: "let total = 0", why: "starts at zero" }],
    findings: [{ severity: "P1" as const, title: "t", file: "src/d.ts", line: 4 }],
    answers: [{ id: "F1", status: "fixed" as const, reason: "moved to src/e.ts:5" }],
    opinion,
  };

  it("is in checked, findings, SOPs and reasons", () => {
    expect(placesOf(claim).map(placeKey)).toEqual([
      placeKey({ file: "src/c.ts", line: 3, quote: "let total = 0" }),
      placeKey({ file: "src/d.ts", line: 4 }),
      placeKey({ file: "src/a.ts", line: 1 }),
      placeKey({ file: "src/a.ts", quote: "export const a" }),
      placeKey({ file: "src/e.ts", line: 5 }),
    ]);
    expect(filesNamed(claim).sort()).toEqual(["docs/b.md", "src/a.ts", "src/c.ts", "src/d.ts", "src/e.ts"]);
  });

  it("makes a review of a claim", () => {
    expect(isReview(claim)).toBe(true);
    expect(isReview({ opinion })).toBe(true);
    expect(isReview({ unreadable: ["it is empty"] })).toBe(true);
    expect(isReview({ noFindings: true })).toBe(true);
    expect(isReview({ findings: [], answers: [], checked: [] })).toBe(false);
  });
});
