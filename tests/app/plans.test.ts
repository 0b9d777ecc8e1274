// Plans of a repository: made, committed to, changed, superseded, listed; and what their tasks are refused for.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createPlan,
  edit,
  listTopLevel,
  openPlans,
  type PlanFiles,
  promote,
  requireCommittedPlan,
  supersede,
} from "../../src/app/plans/change.ts";
import { requirePlan } from "../../src/app/plans/find.ts";
import { findSuccessor, listPlans } from "../../src/app/plans/list.ts";
import { resolveTasks } from "../../src/app/plans/tasks.ts";
import { listUncommittedPlans } from "../../src/app/plans/uncommitted.ts";
import type { Refusal } from "../../src/core/model/refusal.ts";
import { emptyText } from "../../src/core/plan/sections.ts";

let repo: string;
let plans: PlanFiles;
beforeEach(() => {
  repo = realpathSync(mkdtempSync(join(tmpdir(), "pf-plans-")));
  execFileSync("git", ["init", "-q"], { cwd: repo });
  plans = openPlans(repo);
});
afterEach(() => rmSync(repo, { recursive: true, force: true }));

const document = {
  ...emptyText,
  title: "Add discounts",
  mission: "Why.",
  execution: "1. Do `src/a.ts`\n2. Show",
};
const [first, later] = ["2026-01-05T09:00:00.000Z", "2026-01-05T10:00:00.000Z"] as const;
const refused = (call: Promise<unknown>): Promise<Refusal> =>
  call.then(
    () => expect.unreachable("nothing was refused"),
    (error: Refusal) => error,
  );

describe("making and committing", () => {
  it("an uncommitted plan is promoted once; then it is frozen", async () => {
    const plan = await createPlan(plans, { document, now: first });
    expect(plan).toMatchObject({ id: "plan.add-discounts", slug: "add-discounts", committed: false });
    expect((await refused(requireCommittedPlan(plans, plan.slug))).code).toBe("plan.not-committed");
    expect((await edit(plans, plan.slug, (one) => ({ ...one, mission: "Because." }))).mission).toBe(
      "Because.",
    );
    const committed = await promote(plans, undefined, later);
    expect(committed).toMatchObject({ committed: true, committed_at: later, mission: "Because." });
    expect(await promote(plans, plan.slug, "2026-02-01T00:00:00.000Z")).toEqual(committed);
    expect((await refused(edit(plans, plan.slug, (one) => one))).code).toBe("plan.frozen");
    expect(await requireCommittedPlan(plans, plan.slug)).toEqual(committed);
  });

  it.each([
    [{ mission: "" }, "Mission of the plan"],
    [{ mission: " \n", execution: "" }, "Mission and Execution of the plan"],
  ])("a plan with empty parts is not committed: %j", async (change, words) => {
    await createPlan(plans, { document: { ...document, ...change }, now: first });
    const refusal = await refused(promote(plans, "add-discounts", later));
    expect(refusal).toMatchObject({ code: "plan.empty", hint: "pairflow plan edit add-discounts" });
    expect(refusal.message).toContain(words);
    expect(
      (
        await refused(
          createPlan(plans, { document: { ...document, ...change }, slug: "x", now: first, committed: true }),
        )
      ).code,
    ).toBe("plan.empty");
    expect(await plans.list()).toEqual(["add-discounts"]);
  });

  it("names that are taken, bad or too long are refused", async () => {
    await createPlan(plans, { document, now: first });
    expect(await refused(createPlan(plans, { document, now: first }))).toMatchObject({
      code: "plan.exists",
      hint: "pairflow plan show add-discounts",
      details: ["to make another one beside it, add --slug add-discounts-2"],
    });
    expect((await refused(createPlan(plans, { document, slug: "../x", now: first }))).code).toBe(
      "plan.bad-slug",
    );
    expect(
      (await refused(createPlan(plans, { document: { ...document, title: " " }, slug: "y", now: first })))
        .code,
    ).toBe("plan.bad-title");
    const long = { ...document, mission: "x".repeat(8001) };
    expect((await refused(createPlan(plans, { document: long, slug: "z", now: first }))).code).toBe(
      "plan.too-long",
    );
    expect((await refused(requirePlan(plans, "add-discount"))).message).toContain("add-discounts");
  });

  it("without a slug, promote needs exactly one that waits", async () => {
    expect((await refused(promote(plans, undefined, later))).code).toBe("plan.none-open");
    await createPlan(plans, { document, now: first });
    await createPlan(plans, { document, slug: "second", now: later });
    expect(await refused(promote(plans, undefined, later))).toMatchObject({
      code: "plan.which",
      details: ["add-discounts: Add discounts", "second: Add discounts"],
    });
  });
});

