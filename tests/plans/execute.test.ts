// `pairflow execute`: a committed plan, task by task in bubbles of their own, up to one approval.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "../cli/workflow-scene.ts";
import { committed, executes, shop, slug, spanOf, treeOf, withTasks } from "./execute-scene.ts";
import { builds, task, verdict } from "./scene.ts";

const both = {
  checked: [
    {
      for: ["C1", "C2"],
      file: "src/cart.txt",
      line: 1,
      quote: "total: 1.07",
      why: "1.07 is the sum with seven percent",
    },
    { for: ["C1", "C2"], file: "src/rate.txt", line: 1, quote: "rate: 7", why: "the rate is there" },
  ],
};
const rate = builds({ "src/rate.txt": "rate: 7\n" }, { bubble: "*-t1" });
const total = builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: "*-t2" });
/** Reviewers of tasks that answer for these criteria, and of the whole. */
const reviewers = (criteria: readonly string[]) => [
  verdict({ file: "src/rate.txt", quote: "rate: 7", criteria }, { bubble: "*-t1" }),
  verdict({ file: "src/cart.txt", quote: "total: 1.07", criteria }, { bubble: "*-t2" }),
  verdict({ file: "src/cart.txt", over: both }),
];
/** Tasks read from a plan's steps cover no criterion by themselves. */
const rev = reviewers([]);

test("a committed plan becomes one commit; what needs another task waits for it", async () => {
  const scene = shop({ dev: [rate, total], rev });
  const { tool } = scene;
  await committed(scene);
  const done = await executes(scene, "--yes");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stdout).toContain(`Next: pairflow bubble approve --id ${slug}`);
  expect(spanOf(tool, `${slug}-t2`).from > spanOf(tool, `${slug}-t1`).to).toBe(true);

  const tree = await treeOf(scene);
  expect(tree).toMatchObject({ lifecycle: "READY_FOR_APPROVAL", parts: { done: 2, all: 2 } });
  expect(tree?.children).toMatchObject([
    { kind: "task", key: "t1", bubble: `${slug}-t1`, state: "done" },
    { kind: "task", key: "t2", bubble: `${slug}-t2`, state: "done" },
    { kind: "phase", key: "whole", state: "done", says: "rev passed it in round 1" },
  ]);
  const [created] = linesOf(tool.log(slug), "BUBBLE_CREATED");
  expect(created?.payload.task).toMatchObject({
    title: "Totals with tax",
    criteria: ["the total is told with tax", "the rate is written down"],
  });
  expect(created?.payload.config.scope).toEqual({
    in: ["src/**"],
    out: [],
    do_not_touch: ["README.md", "README.md/**"],
  });

  const status = await tool.ok("bubble", "status", "--id", slug);
  expect(status).toMatch(/tasks\s+✓ whole/);
  expect(status).toContain(`t1 completed · ${slug}-t1`);
  const signed = ["--operator-key", tool.key];
  await tool.ok("bubble", "approve", "--id", slug, "--yes", ...signed);
  await tool.ok("bubble", "commit", "--id", slug, ...signed);
  expect(tool.git("show", `bubble/${slug}:src/cart.txt`)).toBe("total: 1.07\n");
  expect(tool.git("log", "--format=%s", `main..bubble/${slug}`)).toBe("Totals with tax\n");
});

test("tasks that do not meet run side by side, unless only one may run", async () => {
  const slowly = (file: string, text: string, bubble: string) => ({
    bubble,
    steps: [{ wait: "1500ms" }, ...builds({ [file]: text }).steps],
  });
  const dev = [slowly("src/rate.txt", "rate: 7\n", "*-t1"), slowly("src/cart.txt", "total: 1.07\n", "*-t2")];
  const list = [
    task("t1", "Write the rate down", ["src/rate.txt"], { covers: ["S2"] }),
    task("t2", "Tell the total", ["src/cart.txt"], { covers: ["S1"] }),
  ];
  const overlap = async (...flags: string[]) => {
    const scene = shop({ dev, rev: reviewers(["C1"]) });
    await committed(scene);
    await withTasks(scene, list);
    const done = await executes(scene, ...flags);
    expect(done.stdout, done.stderr).toContain("READY_FOR_APPROVAL");
    const [one, two] = [spanOf(scene.tool, `${slug}-t1`), spanOf(scene.tool, `${slug}-t2`)];
    return one.from < two.to && two.from < one.to;
  };
  expect(await overlap()).toBe(true);
  expect(await overlap("--parallel", "1")).toBe(false);
});

test("a child that breaks a rule of the plan is sent back; rules in words reach its reviewer, marked", async () => {
  const breaks = builds({ "src/rate.txt": "rate: 7\n", "README.md": "# the shop\n" }, { bubble: "*-t1" });
  const mends = builds({ "README.md": "# shop\n" }, { bubble: "*-t1" });
  const scene = shop({ dev: [breaks, mends, total], rev });
  const { tool } = scene;
  await committed(scene);
  const done = await executes(scene, "--yes");
  expect(done.stdout, done.stderr).toContain("READY_FOR_APPROVAL");
  const log = tool.log(`${slug}-t1`);
  expect(linesOf(log, "HANDOFF")[0]?.payload.problems).toEqual([
    "README.md must not be touched (scope.do_not_touch)",
  ]);
  const reviewed = linesOf(log, "TURN_STARTED").find(({ payload }) => payload.agent === "rev");
  const told = readFileSync(
    join(tool.repo, ".pairflow", "bubbles", `${slug}-t1`, "artifacts", reviewed?.payload.prompt ?? ""),
    "utf8",
  );
  expect(told).toContain(
    "- DO NOT TOUCH: no new dependencies (in words: no rule checks this; the reviewer does)",
  );
});

test("what is not committed, not confirmed, superseded or unknown is not executed", async () => {
  const scene = shop({});
  const { tool } = scene;
  const refused = async (name: string, ...flags: string[]) => {
    const { code, stdout } = await tool.run("execute", name, "--json", ...flags);
    expect(code).not.toBe(0);
    return JSON.parse(stdout).error ?? JSON.parse(stdout);
  };
  expect(await refused("nothing")).toMatchObject({ code: "plan.unknown" });
  await tool.ok("explore", "Totals with tax", "--slug", slug, "--no-agent");
  expect(await refused(slug)).toMatchObject({ code: "plan.not-committed", hint: `pairflow promote ${slug}` });
  await tool.ok(
    "plan",
    "edit",
    slug,
    "--set",
    "mission=why\n\nSuccess criteria:\n- `make check` passes",
    "--set",
    "execution=1. Do it in `src/cart.txt`",
  );
  await tool.ok("promote", slug);
  expect(await tool.ok("plan", "status", slug)).toContain(`Next: pairflow tasks ${slug}`);
  expect(await refused(slug)).toMatchObject({ code: "plan.tasks-unconfirmed" });
  expect(await refused(slug, "--yes", "--parallel", "0", "--test", "true")).toMatchObject({
    code: "usage.bad-number",
  });
  await tool.ok("tasks", slug, "--yes");
  expect(await refused(slug)).toMatchObject({
    code: "create.unconfirmed",
    message: expect.stringContaining('(success criteria of the plan): test "make check"'),
  });
  await tool.ok("plan", "Another way", "--supersede", slug, "--mission", "why", "--execution", "1. Else");
  expect(await refused(slug, "--yes")).toMatchObject({
    code: "plan.superseded",
    hint: `pairflow execute ${slug}-2`,
  });
});
