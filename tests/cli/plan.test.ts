// Plans on the command line: explore, plan, promote, list, show, edit, and the commands they replaced.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

const file = (name: string) => join(shop.repo, name);
const planFile = (slug: string, name: string) => file(`.pairflow/plans/${slug}/${name}`);
const written = `# Plan: Add discounts

## Situation
Totals are summed in \`src/cart.ts\`.

## Mission
Customers get discounts.

### Success criteria
- A discount is applied before tax
- Totals are never negative

## Execution
1. Add the rule to \`src/discount.ts\` (S1)
2. Show it on the receipt in \`src/receipt.ts\` (parallel)
3. Use it in \`src/cart.ts\` (S2)

## Constraints
- IN: src/**
- OUT: the checkout page
- DO NOT TOUCH: infra/

## Coordination
After the tax release.
`;
const planned = (...more: string[]) => {
  writeFileSync(file("plan.md"), written);
  return shop.session("plan", "--file", "plan.md", ...more);
};

describe("explore", () => {
  it("makes an uncommitted plan and says what is next", () => {
    expect(shop.session("explore", "Discounts in the cart", "--no-agent")).toMatchInlineSnapshot(`
      "
      Exploring discounts-in-the-cart: .pairflow/plans/discounts-in-the-cart/plan.md (not committed; change it freely, also by hand)
      Next: pairflow plan edit discounts-in-the-cart   fills it in
      Next: pairflow promote discounts-in-the-cart   commits to it, once Mission and Execution say something
      "
    `);
    expect(JSON.parse(readFileSync(planFile("discounts-in-the-cart", "plan.json"), "utf8"))).toMatchObject({
      title: "Discounts in the cart",
      committed: false,
      situation: "Discounts in the cart",
      created_at: expect.stringContaining("2026-01-05T09:00:"),
    });
    expect(shop.session("explore", "Discounts in the cart", "--no-agent")).toContain("(plan.exists)");
    expect(shop.session("explore")).toContain("(plan.no-topic)");
    expect(shop.session("explore", "two", "words")).toContain("(usage.extra-word)");
  });

  it("--from begins with a copy, --slug names it", () => {
    planned();
    expect(shop.run("explore", "--from", "add-discounts", "--slug", "copy", "--no-agent").code).toBe(0);
    const { plan } = shop.json("plan", "show", "copy");
    expect(plan).toMatchObject({
      id: "plan.copy",
      slug: "copy",
      title: "Add discounts",
      committed: false,
      mission: expect.stringContaining("Customers"),
    });
  });

  it("an agent cannot make or commit plans", () => {
    const inside = { ...shop.env, PAIRFLOW_TURN: "fix-cart:t1.1:secret" };
    for (const words of [
      ["explore", "x"],
      ["plan", "x"],
      ["promote"],
      ["plan", "edit", "x"],
      ["tasks", "x"],
      ["design", "x"],
    ])
      expect(shop.shown(shop.runIn(shop.repo, inside, ...words))).toContain("(operator.inside-agent)");
  });
});

