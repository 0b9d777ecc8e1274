// Tasks from the numbered lines of a plan: how they are read, what is wrong with them, and which can run side by side.
import { describe, expect, it } from "vitest";
import type { Criterion, PlanTask } from "../../../src/core/model/plan.ts";
import { incrementSlug, isSlug, slugifyTitle } from "../../../src/core/plan/slug.ts";
import { findNamedTests, parseSuccessCriteria } from "../../../src/core/plan/success.ts";
import { checkPlanTasks, listReadyPlanTasks, orderTasks } from "../../../src/core/plan/tasks/check.ts";
import { parseExecutionTasks } from "../../../src/core/plan/tasks/execution.ts";

const mission =
  "Discounts.\n\nSuccess criteria:\n- Totals are never negative\n- The page shows the discount\n  and its name\n\nMore words.";
const from = (execution: string, why = "") => parseExecutionTasks({ execution, mission: why });
const task = (id: string, more: Partial<PlanTask> = {}): PlanTask => ({
  ...{ id, description: id, files: [], criteria: [], depends_on: [], covers: [] },
  ...more,
});
const criterion = (given: string, when: string, then: string): Criterion => ({ given, when, then });

describe("success criteria", () => {
  it.each([
    ["a line", mission],
    ["a heading", mission.replace("Success criteria:", "### success Criteria")],
    ["bold", mission.replace("Success criteria:", "**Success criteria:**\n")],
  ])("after %s", (_name, text) => {
    expect(parseSuccessCriteria({ mission: text })).toEqual([
      { id: "S1", text: "Totals are never negative" },
      { id: "S2", text: "The page shows the discount and its name" },
    ]);
  });

  it("on the same line, numbered, nested, and only there", () => {
    const text = "- no criterion\n\nSuccess criteria: it works\n\n### Other\n- neither";
    expect(parseSuccessCriteria({ mission: text })).toEqual([{ id: "S1", text: "it works" }]);
    expect(
      parseSuccessCriteria({ mission: "Success criteria\n1. one\n   - deep\n2. two" }).map(
        ({ text }) => text,
      ),
    ).toEqual(["one; deep", "two"]);
    expect(parseSuccessCriteria({ mission: "Do it well." })).toEqual([]);
  });

  it("name the commands that must pass, and nothing else that stands in backticks", () => {
    const text =
      "Run `make all` passes first.\n\nSuccess criteria:\n- `npm test` passes, and `npm run lint` is green\n- `npm test` passes\n- `src/cart.ts` is short\n- `--total` passes-through";
    expect(findNamedTests({ mission: text })).toEqual(["npm test", "npm run lint"]);
  });
});