describe("superseding", () => {
  it("makes a new committed plan that says so; the old one stays as it is", async () => {
    const old = await createPlan(plans, { document, now: first, committed: true });
    const next = await supersede(plans, old.slug, {
      document: { ...document, coordination: "Soon." },
      now: later,
    });
    expect(next).toMatchObject({
      slug: "add-discounts-2",
      committed: true,
      coordination: "Supersedes: add-discounts\n\nSoon.",
    });
    expect(await plans.read(old.slug)).toEqual(old);
    expect(await findSuccessor(plans, old.slug)).toBe("add-discounts-2");
    const third = await supersede(plans, next.slug, { document: next, now: later });
    expect(third).toMatchObject({
      slug: "add-discounts-3",
      coordination: "Supersedes: add-discounts-2\n\nSoon.",
    });
  });

  it("happens once: typed again, as after a crash, it makes no second heir", async () => {
    const { slug } = await createPlan(plans, { document, now: first, committed: true });
    await supersede(plans, slug, { document, now: later });
    expect(await refused(supersede(plans, slug, { document, now: later }))).toMatchObject({
      code: "plan.superseded",
      hint: "pairflow plan --supersede add-discounts-2",
    });
    expect(await plans.list()).toEqual(["add-discounts", "add-discounts-2"]);
  });

  it("needs a committed one", async () => {
    await createPlan(plans, { document, now: first });
    expect((await refused(supersede(plans, "add-discounts", { document, now: later }))).code).toBe(
      "plan.still-open",
    );
  });
});

