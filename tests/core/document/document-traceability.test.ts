// Traceability: every requirement has an id, and a criterion that names it; ids may be spelled and placed in many ways.
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/document/check.ts";
import { saysOf } from "../documents.ts";

const says = (text: string) => saysOf("traceability", text);
/** Requirements from line 2 on, then the criteria. */
const pair = (requirements: string, criteria: string) =>
  `## Requirements\n${requirements}\n## Acceptance criteria\n${criteria}\n`;

const good: readonly (readonly [string, string])[] = [
  ["an item each", pair("- R1: a", "- AC1 (R1): b")],
  ["the id behind", pair("- R1: a", "- AC1: b (R1)")],
  ["no id for the criterion", pair("- R1: a", "- b proves R1")],
  ["REQ-1", pair("- REQ-1: a", "- AC-1 (REQ-1): b")],
  ["REQ-1 named without the dash", pair("- REQ-1: a", "- AC1 (REQ1): b")],
  ["leading zeros", pair("- REQ-001 a", "- AC-001 (REQ-1): b")],
  ["FR and NFR", pair("- FR-1: a\n- NFR-1: b", "- AC1: FR-1\n- AC2: NFR-1")],
  ["criteria called A1", pair("- R1: a", "- A1 (R1): b")],
  ["bold ids", pair("- **R1** a", "- **AC1** (R1): b")],
  ["bold ids with a colon", pair("- **R1:** a", "- **AC1:** b (R1)")],
  ["ids in brackets", pair("- [R1] a", "- [AC1] b [R1]")],
  ["ids in round brackets", pair("- (R1) a", "- (AC1) b (R1)")],
  ["ids before a dash", pair("- R1 – a", "- AC1 – R1 – b")],
  ["ids before a full stop", pair("- R1. a", "- AC1. b, R1.")],
  ["ids with nothing behind", pair("- R1 a", "- AC1 R1 b")],
  ["the word requirement", pair("- Requirement R1: a", "- Criterion AC1 (R1): b")],
  ["checkboxes", pair("- [ ] R1: a", "- [x] AC1 (R1): b")],
  ["numbered lists", pair("1. R1: a\n2. R2: b", "1. AC1: R1 and R2")],
  ["one criterion for many", pair("- R1: a\n- R2: b\n- R3: c", "- AC1 (R1, R2/R3): d")],
  ["a range with a dash", pair("- R1: a\n- R2: b\n- R3: c", "- AC1 (R1–R3): d")],
  ["a range with a hyphen", pair("- R1: a\n- R2: b\n- R3: c", "- AC1 (R1-R3): d")],
  ["a range in words", pair("- R1: a\n- R2: b\n- R3: c", "- AC1 (R1 to R3): d")],
  ["a range with dots", pair("- R1: a\n- R2: b\n- R3: c", "- AC1 (R1..R3): d")],
  ["headings", pair("### R1 Totals\nText.\n### R2: More\nText.", "### AC1 (R1, R2)\nText.")],
  ["items below headings", pair("### R1 Totals\n- a\n- b", "- AC1: R1")],
  ["criteria below a heading that names", pair("- R1: a\n- R2: b", "### R1\n- c\n### For R2\n- d")],
  ["paragraphs", pair("**R1** a\n\n**R2** b", "AC1 (R1): c\n\nAC2 (R2): d")],
  ["items below a paragraph", pair("R1: a\n- x\n- y", "AC1 (R1):\n- given\n- then")],
  [
    "a table",
    pair("| ID | what |\n|---|---|\n| R1 | a |", "| ID | for | what |\n|---|---|---|\n| AC1 | R1 | b |"),
  ],
  ["a table that names the requirement first", pair("- R1: a", "| for | ID |\n|---|---|\n| R1 | AC1: b |")],
  [
    "a traceability table",
    `${pair("- R1: a", "- AC1: b")}## Traceability\n| r | c |\n|---|---|\n| R1 | AC1 |\n`,
  ],
  ["a traceability list", `${pair("- R1: a", "- AC1: b")}## Traceability matrix\n- R1 → AC1\n`],
  ["the requirement names its criterion", pair("- R1: a (AC1)", "- AC1: b")],
  ["criteria inside the requirement", pair("- R1: a\n  - AC1: b", "See above: AC1.")],
  ["parts, the whole named", pair("- R1: a\n  - R1.1: b\n  - R1.2: c", "- AC1 (R1): d")],
  ["parts, a part named", pair("- R1: a\n  - R1.1: b", "- AC1 (R1.1): d")],
  ["lettered parts", pair("- R1a: a\n- R1b: b", "- AC1 (R1a, R1b): d")],
  ["details without ids", pair("- R1: a\n  - detail\n  - detail", "- AC1 (R1): d")],
  ["named in a line that runs on", pair("- R1: a", "- AC1: b\n  and so R1 holds")],
  ["named in a nested item", pair("- R1: a", "- AC1: b\n  - proves R1")],
  [
    "two sections of requirements",
    "## Functional requirements\n- FR-1: a\n## Quality requirements\n- NFR-1: b\n## Acceptance criteria\n- FR-1, NFR-1\n",
  ],
  ["sections below requirements", pair("### Web\n- R1: a\n### App\n- R2: b", "- AC1: R1, R2")],
  ["notes below requirements", pair("- R1: a\n### Notes\n- this is no requirement", "- AC1: R1")],
  ["an introduction", pair("All of these hold:\n\n- R1: a", "Run them all.\n\n- AC1: R1")],
  ["a table that tells more", pair("- R1: a\n\n| ID | when |\n|---|---|\n| R1 | May |", "- AC1: R1")],
  ["criteria before requirements", "## Acceptance criteria\n- AC1 (R1): b\n## Requirements\n- R1: a\n"],
  ["ids of another prefix, set off", pair("- CART-1: a", "- AC1 (CART-1): b")],
];