describe("from Execution", () => {
  it("each numbered line is a task after the one before it; paths are its files", () => {
    const tasks = from(
      "We do it so:\n\n1. Add the rule to `src/cart.ts` (S1)\n   and test it in `tests/cart.test.ts`.\n\n2) Show it, run `npm test`\n\nThat is all.",
      mission,
    );
    expect(tasks).toEqual([
      task("t1", {
        description: "Add the rule to `src/cart.ts`\nand test it in `tests/cart.test.ts`.",
        files: ["src/cart.ts", "tests/cart.test.ts"],
        covers: ["S1"],
      }),
      task("t2", { description: "Show it, run `npm test`", depends_on: ["t1"], covers: ["S2"] }),
    ]);
  });

  it("reads what a line says about its order", () => {
    const tasks = from(
      "1. A\n2. B\n3. C (parallel)\n4. D\n5. E (after 1, 2)\n6. (parallel) F\n7. G (depends on task 4)",
    );
    expect(tasks.map(({ id, description, depends_on }) => [id, description, depends_on])).toEqual([
      ["t1", "A", []],
      ["t2", "B", ["t1"]],
      ["t3", "C", ["t1"]],
      ["t4", "D", ["t2", "t3"]],
      ["t5", "E", ["t1", "t2"]],
      ["t6", "F", ["t1", "t2"]],
      ["t7", "G", ["t4"]],
    ]);
  });

  it("numbers are those that are written, unless Markdown counts itself", () => {
    expect(from("3. A\n7. B (after 3)").map(({ depends_on }) => depends_on)).toEqual([[], ["t1"]]);
    expect(from("1. A\n1. B\n1. C (after 2)").map(({ depends_on }) => depends_on)).toEqual([
      [],
      ["t1"],
      ["t2"],
    ]);
    expect(from("1. A (after 9)")[0]?.depends_on).toEqual(["t9"]);
  });

  it("Given, when, then become criteria, on one line or on three", () => {
    const [first] = from(
      "1. Add it\n   - Given a cart, when a discount is added, then the total drops\n   Given no discount\n   When the page is shown\n   Then the total is the sum\n   - keep this",
    );
    expect(first?.criteria).toEqual([
      criterion("a cart", "a discount is added", "the total drops"),
      criterion("no discount", "the page is shown", "the total is the sum"),
    ]);
    expect(first?.description).toBe("Add it\n- keep this");
  });

  it("code blocks and headings hold no tasks; words in brackets stay", () => {
    expect(from("```\n1. no\n```\n### 2. neither\n1. Call `f(after 1)` (after the release) (S)")).toEqual([
      task("t1", { description: "Call `f(after 1)` (after the release) (S)" }),
    ]);
    expect(from("Just do it.")).toEqual([]);
  });
});

describe("problems", () => {
  const plan = { mission };
  const covered = { covers: ["S1", "S2"] };

  it("none", () => {
    expect(checkPlanTasks([task("a"), task("b", { depends_on: ["a"], ...covered })], plan)).toEqual([]);
  });

  it.each<[string, PlanTask[], string]>([
    [
      "a circle",
      [
        task("a", { depends_on: ["c"], ...covered }),
        task("b", { depends_on: ["a"] }),
        task("c", { depends_on: ["b"] }),
      ],
      "tasks wait for one another: a → c → b → a",
    ],
    ["itself", [task("a", { depends_on: ["a"], ...covered })], "tasks wait for one another: a → a"],
    [
      "a task that is none",
      [task("a", { depends_on: ["x"], ...covered })],
      "a depends on x, which is no task",
    ],
    ["a name twice", [task("a", covered), task("a")], "two tasks are called a"],
    [
      "a criterion nobody covers",
      [task("a", { covers: ["S1"] })],
      "no task covers the success criterion S2: The page shows the discount and its name",
    ],
    [
      "a criterion that is none",
      [task("a", { covers: ["S1", "S2", "S3"] })],
      "a covers S3, which is no success criterion of the plan (it has S1, S2)",
    ],
    [
      "a long description",
      [task("a", { description: "x".repeat(2001), ...covered })],
      "a has 2001 characters in its description; at most 2000: split it",
    ],
    [
      "many files",
      [task("a", { files: Array(21).fill("x"), ...covered })],
      "a has 21 files; at most 20: split it",
    ],
    [
      "many criteria",
      [task("a", { criteria: Array(11).fill(criterion("g", "w", "t")), ...covered })],
      "a has 11 criteria; at most 10: split it",
    ],
    [
      "many tasks",
      Array.from({ length: 21 }, (_, i) => task(`t${i}`, covered)),
      "21 tasks; a plan has at most 20: split the plan",
    ],
    ["no task", [], "there is no task"],
  ])("%s", (_name, tasks, problem) => {
    expect(checkPlanTasks(tasks, plan)).toContain(problem);
  });

  it.each([
    [
      "a criterion",
      `1. A\n   Given ${"x".repeat(2001)}, when b, then c`,
      "- one",
      "t1 has 2001 characters in a part of a criterion; at most 2000: split it",
    ],
    [
      "a path",
      `1. A in \`${"x".repeat(297)}.txt\``,
      "- one",
      "t1 has 301 characters in a path; at most 300: split it",
    ],
    [
      "what falls to it",
      "1. A",
      "- x\n".repeat(51),
      "t1 has 51 success criteria to fulfil; at most 50: split it",
    ],
  ])("%s, in numbered lines, is more than can be kept", (_name, execution, list, problem) => {
    const why = `Success criteria:\n${list}`;
    expect(checkPlanTasks(from(execution, why), { mission: why })).toEqual([problem]);
  });

  it("the budget can be another one", () => {
    expect(checkPlanTasks([task("a", covered), task("b")], plan, { maxTasks: 1 })).toHaveLength(1);
  });
});

