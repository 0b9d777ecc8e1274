// Consistency: nothing both in and out of scope, ids that exist once, one value for one quantity. What only looks alike
// is left alone.
import { describe, expect, it } from "vitest";
import { saysOf } from "../documents.ts";

const says = (text: string) => saysOf("consistency", text);
/** Scope in line 2, non-goals in line 4. */
const sides = (scope: string, nonGoals: string) => `## Scope\n- ${scope}\n## Non-goals\n- ${nonGoals}\n`;
/** Requirements from line 2 on, then the criteria. */
const pair = (requirements: string, criteria: string) =>
  `## Requirements\n${requirements}\n## Acceptance criteria\n${criteria}\n`;
/** Two requirements in lines 2 and 3, each proven. */
const two = (first: string, second: string) => pair(`- R1: ${first}\n- R2: ${second}`, "- AC1: R1, R2");
/** A requirement in line 2 and its criterion in line 4. */
const proven = (requirement: string, criterion: string) =>
  pair(`- R1: ${requirement}`, `- AC1 (R1): ${criterion}`);

const good: readonly (readonly [string, string])[] = [
  ["different items", sides("Guest checkout", "Wish lists")],
  ["a part that is left out", sides("Export of orders", "Export of orders as PDF")],
  ["another case", sides("Discount codes for members", "Discount codes for guests")],
  ["another format", sides("Export orders as CSV", "Export orders as PDF")],
  ["left out on both sides", sides("No guest checkout", "Guest checkout")],
  ["denied on both sides", sides("No guest checkout", "No guest checkout")],
  ["without as a quality", sides("Checkout without an account", "Checkout with an account")],
  ["a detail in brackets", sides("Discount codes (percent)", "Discount codes (amounts)")],
  ["a detail behind a colon", sides("Alerts: e-mail", "Alerts: phone")],
  ["one word in common", sides("Search", "Search by voice")],
  ["only filler", sides("The feature", "All features for users")],
  [
    "a requirement about a non-goal",
    `## Non-goals\n- Gift cards\n${two("Gift cards are refused with a message.", "b")}`,
  ],
  ["a denied requirement", `## Non-goals\n- Gift cards\n${two("No gift cards.", "b")}`],
  ["a heading for both", "## Scope and non-goals\n- Guest checkout\n- Guest checkout later\n"],
  ["an empty non-goal", sides("Guest checkout", "")],
  ["ids once each", two("a", "b")],
  ["an id named often", pair("- R1: a\n- R2: as R1, R1 and R1", "- AC1: R1, R2\n- AC2: R1")],
  [
    "an id in a trace table",
    `${two("a", "b")}## Traceability\n| R1 | x |\n|---|---|\n| R1 | AC1 |\n| R2 | AC1 |\n`,
  ],
  ["a table that tells more", pair("- R1: a\n\n| ID | when |\n|---|---|\n| R1 | May |", "- AC1: R1")],
  ["an id in code", pair("- R1: a", "- AC1 (R1): `R9`\n\n```\nR8\n```")],
  ["an id in an address", pair("- R1: a", "- AC1 (R1): [x](https://example.test/R9)")],
  [
    "paper and standards",
    two("Labels are printed on A4 in UTF-8.", "Dates follow ISO-8601, files use SHA256."),
  ],
  ["a store called R2D2 or S3", two("Files lie in S3.", "H264 and MP4 are played.")],
  ["severities", two("A P1 incident stops the rollout.", "b")],
  ["parts of a whole", pair("- R1: a\n  - R1.1: b\n  - R1.2: c", "- AC1 (R1.1, R1.2): d")],
  ["a range", pair("- R1: a\n- R2: b\n- R3: c", "- AC1 (R1–R3): d")],
  ["requirements without ids", pair("- a", "- AC1 (R1): b")],
  ["criteria that share a requirement", pair("- R1: a", "- AC1 (R1): b\n- AC2 (R1): c")],
  [
    "a criterion tied by a table",
    `${pair("- R1: a", "- AC1: b")}## Traceability\n| r | c |\n|---|---|\n| R1 | AC1 |\n`,
  ],
  ["one value twice", proven("The session timeout is 30 s.", "With a session timeout of 30 s it ends.")],
  [
    "one value in two units",
    proven("The session timeout is 30 s.", "With a session timeout of 0.5 minutes it ends."),
  ],
  ["a thousand in two spellings", two("The file size is 1,000 kB.", "The file size is 1 MB.")],
  ["two quantities", two("The session timeout is 30 s.", "The payment timeout is 60 s.")],
  ["two percentiles", two("The p95 latency is 200 ms.", "The p99 latency is 500 ms.")],
  ["two subjects", two("A gateway call has a timeout of 30 s.", "A database query has a timeout of 5 s.")],
  [
    "two cases behind",
    two("The session timeout is 30 s for guests.", "The session timeout is 60 s for members."),
  ],
  [
    "two cases before",
    two("For guests, the session timeout is 30 s.", "For members, the session timeout is 60 s."),
  ],
  ["a case and a rule", two("The session timeout is 30 s.", "When offline, the session timeout is 60 s.")],
  ["two bounds", two("The error rate is below 1 %.", "The error rate is at least 0 %.")],
  ["a range of values", two("The page size is at least 10 items.", "The page size is at most 50 items.")],
  ["a change", two("The session timeout goes from 30 s to 60 s.", "The session timeout is 60 s.")],
  [
    "two values in one statement",
    proven("The timeout is 30 s on the web. The timeout is 60 s in the app.", "The timeout is 60 s."),
  ],
  ["another unit", two("The cart size is 100 items.", "The cart size is 2 MB.")],
  ["a number without a unit", two("The limit is 5.", "The limit is 6.")],
  ["values in rollout", "## Rollout\n- The rate limit is 10 requests.\n- The rate limit is 100 requests.\n"],
  [
    "values in risks",
    `${two("The session timeout is 30 s.", "b")}## Risks\n- The session timeout is 60 s.\n`,
  ],
];