describe("plan", () => {
  it("commits at once, and shows what was made of it", () => {
    expect(planned()).toMatchInlineSnapshot(`
      "
      Committed add-discounts: the plan does not change any more

      success criteria
        S1   A discount is applied before tax
        S2   Totals are never negative

      constraints that are enforced (every handoff of every bubble)
        IN: src/**
        DO NOT TOUCH: infra/

      constraints in words (no rule checks them; the reviewer does)
        OUT: the checkout page

      Next: pairflow tasks add-discounts
      Next: git add .pairflow/plans/add-discounts && git commit -m "Plan add-discounts"   (for people; bubbles do not need it)
      "
    `);
  });

  it("from flags; nothing to execute is refused, and nothing is made", () => {
    expect(shop.session("plan", "Fix it", "--mission", "Why")).toMatchInlineSnapshot(`
      "
      Refused: Execution of the plan fix-it is empty: nobody could execute it (plan.empty)
      Hint: pairflow plan "Fix it" --mission "…" --execution "1. …"
      [exit 1]
      "
    `);
    expect(shop.session("plan", "Fix it")).toContain("(plan.no-content)");
    expect(shop.session("plan", "--mission", "x")).toContain("(plan.no-title)");
    expect(shop.session("plan", "list")).toContain("No plans yet");
    const flags = [
      "--mission",
      "Why",
      "--execution",
      "1. Go",
      "--in",
      "src/**",
      "--in",
      "tests/**",
      "--do-not-touch",
      "the API",
    ];
    expect(shop.run("plan", "Fix it", ...flags).code).toBe(0);
    expect(shop.json("plan", "show", "fix-it")).toMatchObject({
      plan: { committed: true, constraints: { in: ["src/**", "tests/**"], do_not_touch: ["the API"] } },
      scope: { in: ["src/**", "tests/**"], do_not_touch: [] },
      prose: { do_not_touch: ["the API"] },
      tasks: null,
    });
  });

  it("a file with mistakes is refused with its lines", () => {
    writeFileSync(file("bad.md"), written.replace("## Mission", "## Goal"));
    expect(shop.session("plan", "--file", "bad.md")).toMatchInlineSnapshot(`
      "
      Error: bad.md:6:1: unknown section "Goal"; a plan has Situation, Mission, Execution, Constraints, Coordination (plan.bad-file)
        bad.md:25:1: the section ## Mission is missing
      Hint: pairflow plan --help
      [exit 2]
      "
    `);
    expect(shop.session("plan", "--file", "no.md")).toContain("(plan.unreadable)");
  });

  it("supersedes another one, which stays and is shown as such", () => {
    planned();
    const session = shop.session(
      "plan",
      "Discounts, later",
      "--supersede",
      "add-discounts",
      "--execution",
      "1. Wait",
    );
    expect(session).toContain("Committed add-discounts-2");
    expect(shop.json("plan", "show", "add-discounts-2").plan).toMatchObject({
      title: "Discounts, later",
      mission: expect.stringContaining("Customers get discounts."),
      execution: "1. Wait",
      coordination: "Supersedes: add-discounts\n\nAfter the tax release.",
    });
    shop.run("explore", "another idea");
    shop.wait(2 * 86_400 + 60);
    expect(shop.session("plan", "list")).toMatchInlineSnapshot(`
      "
      another-idea      not committed   2 d   pairflow plan edit another-idea   another idea
      add-discounts-2   committed       2 d   no tasks yet                      Discounts, later
      add-discounts     superseded      2 d   by add-discounts-2                Add discounts
      "
    `);
    expect(shop.session("plan", "show", "add-discounts")).toContain("superseded by add-discounts-2");
  });
});

describe("promote", () => {
  it("freezes the plan; changes by hand are refused by whatever uses it, and can be put back", () => {
    shop.run("explore", "Add discounts");
    expect(shop.session("promote")).toMatchInlineSnapshot(`
      "
      Refused: Mission and Execution of the plan add-discounts are empty: nobody could execute it (plan.empty)
      Hint: pairflow plan edit add-discounts
      [exit 1]
      "
    `);
    writeFileSync(planFile("add-discounts", "plan.md"), written);
    expect(shop.session("promote")).toContain("Committed add-discounts: the plan does not change any more");
    expect(shop.session("promote", "add-discounts")).toContain("Committed add-discounts");
    const change = shop.session("plan", "edit", "add-discounts", "--set", "mission=x");
    expect(change.replace(/2026\S+Z/, "<time>")).toMatchInlineSnapshot(`
      "
      Refused: the plan add-discounts is committed since <time> and does not change any more (plan.frozen)
      Hint: pairflow plan --supersede add-discounts
      [exit 1]
      "
    `);
    writeFileSync(planFile("add-discounts", "plan.md"), written.replace("Customers", "Nobody"));
    expect(shop.session("tasks", "add-discounts")).toMatchInlineSnapshot(`
      "
      Refused: the plan add-discounts is committed and does not change any more (plan.frozen)
        changed in plan.md: mission
        to plan something else instead: pairflow plan --supersede add-discounts
      Hint: pairflow plan edit add-discounts --put-back
      [exit 1]
      "
    `);
    expect(shop.session("plan", "list")).toContain("cannot be used");
    expect(shop.session("plan", "edit", "add-discounts", "--put-back")).toContain("as they were when");
    expect(readFileSync(planFile("add-discounts", "plan.md"), "utf8")).toBe(written);
  });

  it("without a slug lists what could be meant", () => {
    expect(shop.session("promote")).toContain("(plan.none-open)");
    shop.run("explore", "one");
    shop.wait(60);
    shop.run("explore", "two");
    expect(shop.session("promote")).toMatchInlineSnapshot(`
      "
      Refused: 2 plans are not committed; which one? (plan.which)
        one: one
        two: two
      Hint: pairflow promote one
      [exit 1]
      "
    `);
    expect(shop.session("promote", "tow")).toContain("there is no plan tow");
  });
});

