// Ambiguity: words that cannot be measured are flagged where they bind somebody, unless a measure stands beside them.
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/document/check.ts";
import { saysOf } from "../documents.ts";

/** What is flagged in a text under a heading, as "line word"; the text begins in line 3. */
function flagged(text: string, heading = "Requirements"): string[] {
  return saysOf("ambiguity", `# Cart\n## ${heading}\n${text}\n`).map((said) =>
    said.replace(/^(\d+): "(.*?)" cannot be measured: .*$/s, "$1 $2"),
  );
}

/** One statement each, which may stand as it is. */
const good = [
  "- R1: The cart loads within 300 ms.",
  "- R1: The cart loads fast: p95 below 300 ms.",
  "- R1: Search is quick, 200ms at most.",
  "- R1: Easy to use: 9 of 10 testers finish without help.",
  "- R1: A simple form with three fields.",
  "- R1: Robust: survives 1,000 restarts.",
  "- R1: Scalable to 5k users.",
  "- R1: Many users (up to 500) at once.",
  "- R1: The import is faster than version 1.",
  "- R1: Import is at least as fast as today's.",
  "- R1: As easy as the current form.",
  "- R1: Results are the same as in the shop, with minimal delay.",
  "- R1: Accessible and user-friendly by WCAG 2.2 AA.",
  "- R1: Appropriate status codes of RFC 9110.",
  "- R1: Responsive enough to meet NFR-2.",
  "- R1: Sufficient memory as in R7.",
  "- R1: Robust: `npm run chaos` passes.",
  "- R1: Reliable: `./soak.sh` ends without an error.",
  "- R1: Several formats: CSV, JSON and XML.",
  "- R1: Various roles (buyer, clerk) see the page.",
  "- R1: Several steps:\n  - pay\n  - ship",
  "- R1: The page is fast:\n  - first paint within 1 s\n  - complete within 2 s",
  "- R1: Backups are made regularly, every 24 hours.",
  "- R1: Reports are sent regularly (weekly).",
  "- R1: Soon, by 2027-03-01.",
  "- R1: A retry happens soon, twice at most.",
  "- R1: Latency ≤ the limit, so it is fast.",
  '- R1: The message says "Please try again soon".',
  "- R1: The message says “some items are gone”.",
  "- R1: The flag `fast` is on.",
  "- R1: The flag ``some `many` `` is on.",
  "- R1: See [the page](https://example.test/fast/easy).",
  "- R1: See https://example.test/some/many-things for the columns.",
  "- R1: The breakfast menu uses FastAPI and Fastly.",
  "- R1: A fast-forward merge is made.",
  "- R1: Calls fail fast.",
  "- R1: The page tells how many lines are left.",
  "- R1: The total changes as soon as a line is added.",
  "- R1: If some line has no price, the cart shows a dash.",
  "- R1: Too many requests are answered with status 429.",
  "- R1: A responsive layout is used on phones.",
  "- R1: The feature is generally available on all plans.",
  "- R1: A many-to-many table holds the tags.",
  "- R1: The cart is empty after the order.",
  "- R1: One click, within one second, quickly.",
  "> It must be fast and easy.",
  "```\nfast, easy, etc.\n```",
  "    fast, easy, etc.",
  "<!-- fast and easy -->",
  "The cart is fast: p95 is below 1 s.",
  "| ID | text | fast |\n|---|---|---|\n| R1 | loads fast | 1 s |",
  "### Notes\n- Users usually want some help.",
] as const;

