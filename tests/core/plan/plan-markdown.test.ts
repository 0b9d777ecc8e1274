// A plan as a document: what is rendered, what is read back, and what is wrong with a document, line by line.
import { describe, expect, it } from "vitest";
import { type PlanDocument, tidy } from "../../../src/core/plan/document.ts";
import { parsePlan, renderPlan } from "../../../src/core/plan/markdown.ts";
import { emptyText } from "../../../src/core/plan/sections.ts";
import { chance, type Dice } from "../fuzz-dice.ts";

const plan: PlanDocument = {
  title: "Add discounts",
  situation: "Totals are summed in `src/cart.ts`.",
  mission: "Customers get discounts.\n\n### Success criteria\n- Totals are never negative",
  execution: "1. Add the rule\n2. Show it",
  constraints: { in: ["src/cart.ts", "tests/**"], out: ["the checkout page"], do_not_touch: ["infra/"] },
  coordination: "After the tax release.",
};

const problemsOf = (text: string) => {
  const parsed = parsePlan(text);
  return parsed.ok ? [] : parsed.problems.map(({ line, message }) => `${line}: ${message}`);
};

describe("the document", () => {
  it("is the template, filled in", () => {
    expect(renderPlan(plan)).toBe(`# Plan: Add discounts

## Situation
Totals are summed in \`src/cart.ts\`.

## Mission
Customers get discounts.

### Success criteria
- Totals are never negative

## Execution
1. Add the rule
2. Show it

## Constraints
- IN: src/cart.ts
- IN: tests/**
- OUT: the checkout page
- DO NOT TOUCH: infra/

## Coordination
After the tax release.
`);
  });

  it("shows what belongs into empty sections as comments, which are not read", () => {
    const scratch = { title: "Discounts", ...emptyText };
    const text = renderPlan(scratch, { guide: true });
    expect(text).toBe(`# Plan: Discounts

## Situation
<!-- What exists now. Entity references to existing code/specs. -->

## Mission
<!-- What we're doing and why. Success criteria. -->

## Execution
<!-- Approach and sketch. Architectural decisions. -->

## Constraints
<!-- - IN: what's in scope -->
<!-- - OUT: what's excluded -->
<!-- - DO NOT TOUCH: files/systems that must not be modified -->

## Coordination
<!-- Dependencies, sequencing, entity references. -->
`);
    expect(parsePlan(text)).toEqual({ ok: true, document: scratch });
  });

  it("keeps headings inside a section, code blocks and comments of the text apart from its own", () => {
    const odd = {
      ...plan,
      execution:
        "## Not a section\n# Plan: no title\n<!-- said -->\n\\# slash\n```sh\n# a comment\n## two\n```\nend",
      mission: "```\nnever closed",
    };
    const text = renderPlan(odd);
    expect(text).toContain(
      "\n\\## Not a section\n\\# Plan: no title\n\\<!-- said -->\n\\\\# slash\n```sh\n# a comment\n",
    );
    expect(parsePlan(text)).toEqual({ ok: true, document: odd });
  });

  it("is read whatever editor saved it", () => {
    const saved = `\uFEFF${renderPlan(plan).replaceAll("\n", "\r\n")}\r\n\r\n`;
    expect(parsePlan(saved)).toEqual({ ok: true, document: plan });
  });

  it("takes sections in any order, constraints in small letters and over two lines", () => {
    const text = `# plan: T\n## Constraints\n* in: src/a.ts\n- Do not touch: the old\n  cache\n## Coordination\n## Situation\n## Execution\n## mission\nM\n`;
    expect(parsePlan(text)).toEqual({
      ok: true,
      document: {
        ...emptyText,
        title: "T",
        mission: "M",
        constraints: { in: ["src/a.ts"], out: [], do_not_touch: ["the old cache"] },
      },
    });
  });
});

describe("problems", () => {
  it("name the line", () => {
    const text =
      "Hello\n# Plan: A\n# Plan: B\n\n## Situation\n## Goals\nx\n## Constraints\n- MAYBE: x\nwords\n## Situation\n<!-- open\n";
    expect(problemsOf(text)).toEqual([
      "1: text outside of a section",
      "3: a second title; write ### for a heading inside a section",
      '6: unknown section "Goals"; a plan has Situation, Mission, Execution, Constraints, Coordination',
      "9: a constraint begins with - IN:, - OUT: or - DO NOT TOUCH:, one line an entry",
      "10: a constraint begins with - IN:, - OUT: or - DO NOT TOUCH:, one line an entry",
      "11: a second ## Situation; the first is in line 5",
      "12: this comment is never closed with -->",
      "13: the section ## Mission is missing",
      "13: the section ## Execution is missing",
      "13: the section ## Coordination is missing",
    ]);
  });

  it.each([
    ["no title", renderPlan(plan).replace(/^# .*\n/, ""), "1: the title is missing: # Plan: <title>"],
    [
      "another title",
      renderPlan(plan).replace("# Plan: Add", "# Add"),
      "1: the title must be written as # Plan: <title>",
    ],
    [
      "a code block left open",
      renderPlan(plan).replace("1. Add", "```\n1. Add"),
      "13: this code block is never closed",
    ],
    [
      "words behind a comment",
      renderPlan(plan).replace("1. Add", "<!-- x --> 1. Add"),
      "13: words behind a comment; put them on a line of their own",
    ],
  ])("%s", (_name, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it("say what is too long, at its heading", () => {
    expect(problemsOf(renderPlan({ ...plan, mission: "x".repeat(8001) }))[0]).toMatch(
      /^6: mission is too long/,
    );
    expect(problemsOf(renderPlan({ ...plan, title: "x".repeat(301) }))[0]).toMatch(
      /^1: the title has more than 300/,
    );
  });
});

describe("any plan", () => {
  const pieces = [
    ..."#`~\\- :\n\n\n\t\r<>!x",
    ...[
      "## ",
      "# ",
      "### ",
      "## Mission",
      "# Plan: x",
      "```",
      "~~~~",
      "<!--",
      "-->",
      "- IN: ",
      "  ",
      "```js",
      "````",
      "\\```",
      "\u2028",
      "é",
    ],
  ];
  const text = (dice: Dice, length: number) =>
    Array.from({ length: dice.below(length) }, () => dice.pick(pieces)).join("");

  it("is read back exactly as it was rendered", () => {
    for (let seed = 0; seed < 3000; seed += 1) {
      const dice = chance(seed);
      const list = () => Array.from({ length: dice.below(3) }, () => text(dice, 8));
      const any = tidy({
        title: `T${text(dice, 5)}`,
        situation: text(dice, 20),
        mission: text(dice, 20),
        execution: text(dice, 20),
        constraints: { in: list(), out: list(), do_not_touch: list() },
        coordination: text(dice, 20),
      });
      for (const guide of [false, true])
        expect(parsePlan(renderPlan(any, { guide })), `seed ${seed}`).toEqual({ ok: true, document: any });
    }
  });

  it("tidy changes nothing the second time", () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const once = tidy({ ...plan, mission: text(chance(seed), 30), title: `x${text(chance(seed), 9)}` });
      expect(tidy(once)).toEqual(once);
    }
  });
});
