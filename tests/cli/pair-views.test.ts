// The views beside a run of a workflow: pair session, review log and gate report, and what happens when one is forged.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { goOn } from "../helpers/operator.ts";
import { approves, configure, linesOf, makes, run } from "./workflow-scene.ts";

let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const view = (name: string) => join(tool.repo, ".pairflow", "bubbles", "trial", "artifacts", name);
const read = (name: string) => JSON.parse(readFileSync(view(name), "utf8"));

const objection = {
  steps: [{ pass: { summary: "No strategy", findings: ["P1:No strategy @ design.md:1 | one"] } }],
};
const agreed = { steps: [{ pass: { summary: "ready to lock", no_findings: true, fixed: ["F1"] } }] };

const paired = `
tasks:
  design:
    agent: architect
    overlays:
      paired_workflow:
        enabled: true
        driver_agent: architect
        challenger_agent: pe
        max_iterations: 4
        exit_conditions: ["pair.challenger_approved == true"]
`;
const start = () => run(tool, "flows/trial.yaml", "--id", "trial", "--test", "true", "--title", "Design it");

it("a pair leaves its session in the specified schema, and the gates their reports", async () => {
  tool.write("flows/trial.yaml", paired);
  configure(tool, {
    architect: [makes("design.md", "one\n"), makes("design.md", "two\n")],
    pe: [objection, agreed],
  });
  expect(await start()).toMatchObject({ code: 0 });
  expect(read("pair-sessions/design.json")).toEqual({
    pair_session: {
      driver_agent: "architect",
      challenger_agent: "pe",
      current_role_driver: "architect",
      role_switch: "session",
      iteration: 2,
      max_iterations: 4,
      history: [
        {
          iteration: 1,
          driver_output_summary: "wrote design.md",
          challenger_critique: expect.stringContaining("No strategy"),
          challenger_approved: false,
        },
        {
          iteration: 2,
          driver_output_summary: "wrote design.md",
          challenger_critique: expect.stringContaining("ready to lock"),
          challenger_approved: true,
        },
      ],
      challenger_approved: true,
    },
  });
  expect(read("gate-reports/design-2.json")).toMatchObject({ schema: "structural-gates.v1", passed: true });
  const text = await tool.ok("bubble", "status", "--id", "trial");
  expect(text).toMatch(/✓ design · 2 iterations/);
  expect(text).toMatch(/locked\s+1 artifact/);
  expect(await tool.ok("explain", "--id", "trial")).toMatch(/task design completed after 2 iterations/);
  expect(await tool.ok("verify", "--id", "trial")).not.toMatch(/error/i);
  // A view may be deleted at any time: the record is whole without it.
  rmSync(view("pair-sessions/design.json"));
  expect(await tool.run("verify", "--id", "trial")).toMatchObject({ code: 0 });
});

it("a forged session stops the pair before its next turn, until a human has answered", async () => {
  tool.write("flows/trial.yaml", paired);
  configure(tool, {
    architect: [
      makes("design.md", "one\n"),
      makes("design.md", "two\n", { ask: "Which database?", once: true }),
    ],
    pe: [objection, agreed],
  });
  await start();
  const whole = readFileSync(view("pair-sessions/design.json"), "utf8");
  writeFileSync(view("pair-sessions/design.json"), whole.replaceAll("false", "true"));
  const key = ["--operator-key", tool.key];
  await goOn(tool, "trial", "bubble", "reply", "--id", "trial", "--message", "any", ...key);
  const asked = await tool.until("trial", ({ state }) => state === "WAITING_HUMAN", "a human is asked");
  expect(asked.questions).toMatchObject([{ kind: "pair-corrupt" }]);
  expect(asked.next.says).toContain("not to be trusted");
  const inbox = await tool.ok("bubble", "inbox", "--id", "trial");
  expect(inbox).toContain("was changed after it was written");
  expect(read("pair-sessions/design.salvaged.json").history).toMatchObject([
    { iteration: 1, driver_output_summary: "wrote design.md", challenger_approved: false },
  ]);
  const yes = ["--choose", "continue", "--message", "continue"];
  await goOn(tool, "trial", "bubble", "reply", "--id", "trial", ...yes, ...key);
  await tool.until("trial", ({ state }) => state === "READY_FOR_APPROVAL", "it comes to its approval");
  expect(read("pair-sessions/design.json").pair_session).toMatchObject({
    iteration: 2,
    challenger_approved: true,
  });
  expect(
    linesOf(tool.log("trial"), "HUMAN_QUESTION").filter((line) => line.payload.kind === "pair-corrupt"),
  ).toHaveLength(1);
});

it("a task under review has its log, by its own name, on the disk and on the screen", async () => {
  tool.write(
    "flows/trial.yaml",
    `
tasks:
  write:
    agent: dev
    overlays:
      agentic_review: { enabled: true, coder_agent: dev, reviewer_agent: rex, max_iterations: 3 }
`,
  );
  configure(tool, { dev: [makes("design.md", "one\n")], rex: [approves] });
  expect(await start()).toMatchObject({ code: 0 });
  const log = read("review-logs/write.json");
  expect(log).toEqual({
    task_id: "write",
    overlay: "agentic_review",
    iterations: [{ iteration: 1, decision: "GO", feedback: "nothing found", timestamp: expect.any(String) }],
    final_decision: "GO",
    completed_at: expect.any(String),
  });
  expect(read("review-decisions/write-1.json")).toMatchObject({
    task_id: "write",
    reviewer_agent: "rex",
    coder_agent: "dev",
    decision: "GO",
  });
  expect(JSON.parse(await tool.ok("review", "log", "--id", "trial", "--task", "write", "--json"))).toEqual(
    log,
  );
  expect((await tool.run("review", "log", "--id", "trial", "--task", "wrote")).stderr).toContain(
    "usage.unknown-task",
  );
});
