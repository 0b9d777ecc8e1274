// `pairflow auto`: a topic becomes a plan, tasks, bubbles and one approval; the same command again continues.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../scenarios/scene.ts";
import { begins, shop, slug, treeOf } from "./execute-scene.ts";
import { builds, hands, papersFolder, passes, plan, tasks, verdict } from "./scene.ts";

const topic = "Totals";
const critic = [passes({ file: `${papersFolder}/plan.json`, line: 2, quote: "Totals with tax" })];
const dev = [
  builds({ "src/rate.txt": "rate: 7\n" }, { bubble: "*-t1" }),
  builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: "*-t2" }),
];
const rev = [
  verdict({ file: "src/rate.txt", quote: "rate: 7" }, { bubble: "*-t1" }),
  verdict({ file: "src/cart.txt", quote: "total: 1.07" }, { bubble: "*-t2" }),
  verdict({
    file: "src/cart.txt",
    over: {
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
    },
  }),
];

test("a topic becomes a committed plan with tasks, and one approval; told line by line where nobody watches", async () => {
  const scene = shop({ planner: [hands(plan()), hands(tasks)], critic, dev, rev });
  const { tool } = scene;
  const done = await tool.run("auto", topic, "--test", "true");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stdout).toContain(`Next: pairflow bubble approve --id ${slug}`);
  expect(done.stderr).toContain("● plan: planner writes");
  expect(done.stderr).toContain(`(${slug}-t2): `);
  const kept = JSON.parse(readFileSync(join(tool.repo, ".pairflow", "plans", slug, "plan.json"), "utf8"));
  expect(kept).toMatchObject({ slug, committed: true, title: "Totals with tax" });
  expect((await treeOf(scene))?.children).toMatchObject([
    { kind: "phase", key: "plan", state: "done", says: "critic passed it in round 1" },
    { kind: "phase", key: "tasks", state: "done" },
    { kind: "task", key: "t1", state: "done" },
    { kind: "task", key: "t2", state: "done" },
    { kind: "phase", key: "whole", state: "done" },
  ]);
  const again = await tool.run("auto", topic, "--test", "true");
  expect(again.stdout, again.stderr).toContain(`${slug} is READY_FOR_APPROVAL`);
  const other = await tool.run("auto", "Totals?!", "--test", "true");
  expect(other.stderr).toContain(`Refused: ${slug} is a run about "Totals" (plan.exists)`);
  expect(other.stderr).toContain(`Hint: pairflow auto 'Totals?!' --slug ${slug}-2`);
});

test("left while the planner writes, the same command continues with the same turn", async () => {
  const slowly = { steps: [{ wait: "2s" }, { paper: plan() }] };
  const scene = shop({ planner: [slowly, hands(tasks)], critic, dev, rev });
  const { tool } = scene;
  const run = begins(tool, "auto", topic, "--test", "true");
  await eventually(
    "the planner writes",
    async () => (await treeOf(scene).catch(() => null))?.agent === "planner",
  );
  run.child.kill("SIGINT");
  const left = await run.ended;
  expect(left.stdout, left.stderr).toContain(
    `Left ${slug}: nothing is lost; planner ends its turn by itself`,
  );
  expect(left.stdout).toContain(`Next: pairflow auto "${topic}"`);
  const again = await tool.run("auto", topic, "--test", "true");
  expect(again.stdout, again.stderr).toContain(`${slug} is READY_FOR_APPROVAL`);
  const turns = tool.log(slug).filter(({ type }) => type === "TURN_STARTED");
  expect(turns.filter(({ payload }) => "agent" in payload && payload.agent === "planner")).toHaveLength(2);
});

test("a plan that people made under that name is theirs", async () => {
  const { tool } = shop({});
  await tool.ok("explore", topic, "--no-agent");
  const refused = await tool.run("auto", topic, "--test", "true");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("(plan.exists)");
  expect(refused.stderr).toContain(`--slug ${slug}-2`);
  expect((await tool.run("auto")).stderr).toContain("(plan.no-topic)");
});
