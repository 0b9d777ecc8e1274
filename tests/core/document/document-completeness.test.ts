// Completeness: six sections must be there and say something, whatever exactly their headings are.
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/document/check.ts";
import { classifyHeading } from "../../../src/core/document/sections.ts";
import { saysOf, whole } from "../documents.ts";

const says = (text: string) => saysOf("completeness", text);

/** The whole document with one of its headings replaced by other lines. */
const headed = (name: string, lines: string) => whole().replace(`## ${name}\n`, `${lines}\n`);
/** The whole document with one section's content replaced. */
const filled = (name: string, text: string) => whole({ [name]: text });

const good: readonly (readonly [string, string])[] = [
  ["the plain form", whole()],
  ["numbers", headed("Risks", "## 5. Risks")],
  ["deep numbers", headed("Risks", "### 5.1 Risks")],
  ["numbers in brackets", headed("Scope", "## 1) Scope")],
  ["Roman numbers", headed("Scope", "## IV. Scope")],
  ["letters", headed("Scope", "## A. Scope")],
  ["a paragraph sign", headed("Scope", "## § 2 Scope")],
  ["a dash behind the number", headed("Scope", "## 2 – Scope")],
  ["a trailing colon", headed("Rollout", "## Rollout:")],
  ["bold words", headed("Risks", "## **Risks**")],
  ["bold words with a colon inside", headed("Risks", "## **Risks:**")],
  ["italic words", headed("Risks", "## _Risks_")],
  ["capitals", headed("Non-goals", "## NON-GOALS")],
  ["closing marks", headed("Scope", "## Scope ##")],
  ["level one", whole().replaceAll("## ", "# ")],
  ["level six", headed("Scope", "###### Scope")],
  ["an underlined heading", headed("Scope", "Scope\n-----")],
  ["a doubly underlined heading", headed("Scope", "Scope\n=====")],
  ["a bold line as heading", headed("Scope", "\n**Scope**\n")],
  ["a bold line with a colon as heading", headed("Scope", "\n**3. Scope:**\n")],
  ["out of scope", headed("Non-goals", "## Out of scope")],
  ["out-of-scope", headed("Non-goals", "## Out-of-scope")],
  ["non goals in two words", headed("Non-goals", "## Non goals")],
  ["nongoals in one word", headed("Non-goals", "## Nongoals")],
  ["not in scope", headed("Non-goals", "## Not in scope")],
  ["in scope", headed("Scope", "## In scope")],
  ["functional requirements", headed("Requirements", "## Functional requirements")],
  ["non-functional requirements", headed("Requirements", "## 4 Non-Functional Requirements")],
  ["definition of done", headed("Acceptance criteria", "## Definition of done")],
  ["acceptance tests", headed("Acceptance criteria", "## Acceptance tests")],
  ["risks and mitigations", headed("Risks", "## Risks & Mitigations")],
  ["risks and open questions", headed("Risks", "## Risks and open questions")],
  ["a rollout plan", headed("Rollout", "## Rollout plan")],
  ["roll-out", headed("Rollout", "## Roll-out")],
  ["launch", headed("Rollout", "## Launch")],
  ["scope and non-goals under one heading", headed("Scope", "## Scope and non-goals")],
  ["an emoji", headed("Risks", "## ⚠️ Risks")],
  ["a remark in brackets", headed("Scope", "## Scope (first release)")],
  ["a table as content", filled("Risks", "| risk | what |\n|---|---|\n| loss | backup |")],
  ["content in a subsection", filled("Risks", "### Technical\n- Disk full")],
  [
    "content in a subsection that is a section itself",
    filled("Scope", "### In scope\n- a\n### Out of scope\n- b"),
  ],
  ["a section twice, once filled", `${filled("Risks", "TODO")}## Risks\n- Disk full\n`],
  ["code as content", filled("Rollout", "```sh\nmake deploy\n```")],
  ["a quotation as content", filled("Risks", "> The legal team sees none.")],
  ["a link as content", filled("Risks", "[The register](https://example.test/risks)")],
  ["an item to be done beside a real one", filled("Risks", "- TODO\n- Disk full")],
  ["Windows line ends and a byte order mark", `\uFEFF${whole().replaceAll("\n", "\r\n")}`],
  ["front matter", `---\ntitle: Cart\n---\n${whole()}`],
  ["a comment around other words", whole().replace("## Scope", "<!-- why -->\n## Scope")],
  ["a comment sign in code", whole().replace("- Totals", "- Totals with `<!--` in names")],
];

const missing = (name: string) => `1: there is no section on ${name}`;
const empty = (line: number, name: string) => `${line}: the section on ${name} says nothing yet`;
const all = ["scope", "non-goals", "requirements", "acceptance criteria", "risks", "rollout"];