describe("lists", () => {
  it("put first what waits for somebody; a plan that cannot be read hides no other", async () => {
    await createPlan(plans, { document, slug: "old", now: first, committed: true });
    await supersede(plans, "old", { document, now: later });
    await createPlan(plans, { document, slug: "open", now: later });
    await createPlan(plans, { document, slug: "bad", now: first });
    writeFileSync(join(repo, ".pairflow/plans/bad/plan.json"), "{");
    expect((await listPlans(plans)).map(({ slug, state }) => `${slug} ${state}`)).toEqual([
      "bad unreadable",
      "open uncommitted",
      "old-2 committed",
      "old superseded",
    ]);
    expect((await listPlans(plans)).map(({ next }) => next)).toEqual([
      "pairflow plan edit bad --put-back",
      "pairflow promote open",
      "pairflow tasks old-2",
      "pairflow plan show old-2",
    ]);
  });

  it("a glance sees uncommitted plans, the oldest first, and what each needs next", async () => {
    expect(listUncommittedPlans(repo)).toEqual([]);
    await createPlan(plans, { document, slug: "b", now: first });
    await createPlan(plans, { document: { ...document, execution: "" }, slug: "a", now: later });
    await createPlan(plans, { document, slug: "c", now: first, committed: true });
    mkdirSync(join(repo, ".pairflow/plans/torn"));
    writeFileSync(join(repo, ".pairflow/plans/torn/plan.json"), "{");
    expect(listUncommittedPlans(repo)).toEqual([
      { slug: "b", title: "Add discounts", created_at: first, next: "pairflow promote b" },
      { slug: "a", title: "Add discounts", created_at: later, next: "pairflow plan edit a" },
    ]);
    const file = join(repo, ".pairflow/plans/a/plan.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("## Execution\n", "## Execution\n1. Go\n"));
    expect(listUncommittedPlans(repo)[1]?.next).toBe("pairflow promote a");
    writeFileSync(join(repo, ".pairflow/plans/a/plan.json"), "{");
    expect(listUncommittedPlans(repo)[1]).toMatchObject({ slug: "a", next: "pairflow plan show a" });
  });

  it("the top of the repository is what git is not", () => {
    mkdirSync(join(repo, "src"));
    expect(listTopLevel(repo)).toEqual(["src"]);
  });
});

describe("tasks", () => {
  const handIn = async (text: string) => {
    const plan = await createPlan(plans, { document, now: first, committed: true });
    writeFileSync(join(repo, "own.json"), text);
    return resolveTasks(plans, plan, { file: "own.json", cwd: repo });
  };

  it("are derived, or kept, or derived again", async () => {
    const plan = await createPlan(plans, { document, now: first, committed: true });
    const derived = await resolveTasks(plans, plan, { cwd: repo });
    expect(derived).toMatchObject({
      plan: "plan.add-discounts",
      from: "execution",
      tasks: [{ id: "t1", files: ["src/a.ts"] }, { id: "t2" }],
    });
    const own = { ...derived, confirmed_at: later, tasks: derived.tasks.slice(0, 1) };
    await plans.saveTasks(plan.slug, own);
    expect(await resolveTasks(plans, plan, { cwd: repo })).toEqual(own);
    expect(await resolveTasks(plans, plan, { cwd: repo, again: true })).toEqual(derived);
  });

  it("are handed in as a list or as the whole file, and nobody has confirmed them here", async () => {
    expect(await handIn('[{"id": "one", "description": "Do it"}]')).toMatchObject({
      plan: "plan.add-discounts",
      from: "planner",
      tasks: [{ id: "one", depends_on: [] }],
    });
    const whole = {
      plan: "add-discounts",
      from: "planner",
      confirmed_at: later,
      tasks: [{ id: "one", description: "x" }],
    };
    writeFileSync(join(repo, "own.json"), JSON.stringify(whole));
    const plan = await requirePlan(plans, "add-discounts");
    expect((await resolveTasks(plans, plan, { file: "own.json", cwd: repo })).confirmed_at).toBeUndefined();
  });

  it.each([
    [
      "of another plan",
      '{"plan": "other", "from": "planner", "tasks": [{"id": "a", "description": "x"}]}',
      "plan.other-tasks",
      "other",
    ],
    [
      "that wait for one another",
      '[{"id": "a", "description": "x", "depends_on": ["a"]}]',
      "plan.bad-tasks",
      "cannot be executed",
    ],
    ["with a bad line", '[\n  {"id": "a",\n   "description": 5}]', "plan.bad-file", "own.json:3:"],
    ["with a bad first line", '[{"id": "a", "description": 5}]', "plan.bad-file", "own.json:1:29: "],
    ["that are no JSON", '[\n  {"id": "a",}]', "plan.bad-file", "own.json:2:"],
    ["of which there is none", "[]", "plan.bad-file", "own.json: there is no task in it"],
  ])("%s are refused", async (_name, text, code, words) => {
    const refusal = await refused(handIn(text));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(words);
  });

  it("an Execution without numbered lines has none; a file must be there", async () => {
    const plan = await createPlan(plans, {
      document: { ...document, execution: "Just do it." },
      now: first,
      committed: true,
    });
    expect((await refused(resolveTasks(plans, plan, { cwd: repo }))).code).toBe("plan.no-tasks");
    expect((await refused(resolveTasks(plans, plan, { file: "no.json", cwd: repo }))).code).toBe(
      "plan.unreadable",
    );
  });
});