describe("order", () => {
  const ids = (tasks: readonly PlanTask[]) => tasks.map(({ id }) => id);

  it("is that of the list, with dependencies first", () => {
    expect(ids(orderTasks([task("c", { depends_on: ["a"] }), task("b"), task("a"), task("d")]))).toEqual([
      "b",
      "a",
      "c",
      "d",
    ]);
    expect(ids(orderTasks([task("a", { depends_on: ["b"] }), task("b", { depends_on: ["a"] })]))).toEqual([
      "a",
      "b",
    ]);
  });

  it.each<[string, string[], string[], boolean]>([
    ["the same file", ["src/a.ts"], ["./src/a.ts"], false],
    ["two files", ["src/a.ts"], ["src/b.ts"], true],
    ["a folder and a file in it", ["src"], ["src/a.ts"], false],
    ["names that begin alike", ["src/a"], ["src/ab"], true],
    ["a glob and what it matches", ["src/**/*.ts"], ["src/x/a.ts"], false],
    ["a glob and another file", ["src/*.ts"], ["src/x/a.md"], true],
    ["a glob and a folder in it", ["src/**/*.ts"], ["src/x"], false],
    ["two globs that may meet", ["src/*.ts"], ["src/a*"], false],
    ["two globs in different folders", ["src/**"], ["tests/**"], true],
    ["no files", [], ["src/a.ts"], false],
  ])("%s: side by side %s %s %s", (_name, one, other, together) => {
    const tasks = [task("a", { files: one }), task("b", { files: other })];
    expect(ids(listReadyPlanTasks(tasks, new Set()))).toEqual(together ? ["a", "b"] : ["a"]);
    expect(ids(listReadyPlanTasks(tasks, new Set(), new Set(["a"])))).toEqual(together ? ["b"] : []);
    expect(ids(listReadyPlanTasks([...tasks].reverse(), new Set()))).toEqual(together ? ["b", "a"] : ["b"]);
  });

  it("what waits for something is not ready", () => {
    const tasks = [task("a", { files: ["a"] }), task("b", { files: ["b"], depends_on: ["a"] })];
    expect(ids(listReadyPlanTasks(tasks, new Set()))).toEqual(["a"]);
    expect(ids(listReadyPlanTasks(tasks, new Set(["a"])))).toEqual(["b"]);
    expect(ids(listReadyPlanTasks(tasks, new Set(["a", "b"])))).toEqual([]);
  });
});

describe("slugs", () => {
  it.each([
    ["Add user login", "add-user-login"],
    ["Größe & Übermaß: don't", "grosse-ubermass-dont"],
    ["日本語", "plan-0nbamha"],
    ["日本語のタイトル", "plan-0o8sg2e"],
    ["", "plan"],
    ["--- ???", "plan"],
    ["x".repeat(60), "x".repeat(48)],
    [
      "one two three four five six seven eight nine ten eleven",
      "one-two-three-four-five-six-seven-eight-nine-ten",
    ],
  ])("%j", (title, slug) => {
    expect(slugifyTitle(title)).toBe(slug);
    expect(isSlug(slug)).toBe(true);
  });

  it("the next one", () => {
    const taken = new Set(["a", "a-2"]);
    expect(incrementSlug("a", (slug) => taken.has(slug))).toBe("a-3");
    expect(incrementSlug("a-2", (slug) => taken.has(slug))).toBe("a-3");
    expect(incrementSlug("x".repeat(48), () => false)).toBe(`${"x".repeat(46)}-2`);
  });
});