const bad: readonly (readonly [string, string, readonly string[]])[] = [
  ["an empty text", "", all.map(missing)],
  ["a text without headings", "Scope, risks and rollout are clear.", all.map(missing)],
  ...all.map((name): readonly [string, string, readonly string[]] => {
    const heading = name.charAt(0).toUpperCase() + name.slice(1);
    return [`no ${name}`, whole({ [heading]: undefined }), [missing(name)]];
  }),
  ["nothing under the heading", filled("Risks", ""), [empty(10, "risks")]],
  ["empty lines", filled("Risks", "\n\n  \n"), [empty(10, "risks")]],
  ["TODO", filled("Scope", "TODO"), [empty(2, "scope")]],
  ["todo in an item", filled("Scope", "- todo"), [empty(2, "scope")]],
  ["TODO with words", filled("Scope", "- TODO: ask the lawyers"), [empty(2, "scope")]],
  ["TODO in brackets", filled("Scope", "(TODO)"), [empty(2, "scope")]],
  ["TBD", filled("Rollout", "TBD"), [empty(12, "rollout")]],
  ["bold TBD", filled("Rollout", "**TBD**."), [empty(12, "rollout")]],
  ["TBC", filled("Rollout", "* TBC"), [empty(12, "rollout")]],
  ["to be defined", filled("Rollout", "To be defined."), [empty(12, "rollout")]],
  ["to be decided with words", filled("Rollout", "to be decided by operations"), [empty(12, "rollout")]],
  ["three dots", filled("Risks", "..."), [empty(10, "risks")]],
  ["an ellipsis", filled("Risks", "- …"), [empty(10, "risks")]],
  ["dashes", filled("Risks", "–"), [empty(10, "risks")]],
  ["question marks", filled("Risks", "???"), [empty(10, "risks")]],
  ["a template", filled("Risks", "[describe the risks here]"), [empty(10, "risks")]],
  ["an angled template", filled("Risks", "<risks>"), [empty(10, "risks")]],
  ["coming soon", filled("Risks", "Coming soon"), [empty(10, "risks")]],
  ["FIXME", filled("Risks", "1. FIXME"), [empty(10, "risks")]],
  ["only to be done, many times", filled("Risks", "- TODO\n- tbd\n- ...\n"), [empty(10, "risks")]],
  ["a comment", filled("Risks", "<!-- disk full -->"), [empty(10, "risks")]],
  ["a comment over lines", filled("Risks", "<!-- disk\n\nfull\n-->"), [empty(10, "risks")]],
  ["an empty subsection", filled("Risks", "### Technical\n### Legal"), [empty(10, "risks")]],
  ["a table without rows", filled("Risks", "| risk | what |\n|---|---|"), [empty(10, "risks")]],
  [
    "a table of placeholders",
    filled("Risks", "| risk | what |\n|---|---|\n| TBD | … |"),
    [empty(10, "risks")],
  ],
  ["an empty code block", filled("Risks", "```\n\n```"), [empty(10, "risks")]],
  ["a rule", filled("Risks", "\n---"), [empty(10, "risks")]],
  ["the heading in code", headed("Risks", "```\n## Risks\n```"), [missing("risks")]],
  ["the heading in a code block of tildes", headed("Risks", "~~~\n## Risks\n~~~"), [missing("risks")]],
  ["the heading in a comment", headed("Risks", "<!-- ## Risks -->"), [missing("risks")]],
  ["the heading in a comment over lines", headed("Risks", "<!--\n## Risks\n-->"), [missing("risks")]],
  [
    "the heading in a comment that never ends",
    headed("Rollout", "<!--\n## Rollout"),
    [missing("rollout"), "12: this comment is never closed, and hides everything behind it"],
  ],
  ["the heading in a quotation", headed("Risks", "> ## Risks"), [missing("risks")]],
  ["the heading in front matter", `---\nscope: all\n---\n${whole({ Scope: undefined })}`, [missing("scope")]],
  ["seven marks", headed("Risks", "####### Risks"), [missing("risks")]],
  ["no space behind the marks", headed("Risks", "##Risks"), [missing("risks")]],
  ["another word", headed("Risks", "## Hazards"), [missing("risks")]],
  ["goals are no scope", headed("Scope", "## Goals"), [missing("scope")]],
  ["a sentence that names it", headed("Risks", "Risks are low."), [missing("risks")]],
  ["the title only", `# Risks of the cart\n${whole({ Risks: undefined }).slice(7)}`, [missing("risks")]],
  [
    "success metrics are no criteria",
    headed("Acceptance criteria", "## Success metrics"),
    [missing("acceptance criteria")],
  ],
  ["two at once", whole({ Scope: undefined, Risks: "TBD" }), [missing("scope"), empty(8, "risks")]],
];

describe("complete documents", () => {
  it.each(good)("%s", (_what, text) => expect(says(text)).toEqual([]));
  it("are many", () => expect(good.length).toBeGreaterThanOrEqual(40));
});

describe("incomplete documents", () => {
  it.each(bad)("%s", (_what, text, problems) => expect(says(text)).toEqual(problems));
  it("are many", () => expect(bad.length).toBeGreaterThanOrEqual(40));
});

it("a problem says what to write", () => {
  const [result] = checkDocument(whole({ "Non-goals": undefined }), ["completeness"]);
  expect(result?.problems[0]?.hint).toBe('add a heading "Non-goals" and what belongs under it');
});

it("a title that ends in requirements is no section", () => {
  const text = whole({ Requirements: undefined }).replace("# Cart", "# Cart requirements");
  expect(says(text)).toEqual([missing("requirements")]);
});

it("the sections of a combined heading are all found", () => {
  expect(classifyHeading("3.2 Risks / Rollout")).toEqual(["risks", "rollout"]);
  expect(classifyHeading("Requirements traceability matrix")).toEqual(["trace"]);
  expect(classifyHeading("Background")).toEqual(["aside"]);
  expect(classifyHeading("Checkout")).toEqual([]);
});