describe("plan show and edit", () => {
  it("shows the document, and what follows from it", () => {
    planned();
    shop.run("tasks", "add-discounts", "--yes");
    const amendment = {
      bubble: "b1",
      at: "2026-01-05T09:00:00.000Z",
      by: "plan-refinement",
      task: "t1",
      diagnosis: "too narrow",
      change: "also the receipt",
    };
    writeFileSync(planFile("add-discounts", "amendments.json"), JSON.stringify([amendment]));
    const shown = shop
      .session("plan", "show", "add-discounts")
      .replace(/committed 2026\S+/, "committed <time>");
    expect(shown).toContain(written.trimEnd());
    expect(shown.replace(written.trimEnd(), "<the document>")).toMatchInlineSnapshot(`
      "
      add-discounts · committed <time>

      <the document>

      success criteria
        S1   A discount is applied before tax
        S2   Totals are never negative

      constraints that are enforced (every handoff of every bubble)
        IN: src/**
        DO NOT TOUCH: infra/

      constraints in words (no rule checks them; the reviewer does)
        OUT: the checkout page

      tasks
        t1                  S1      src/discount.ts   Add the rule to \`src/discount.ts\`
        t2                          src/receipt.ts    Show it on the receipt in \`src/receipt.ts\`
        t3   after t1, t2   S2      src/cart.ts       Use it in \`src/cart.ts\`

      amendments (the plan itself stays as it is)
        2026-01-05T09:00:00.000Z plan-refinement (bubble b1, task t1)
          why: too narrow
          change: also the receipt

      Next: pairflow execute add-discounts
      "
    `);
    expect(shop.json("plan", "show", "add-discounts")).toMatchObject({
      success_criteria: [{ id: "S1" }, { id: "S2", text: "Totals are never negative" }],
      scope: { in: ["src/**"], out: [], do_not_touch: ["infra/**"] },
      prose: { out: ["the checkout page"] },
      tasks: { plan: "plan.add-discounts", tasks: [{ id: "t1" }, { id: "t2" }, { id: "t3" }] },
      amendments: [amendment],
    });
  });

  it("--set, --file and --use change an uncommitted plan", () => {
    shop.run("explore", "idea");
    const edit = (...flags: string[]) => shop.session("plan", "edit", "idea", ...flags);
    expect(edit("--set", "mission=A = B", "--set", "in=src/**", "--set", "in=tests/**")).toContain(
      "say the same",
    );
    expect(shop.json("plan", "show", "idea").plan).toMatchObject({
      mission: "A = B",
      constraints: { in: ["src/**", "tests/**"] },
    });
    expect(edit("--set", "missoin=x")).toMatchInlineSnapshot(`
      "
      Error: --set missoin=x: it is written <part>=<text>; did you mean mission? (plan.bad-setting)
      Hint: --set mission="what we are doing and why"
      [exit 2]
      "
    `);
    expect(edit("--set", "mission=x", "--put-back")).toContain("(plan.two-ways)");
    expect(edit()).toContain("(plan.no-terminal)");
    expect(edit("--set", `mission=${"x".repeat(8001)}`)).toContain("(plan.too-long)");
    writeFileSync(file("plan.md"), written);
    expect(edit("--file", "plan.md")).toContain("say the same");
    writeFileSync(planFile("idea", "plan.md"), written.replace("Customers", "Regulars"));
    const json = readFileSync(planFile("idea", "plan.json"), "utf8");
    writeFileSync(planFile("idea", "plan.json"), json.replace("Customers", "Friends"));
    expect(shop.session("plan", "show", "idea")).toMatchInlineSnapshot(`
      "
      Refused: plan.json and plan.md of idea were both edited, each in another way: mission (plan.two-edits)
        if plan.json counts: pairflow plan edit idea --use json
      Hint: pairflow plan edit idea --use md
      [exit 1]
      "
    `);
    expect(edit("--use", "md")).toContain("say the same");
    expect(shop.json("plan", "show", "idea").plan.mission).toContain("Regulars");
    expect(shop.session("plan", "show")).toContain("(plan.no-slug)");
  });
});