const bad: readonly (readonly [string, readonly string[]])[] = [
  ["- R1: The cart loads fast.", ["3 fast"]],
  ["- R1: The cart loads **fast**.", ["3 fast"]],
  ["- R1: The cart loads _quickly_.", ["3 quickly"]],
  ["- R1: FAST loading.", ["3 FAST"]],
  ["- R1: The fastest cart.", ["3 fastest"]],
  ["- R1: Easy to use.", ["3 Easy"]],
  ["- R1: Totals are easily found.", ["3 easily"]],
  ["- R1: A user-friendly page.", ["3 user-friendly"]],
  ["- R1: A user friendly page.", ["3 user friendly"]],
  ["- R1: An intuitive and seamless page.", ["3 intuitive", "3 seamless"]],
  ["- R1: An appropriate error is shown.", ["3 appropriate"]],
  ["- R1: Sufficient memory is there.", ["3 Sufficient"]],
  ["- R1: Caches are cleared as needed.", ["3 as needed"]],
  ["- R1: Names, prices, etc. are shown.", ["3 etc"]],
  ["- R1: Names, prices and so on.", ["3 and so on"]],
  ["- R1: Users should be able to pay.", ["3 should be able to"]],
  ["- R1: The service is robust.", ["3 robust"]],
  ["- R1: The service is scalable.", ["3 scalable"]],
  ["- R1: Minimal delay.", ["3 Minimal"]],
  ["- R1: A reasonable amount of lines.", ["3 reasonable"]],
  ["- R1: Several lines are shown.", ["3 Several"]],
  ["- R1: Some lines are hidden.", ["3 Some"]],
  ["- R1: Many users at once.", ["3 Many"]],
  ["- R1: The cart is saved soon.", ["3 soon"]],
  ["- R1: The cart is usually saved.", ["3 usually"]],
  ["- R1: The cart is saved if possible.", ["3 if possible"]],
  ["- R1: Saving is best effort.", ["3 best effort"]],
  ["- R1: Saved as soon as possible.", ["3 as soon as possible"]],
  ["- R1: Saved as fast\n  as possible.", ["3 as fast as possible"]],
  ["- R1: The limit is TBD.", ["3 TBD"]],
  ["- R1: The limit is 5 s, to be confirmed.", ["3 to be confirmed"]],
  ["- R1: It is fast in phase 2.", ["3 fast"]],
  ["- R1: It is fast (version 3).", ["3 fast"]],
  ["- R1: The `cart` is fast.", ["3 fast"]],
  ["- R1: 2FA is easy.", ["3 easy"]],
  ["- R1: It is better rather than fast.", ["3 fast"]],
  ["- R1: More than enough memory, sufficient for all.", ["3 sufficient"]],
  ["- R1: Several formats, e.g. CSV.", ["3 Several"]],
  ["- R1: Several formats (e.g. CSV, JSON).", ["3 Several"]],
  ['- R1: The message "Done in 5 s" is shown soon.', ["3 soon"]],
  ["- R1: Shown in [5 s](https://example.test/5s) or soon", []],
  ["- R1: Saving\n  works\n  smoothly.", ["5 smoothly"]],
  ["- R1: 3 lines.\n- R2: Easy.", ["4 Easy"]],
  ["- R1: Search:\n  - fast\n  - 20 results a page", ["4 fast"]],
  ["The cart is fast. It has 3 lines.", ["3 fast"]],
  ["It has 3 lines.\nThe cart\nis fast.", ["5 fast"]],
  ["| ID | text |\n|---|---|\n| R1 | 5 s |\n| R2 | fast |", ["6 fast"]],
  ["### R1 Loading\nThe cart loads fast.", ["4 fast"]],
  ["- R1: Loads promptly and reliably.", ["3 promptly", "3 reliably"]],
  ["- R1: Optimised for modern browsers.", ["3 Optimised", "3 modern"]],
];

describe("measurable statements", () => {
  it.each(good)("%s", (text) => expect(flagged(text)).toEqual([]));
  it("are many", () => expect(good.length).toBeGreaterThanOrEqual(40));
});

describe("vague statements", () => {
  it.each(bad)("%s", (text, words) => expect(flagged(text)).toEqual(words));
  it("are many", () => expect(bad.filter(([, words]) => words.length > 0).length).toBeGreaterThanOrEqual(40));
});

it.each(["Scope", "Acceptance criteria", "4. Rollout plan", "Functional requirements"])(
  "%s binds",
  (heading) => {
    expect(flagged("- It is fast.", heading)).toEqual(["3 fast"]);
  },
);

it.each(["Risks", "Background", "Non-goals", "Open questions", "Summary", "Appendix", "Glossary"])(
  "%s does not",
  (heading) => {
    expect(flagged("- It is fast, easy and TBD.", heading)).toEqual([]);
  },
);

it("a criterion is not measured by the requirement it proves, only by one it points at", () => {
  const criterion = (text: string) => flagged(`- ${text}`, "Acceptance criteria");
  expect(criterion("AC1 (R1): The page is fast.")).toEqual(["3 fast"]);
  expect(criterion("AC1 [R1, R2]: The page is fast.")).toEqual(["3 fast"]);
  expect(criterion("R1: The page is fast.")).toEqual(["3 fast"]);
  expect(criterion("AC1 (R1): The page is as fast as said in NFR-2.")).toEqual([]);
  expect(criterion("AC1 (R1): The page is fast, see AC4.")).toEqual([]);
});

it("the hint asks the question that the word leaves open", () => {
  const hints = (text: string) =>
    checkDocument(`## Requirements\n- ${text}`, ["ambiguity"]).flatMap(({ problems }) =>
      problems.map(({ hint }) => hint),
    );
  expect(hints("fast")).toEqual(["say how fast: a time, and where or how it is measured (p95 below 200 ms)"]);
  expect(hints("several")).toEqual(["say how many, or name each one"]);
  expect(hints("a, b, etc.")).toEqual(["name the rest, or end the list"]);
});
