// One `auto` run with everything on its way: a rejected plan, a failing test, a reviewer who must ask, and a task that is
// too big; in the end one approval and one commit.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "../cli/workflow-scene.ts";
import { expectShown } from "../helpers/shown.ts";
import { shop, slug, treeOf } from "./execute-scene.ts";
import { builds, hands, objects, papersFolder, passes, plan, task, verdict } from "./scene.ts";

const rateOnly = "Success criteria:\n- the rate is written down";
const parts = {
  diagnosis: "The total and its line on the bill are two things",
  change: "The total first, then the bill",
  tasks: [
    task("p1", "Tell the total", ["src/cart.txt"]),
    task("p2", "Tell the bill", ["src/bill.txt"], { depends_on: ["p1"] }),
  ],
};
const checked = (
  criteria: readonly string[],
  ...lines: readonly (readonly [file: string, quote: string])[]
) => ({
  over: {
    checked: lines.map(([file, quote]) => ({
      for: criteria,
      file,
      line: 1,
      quote,
      why: `${file} was looked at and holds`,
    })),
  },
});
const heir = "*-task-decomposition";

const cast = {
  planner: [
    hands(parts, { bubble: heir }),
    hands(plan({ mission: `The cart tells the total with tax.\n\n${rateOnly}` })),
    hands(plan()),
    hands({
      tasks: [
        task("t1", "Write the rate down in src/rate.txt", ["src/rate.txt"], { covers: ["S2"] }),
        task("t2", "Tell the total with tax, in the cart and on the bill", ["src/cart.txt", "src/bill.txt"], {
          ...{ covers: ["S1"], depends_on: ["t1"] },
        }),
      ],
    }),
  ],
  critic: [
    passes({ file: `${papersFolder}/decomposition.json`, line: 2 }, { bubble: heir }),
    objects({
      file: `${papersFolder}/plan.json`,
      line: 2,
      quote: "Totals with tax",
      title: "No criterion tells the total",
    }),
    passes({
      ...{ file: `${papersFolder}/plan.json`, line: 2, quote: "Totals with tax" },
      prior: [{ id: "F1", status: "fixed", reason: "the mission names it now" }],
    }),
  ],
  dev: [
    builds({ "src/rate.txt": "rate: broken\n" }, { bubble: "*-t1" }),
    builds({ "src/rate.txt": "rate: 7\n" }, { bubble: "*-t1" }),
    builds({ "src/cart.txt": "total: 1\nbill: 1\n" }, { bubble: "*-t2" }),
    builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: "*-p1" }),
    builds({ "src/bill.txt": "bill: 1.07\n" }, { bubble: "*-p2" }),
  ],
  rev: [
    {
      bubble: "*-t1",
      steps: [
        { ask: "Is seven right for books as well?" },
        ...verdict({ file: "src/rate.txt", quote: "rate: 7" }).steps,
      ],
    },
    verdict({ file: "src/cart.txt", type: "too_big", feedback: "two things at once" }, { bubble: "*-t2" }),
    verdict({ file: "src/cart.txt", quote: "total: 1.07" }, { bubble: "*-p1" }),
    verdict({ file: "src/bill.txt", quote: "bill: 1.07" }, { bubble: "*-p2" }),
    verdict(
      {
        file: "src/cart.txt",
        ...checked(["C1"], ["src/cart.txt", "total: 1.07"], ["src/bill.txt", "bill: 1.07"]),
      },
      { bubble: heir },
    ),
    verdict({
      file: "src/cart.txt",
      ...checked(
        ["C1", "C2"],
        ["src/cart.txt", "total: 1.07"],
        ["src/bill.txt", "bill: 1.07"],
        ["src/rate.txt", "rate: 7"],
      ),
    }),
  ],
};

test("a topic becomes one commit, through everything that can happen on the way", async () => {
  const scene = shop(cast);
  const { tool } = scene;
  const auto = () => tool.run("auto", "Totals", "--test", "! grep -rq broken src");

  const asked = await auto();
  expect(asked.stdout, asked.stderr).toContain(`${slug}-t1 asks: "Is seven right for books as well?"`);
  expectShown("docs/execute.md", '$ pairflow auto "Totals" --test', `${asked.stderr}${asked.stdout}`);
  const plans = linesOf(tool.log(slug), "PASS").filter(({ sender }) => sender === "critic");
  expect(plans).toHaveLength(2);
  const [red] = linesOf(tool.log(`${slug}-t1`), "GATES_RESULT");
  expect(red?.payload.results).toMatchObject([{ status: "failed" }]);
  const answered = await tool.ok("bubble", "reply", "--id", `${slug}-t1`, "--message", "Yes, seven");
  expectShown("docs/execute.md", "$ pairflow bubble reply", answered);

  const done = await auto();
  expect(done.stdout, done.stderr).toContain(`${slug} is READY_FOR_APPROVAL`);
  expectShown("docs/execute.md", '$ pairflow auto "Totals"', `${done.stderr}${done.stdout}`);
  const tree = await treeOf(scene);
  expect(tree?.children).toMatchObject([
    { key: "plan", state: "done", says: "critic passed it in round 2" },
    { key: "tasks", state: "done" },
    { key: "t1", bubble: `${slug}-t1`, state: "done", says: "2 rounds" },
    {
      ...{ key: "t2", bubble: `${slug}-t2`, state: "done" },
      children: [{ kind: "heir", key: "task-decomposition", state: "done", parts: { done: 2, all: 2 } }],
    },
    { key: "whole", state: "done" },
  ]);
  expect(await tool.ok("plan", "status", slug)).toContain(`↳ too big: ${slug}-t2-task-decomposition`);

  const kept = join(tool.repo, ".pairflow", "plans", slug);
  const amendments = JSON.parse(readFileSync(join(kept, "amendments.json"), "utf8"));
  expect(amendments).toMatchObject([{ by: "task-decomposition", diagnosis: parts.diagnosis }]);
  expect(JSON.parse(readFileSync(join(kept, "plan.json"), "utf8"))).toMatchObject({
    mission: plan().mission,
  });

  const requests = linesOf(tool.log(slug), "APPROVAL_REQUEST");
  expect(requests).toHaveLength(1);
  const signed = ["--operator-key", tool.key];
  const approved = await tool.ok("bubble", "approve", "--id", slug, "--yes", ...signed);
  const committed = await tool.ok("bubble", "commit", "--id", slug, ...signed);
  expectShown("docs/execute.md", "$ pairflow bubble approve", `${approved}${committed}`);
  const again = await auto();
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`Hint: git merge bubble/${slug}`) });
  expect(again.stderr).toContain("(plan.executed)");
  expect(tool.git("log", "--format=%s", `main..bubble/${slug}`)).toBe("Totals with tax\n");
  const commit = tool.git("log", "-1", "--stat", `bubble/${slug}`);
  expect(commit).toMatch(/bill\.txt[\s\S]*cart\.txt[\s\S]*rate\.txt/);
  expectShown("docs/execute.md", "$ git log -1 --stat bubble/totals", commit);
  const more = await tool.run("execute", slug, "--test", "true");
  expect(more.stderr).toContain("(plan.executed)");
  expect(more.stderr).toContain(`pairflow execute ${slug} --again`);
  expect(await tool.ok("plan", "list")).toContain(`run ${slug} DONE`);
});