describe("replaced commands", () => {
  const both = (...args: string[]) => {
    const { code, stdout, stderr } = shop.run(...args);
    return { code, stdout, warning: stderr };
  };

  it("propose still explores, and warns on stderr", () => {
    const { code, stdout, warning } = both("propose", "Discounts", "--no-agent");
    expect(code).toBe(0);
    expect(warning).toBe('Deprecated: Use /explore or /plan instead\nNow: pairflow explore "Discounts"\n');
    expect(stdout).toContain("Exploring discounts");
  });

  it("design and spec still write their part of the plan, and warn", () => {
    shop.run("explore", "Discounts");
    expect(both("design", "discounts", "--text", "1. Go").warning).toBe(
      'Deprecated: Design is now part of /plan\nNow: pairflow plan edit discounts --set execution="…"\n',
    );
    expect(both("spec", "discounts", "--text", "Because", "--json").warning).toBe(
      'Deprecated: Specs are now part of /plan\nNow: pairflow plan edit discounts --set mission="…"\n',
    );
    expect(shop.json("plan", "show", "discounts").plan).toMatchObject({
      execution: "1. Go",
      mission: "Because",
    });
    expect(both("design", "nobody", "--text", "x")).toMatchObject({ code: 1 });
  });
});

describe("uncommitted plans are hard to overlook", () => {
  it("on the first screen and in the list of bubbles, as text and as JSON", () => {
    shop.run("explore", "Discounts in the cart");
    shop.wait(2 * 86_400 + 60);
    const section =
      /plans not committed\n\s+discounts-in-the-cart {3}Discounts in the cart · 2 d {3}pairflow plan edit discounts-in-the-cart\n/;
    expect(shop.session()).toMatch(section);
    expect(shop.session("bubble", "list")).toMatch(section);
    const listed = { slug: "discounts-in-the-cart", next: "pairflow plan edit discounts-in-the-cart" };
    expect(shop.json("home").uncommitted_plans).toMatchObject([listed]);
    expect(shop.json("bubble", "list").uncommitted_plans).toMatchObject([listed]);
    shop.run("plan", "edit", "discounts-in-the-cart", "--set", "mission=m", "--set", "execution=1. e");
    expect(shop.session("bubble", "list")).toContain("pairflow promote discounts-in-the-cart");
    shop.run("promote");
    expect(shop.session()).not.toContain("plans not committed");
    expect(shop.json("bubble", "list").uncommitted_plans).toEqual([]);
  });
});

it("a word alone is a path where the repository has it", () => {
  mkdirSync(file("infra"));
  writeFileSync(file("Makefile"), "all:\n");
  const made = shop.json(
    "plan",
    "X",
    "--mission",
    "m",
    "--execution",
    "1. e",
    "--do-not-touch",
    "Makefile",
    "--out",
    "infra",
    "--out",
    "vendor",
  );
  expect(made.scope).toMatchObject({ do_not_touch: ["Makefile", "Makefile/**"], out: ["infra", "infra/**"] });
  expect(made.prose.out).toEqual(["vendor"]);
});