const both = (line: number, text: string, other: number) =>
  `${line}: "${text}" is among the non-goals, and in line ${other} it is not`;
const values = (line: number, here: string, there: string, other: number) =>
  `${line}: "${here}" here, but "${there}" in line ${other}`;
const unknown = (line: number, id: string) => `${line}: there is no ${id} in this document`;
const again = (line: number, id: string, first: number) =>
  `${line}: ${id} is already the id of line ${first}`;
const loose = (line: number, who: string, text: string) =>
  `${line}: ${who} belongs to no requirement: ${text}`;

const bad: readonly (readonly [string, string, readonly string[]])[] = [
  ["the same words", sides("Guest checkout", "Guest checkout"), [both(4, "Guest checkout", 2)]],
  ["other case and marks", sides("**Guest** checkout.", "guest checkout"), [both(4, "guest checkout", 2)]],
  ["another order", sides("Checkout for guests", "Guest checkout"), [both(4, "Guest checkout", 2)]],
  ["plural", sides("Discount codes", "Discount code"), [both(4, "Discount code", 2)]],
  ["another form", sides("Exporting orders", "Export of orders"), [both(4, "Export of orders", 2)]],
  ["filler", sides("Support for wish lists", "Wish lists"), [both(4, "Wish lists", 2)]],
  ["no", sides("Wish lists", "No wish lists"), [both(4, "No wish lists", 2)]],
  ["without", sides("Wish lists", "Without wish lists"), [both(4, "Without wish lists", 2)]],
  [
    "is not supported",
    sides("Wish lists", "Wish lists are not supported"),
    [both(4, "Wish lists are not supported", 2)],
  ],
  [
    "will not be included",
    sides("Wish lists", "Wish lists will not be included"),
    [both(4, "Wish lists will not be included", 2)],
  ],
  ["a reason behind a dash", sides("Wish lists", "Wish lists – next year"), [both(4, "Wish lists", 2)]],
  ["a reason behind a colon", sides("Wish lists", "Wish lists: not before May"), [both(4, "Wish lists", 2)]],
  ["a reason in brackets", sides("Wish lists", "Wish lists (planned for May)"), [both(4, "Wish lists", 2)]],
  [
    "a requirement",
    `## Non-goals\n- Gift cards\n## Requirements\n- R1: Gift cards\n## Acceptance criteria\n- AC1 (R1)\n`,
    [both(2, "Gift cards", 4)],
  ],
  ["a later scope", "## Out of scope\n- Wish lists\n## In scope\n- Wish lists\n", [both(2, "Wish lists", 4)]],
  [
    "rows",
    "## Scope\n| what |\n|---|\n| Wish lists |\n## Non-goals\n| what |\n|---|\n| Wish lists |\n",
    [both(8, "Wish lists", 4)],
  ],
  [
    "bold headings",
    "## Scope\n**In scope**\n\n- Wish lists\n\n**Out of scope**\n\n- Wish lists\n",
    [both(8, "Wish lists", 4)],
  ],
  [
    "yes and no in scope",
    "## Scope\n- Wish lists\n- No wish lists\n",
    ['3: "No wish lists" contradicts line 2'],
  ],
  [
    "yes and no in requirements",
    two("Wish lists.", "No wish lists."),
    ['3: "No wish lists." contradicts line 2'],
  ],
  ["an id twice", pair("- R1: a\n- R1: b", "- AC1: R1"), [again(3, "R1", 2)]],
  ["an id twice in two spellings", pair("- R-1: a\n- R01: b", "- AC1: R1"), [again(3, "R01", 2)]],
  ["an id thrice", pair("- R1: a\n- R1: b\n- R1: c", "- AC1: R1"), [again(3, "R1", 2), again(4, "R1", 2)]],
  ["a criterion twice", pair("- R1: a", "- AC1: R1\n- AC1: R1 again"), [again(5, "AC1", 4)]],
  ["headings twice", pair("### R1 a\n### R1 b", "- AC1: R1"), [again(3, "R1", 2)]],
  ["rows twice", pair("| ID | what |\n|---|---|\n| R1 | a |\n| R1 | b |", "- AC1: R1"), [again(5, "R1", 4)]],
  [
    "an id in two sections",
    "## Functional requirements\n- R1: a\n## Quality requirements\n- R1: b\n## Acceptance criteria\n- R1 holds\n",
    [again(4, "R1", 2)],
  ],
  ["an unknown requirement", pair("- R1: a", "- AC1 (R1, R7): b"), [unknown(4, "R7")]],
  ["only an unknown requirement", pair("- R1: a", "- AC1 (R7): b\n- AC2: R1"), [unknown(4, "R7")]],
  ["an unknown requirement in scope", `## Scope\n- a (R9)\n${two("a", "b")}`, [unknown(2, "R9")]],
  ["an unknown requirement in risks", `${two("a", "b")}## Risks\n- R5 is late\n`, [unknown(7, "R5")]],
  ["an unknown criterion", pair("- R1: a (AC9)", "- AC1: R1"), [unknown(2, "AC9")]],
  ["another prefix", pair("- REQ-1: a", "- AC1 (REQ-1, R2): b"), [unknown(4, "R2")]],
  ["an unknown part", pair("- R1: a\n  - R1.1: b", "- AC1 (R1, R1.3): b"), [unknown(5, "R1.3")]],
  [
    "an unknown row",
    `${two("a", "b")}## Traceability\n| r | c |\n|---|---|\n| R1 | AC1 |\n| R6 | AC1 |\n`,
    [unknown(10, "R6")],
  ],
  ["an unknown line that runs on", pair("- R1: a", "- AC1 (R1):\n  b\n  and R7"), [unknown(6, "R7")]],
  ["the end of a range", pair("- R1: a\n- R2: b", "- AC1 (R1–R4): b"), [unknown(5, "R4")]],
  [
    "a criterion without requirement",
    pair("- R1: a", "- AC1 (R1): b\n- AC2: c"),
    [loose(5, "AC2", "AC2: c")],
  ],
  [
    "a criterion without id and requirement",
    pair("- R1: a", "- AC1 (R1): b\n- all is well"),
    [loose(5, "the criterion", "all is well")],
  ],
  [
    "a row without requirement",
    pair("- R1: a", "| ID | what |\n|---|---|\n| AC1 | R1 |\n| AC2 | b |"),
    [loose(7, "AC2", "AC2 | b")],
  ],
  [
    "a timeout",
    proven("The timeout is 30 s.", "The call ends after the timeout of 60 s."),
    [values(4, "timeout of 60 s", "timeout is 30 s", 2)],
  ],
  ["bare words", two("timeout 30 s", "timeout 60 s"), [values(3, "timeout 60 s", "timeout 30 s", 2)]],
  [
    "a specific name",
    two("The session timeout is 30 s.", "A session has a session timeout of 1 min."),
    [values(3, "session timeout of 1 min", "session timeout is 30 s", 2)],
  ],
  [
    "the value first",
    two("A 30 s session timeout.", "The session timeout is 60 s."),
    [values(3, "session timeout is 60 s", "30 s session timeout", 2)],
  ],
  [
    "a colon",
    two("Session timeout: 30 s", "Session timeout: 60 s"),
    [values(3, "Session timeout: 60 s", "Session timeout: 30 s", 2)],
  ],
  [
    "an upper bound",
    two("The file size is at most 5 MB.", "The file size must not exceed 10 MB."),
    [values(3, "file size must not exceed 10 MB", "file size is at most 5 MB", 2)],
  ],
  [
    "signs",
    two("Error rate < 1 %", "Error rate < 2%"),
    [values(3, "Error rate < 2%", "Error rate < 1 %", 2)],
  ],
  [
    "scope and requirement",
    `## Scope\n- A cart size of 50 lines\n${two("The cart size is 100 lines.", "b")}`,
    [values(4, "cart size is 100 lines", "cart size of 50 lines", 2)],
  ],
];

describe("consistent documents", () => {
  it.each(good)("%s", (_what, text) => expect(says(text)).toEqual([]));
  it("are many", () => expect(good.length).toBeGreaterThanOrEqual(40));
});

describe("inconsistent documents", () => {
  it.each(bad)("%s", (_what, text, problems) => expect(says(text)).toEqual(problems));
  it("are many", () => expect(bad.length).toBeGreaterThanOrEqual(40));
});
