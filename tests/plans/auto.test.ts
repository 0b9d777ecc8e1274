// `auto` as a workflow: what the plan excludes holds for whoever puts the tasks together, too.
import { expect, test } from "vitest";
import { builds, hands, objects, papersFolder, passes, plan, stage, tasks, verdict } from "./scene.ts";

const paper = `${papersFolder}/plan.json`;
const roles = {
  planner: "ann",
  "plan-reviewer": "kim",
  developer: "ben",
  reviewer: "sam",
  integrator: "lee",
};
const both = {
  checked: [
    {
      for: ["C1", "C2"],
      file: "src/cart.txt",
      line: 1,
      quote: "total: 1.07",
      why: "1.07 is the sum with seven percent",
    },
    {
      for: ["C1", "C2"],
      file: "src/rate.txt",
      line: 1,
      quote: "rate: 7",
      why: "seven percent stand in this file",
    },
  ],
};

test("the plan's constraints bind the integrator, and the commit has the plan's title", async () => {
  const scene = stage(
    {
      ann: [hands(plan()), hands(tasks)],
      kim: [passes({ file: paper, line: 2, quote: "Totals with tax" })],
      ben: [
        builds({ "src/rate.txt": "rate: 9\n" }, { bubble: "*-t1" }),
        builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: "*-t2" }),
      ],
      // Its first try touches what the plan protects.
      lee: [
        {
          steps: [
            { write: { path: "src/rate.txt", text: "rate: 7\n" } },
            { write: { path: "README.md", text: "# mine\n" } },
            { pass: { summary: "mended" } },
          ],
        },
        { steps: [{ run: "git checkout README.md" }, { pass: { summary: "mended" } }] },
      ],
      sam: [
        verdict({ file: "src/rate.txt", quote: "rate: 9" }, { bubble: "*-t1" }),
        verdict({ file: "src/cart.txt", quote: "total: 1.07" }, { bubble: "*-t2" }),
        verdict({
          file: "src/rate.txt",
          type: "fixable",
          feedback: "The rate is 9 and the total knows 7",
          over: {
            findings: [
              { severity: "P1", title: "The rate is 9", file: "src/rate.txt", line: 1, evidence: "rate: 9" },
            ],
          },
        }),
        verdict({
          file: "src/cart.txt",
          prior: [{ id: "F1", status: "fixed", reason: "the rate is 7 now" }],
          over: both,
        }),
      ],
    },
    roles,
  );
  const flags = [
    "--task",
    "Totals with tax",
    "--test",
    "true",
    "--set",
    "topic=Totals",
    "--set",
    "slug=totals",
  ];
  const done = await scene.tool.run("workflow", "run", "auto", "--id", "work", "--headless", ...flags);
  expect((await scene.status()).state, done.stdout + done.stderr).toBe("READY_FOR_APPROVAL");
  const refused = scene.lines("HANDOFF").flatMap(({ payload }) => payload.problems);
  expect(refused).toEqual([expect.stringContaining("README.md")]);
  await scene.signs();
  expect(scene.committed("README.md")).toBe("# shop\n");
  const message = scene.tool.git("log", "-1", "--format=%B", "bubble/work");
  expect(message.split("\n")[0]).toBe("Totals with tax");
  expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["approved"]);
});

test("a plan that its critic objects to is fixed before anybody works by it", async () => {
  const scene = stage(
    {
      ann: [hands(plan({ coordination: "none" })), hands(plan()), hands(tasks)],
      kim: [
        objects({ file: paper, line: 16, quote: "none", title: "Which comes first is not said" }),
        passes({
          file: paper,
          line: 2,
          quote: "Totals with tax",
          prior: [{ id: "F1", status: "fixed", reason: "the rate comes first now" }],
        }),
      ],
      ben: [{ steps: [{ ask: "Shall I begin?" }, { crash: 1 }] }],
      sam: [verdict({ file: "src/cart.txt" })],
      lee: [builds({ "src/cart.txt": "x\n" })],
    },
    roles,
  );
  const flags = [
    "--task",
    "Totals with tax",
    "--test",
    "true",
    "--set",
    "topic=Totals",
    "--set",
    "slug=totals",
  ];
  await scene.tool.run("workflow", "run", "auto", "--id", "work", "--headless", ...flags);
  const walked = scene.lines("STEP_ADVANCED").map(({ payload }) => `${payload.from} ${payload.outcome}`);
  expect(walked.slice(0, 8)).toEqual([
    "null start",
    "has_plan no",
    "draft success",
    "plan_judge review",
    "plan_review success",
    "plan_judge revise",
    "draft success",
    "plan_judge review",
  ]);
  expect(scene.prompts("ann")[1]).toContain("Which comes first is not said");
  expect(scene.lines("PLAN_KEPT").map(({ payload }) => payload.act)).toEqual(["commit", "tasks"]);
  await scene.tool.ok("bubble", "stop", "--id", "work", "--reason", "seen");
});