const none = (line: number, id: string) => `${line}: ${id} has no acceptance criterion`;
const nameless = (line: number, text: string) => `${line}: the requirement has no id: ${text}`;

const bad: readonly (readonly [string, string, readonly string[]])[] = [
  ["nothing at all", "", ["1: there is no numbered requirement"]],
  ["no requirement", "## Scope\n- a\n## Requirements\n", ["3: there is no numbered requirement"]],
  ["only words", pair("It adds up.", "- AC1: b"), ["1: there is no numbered requirement"]],
  ["only code", pair("```\n- R1: a\n```", "- AC1: R1"), ["1: there is no numbered requirement"]],
  ["only a comment", pair("<!-- - R1: a -->", "- AC1: R1"), ["1: there is no numbered requirement"]],
  ["only a quotation", pair("> - R1: a", "- AC1: R1"), ["1: there is no numbered requirement"]],
  ["no criterion", pair("- R1: a", ""), [none(2, "R1")]],
  ["none that names it", pair("- R1: a", "- AC1: b"), [none(2, "R1")]],
  ["one of two", pair("- R1: a\n- R2: b", "- AC1 (R1): c"), [none(3, "R2")]],
  ["the first of two", pair("- R1: a\n- R2: b", "- AC1 (R2): c"), [none(2, "R1")]],
  ["REQ-1 is not R1", pair("- REQ-1: a", "- AC1 (R1): b"), [none(2, "REQ-1")]],
  ["R1 is not R10", pair("- R1: a\n- R10: b", "- AC1 (R10): b"), [none(2, "R1")]],
  ["R1 is not R1x of another word", pair("- R1: a", "- AC1: b in XR1 and R1_2"), [none(2, "R1")]],
  ["small letters are no id", pair("- R1: a", "- AC1: r1"), [none(2, "R1")]],
  ["a gap in a range", pair("- R1: a\n- R4: b", "- AC1 (R1–R3): d"), [none(3, "R4")]],
  ["named only in scope", `## Scope\n- R1\n${pair("- R1: a", "- AC1: b")}`, [none(4, "R1")]],
  ["named only in risks", `${pair("- R1: a", "- AC1: b")}## Risks\n- AC1 misses R1\n`, [none(2, "R1")]],
  ["named only in code", pair("- R1: a", "- AC1: `R1`"), [none(2, "R1")]],
  ["named only in a comment", pair("- R1: a", "- AC1: <!-- R1 --> b"), [none(2, "R1")]],
  ["named only in a link's target", pair("- R1: a", "- AC1: [b](https://example.test/R1)"), [none(2, "R1")]],
  ["named only in a quotation", pair("- R1: a", "- AC1: b\n\n> R1"), [none(2, "R1")]],
  ["named only by another requirement", pair("- R1: a\n- R2: like R1", "- AC1: R2"), [none(2, "R1")]],
  ["a requirement that names no criterion there is", pair("- R1: a (AC9)", "- AC1: b"), [none(2, "R1")]],
  [
    "a table that names no criterion there is",
    `${pair("- R1: a", "- AC1: b")}## Traceability\n| r | c |\n|---|---|\n| R1 | AC7 |\n`,
    [none(2, "R1")],
  ],
  [
    "a table with an empty cell",
    `${pair("- R1: a", "- AC1: b")}## Traceability\n| r | c |\n|---|---|\n| R1 |  |\n`,
    [none(2, "R1")],
  ],
  ["a heading", pair("### R1 Totals\nText.", "- AC1: b"), [none(2, "R1")]],
  ["a paragraph", pair("**R1** a\n\n**R2** b", "- AC1 (R1): c"), [none(4, "R2")]],
  ["a row", pair("| ID | what |\n|---|---|\n| R1 | a |\n| R2 | b |", "- AC1 (R1): c"), [none(5, "R2")]],
  ["an item without an id", pair("- a", "- AC1: b"), [nameless(2, "a")]],
  ["a numbered item without an id", pair("1. a\n2. b", "- AC1: b"), [nameless(2, "a"), nameless(3, "b")]],
  ["one of three", pair("- R1: a\n- b\n- R2: c", "- AC1: R1, R2"), [nameless(3, "b")]],
  ["the first of two without an id", pair("- a\n- R1: b", "- AC1: R1"), [nameless(2, "a")]],
  ["a checkbox without an id", pair("- [ ] a", "- AC1: b"), [nameless(2, "a")]],
  ["bold words are no id", pair("- **Totals** add up", "- AC1: b"), [nameless(2, "Totals add up")]],
  ["a row without an id", pair("| what | why |\n|---|---|\n| a | b |", "- AC1: c"), [nameless(4, "a | b")]],
  ["a standard is no id", pair("- UTF-8 is used", "- AC1: b"), [nameless(2, "UTF-8 is used")]],
  ["a name with a number is no id", pair("- HTTP2 is used", "- AC1: b"), [nameless(2, "HTTP2 is used")]],
  ["an id in the middle is no id", pair("- As R1 says", "- AC1: R1"), [nameless(2, "As R1 says")]],
  ["both at once", pair("- R1: a\n- b", "- AC1: c"), [none(2, "R1"), nameless(3, "b")]],
  ["below a section", pair("### Web\n- R1: a\n### App\n- b", "- AC1: R1"), [nameless(5, "b")]],
  ["no section of criteria", "## Requirements\n- R1: a\n", [none(2, "R1")]],
  ["criteria under another name", "## Requirements\n- R1: a\n## Success\n- AC1 (R1)\n", [none(2, "R1")]],
  [
    "a long text is cut",
    pair(`- ${"many words ".repeat(20)}`, "- AC1: b"),
    [nameless(2, "many words many words many words many words many words many…")],
  ],
];

describe("documents whose requirements are all proven", () => {
  it.each(good)("%s", (_what, text) => expect(says(text)).toEqual([]));
  it("are many", () => expect(good.length).toBeGreaterThanOrEqual(40));
});

describe("documents with requirements that nothing proves", () => {
  it.each(bad)("%s", (_what, text, problems) => expect(says(text)).toEqual(problems));
  it("are many", () => expect(bad.length).toBeGreaterThanOrEqual(40));
});

it("the hint offers the next free number", () => {
  const [result] = checkDocument(pair("- R4: a\n- b\n- c", "- AC1: R4"), ["traceability"]);
  expect(result?.problems.map(({ hint }) => hint)).toEqual([
    "number it, so that a criterion can name it: R5",
    "number it, so that a criterion can name it: R6",
  ]);
});
