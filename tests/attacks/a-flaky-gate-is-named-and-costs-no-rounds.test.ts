// A gate that is red once and green once on the same tree is the gate's fault and not the producer's.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { bubble, questions, runs } from "../cli/gates-scene.ts";
import { readArtifact } from "../helpers/operator.ts";
import { counting, declare, stubborn } from "./gate-plays.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const choose = (id: string, choice: string, ...more: string[]) =>
  tool.ok("bubble", "reply", "--id", id, "--choose", choice, "--operator-key", tool.key, ...more);

it("a gate that fails and passes on one tree continues as flaky, in status, explain and package", async () => {
  declare(
    tool,
    { name: "steady", command: "true" },
    { name: "clock", command: counting(tool, "flaky", { first: "echo slow clock; exit 1" }) },
  );
  const status = await bubble(tool, "flaky", stubborn(1));
  expect(status).toMatchObject({ state: "READY_FOR_APPROVAL" });
  expect(runs(tool, "flaky")).toMatchObject([
    [{ name: "steady" }, { name: "clock", status: "failed" }],
    [
      { name: "steady", status: "passed" },
      { name: "clock", status: "passed", flaky: true },
    ],
  ]);
  expect(await tool.ok("bubble", "status", "--id", "flaky")).toContain("✓ clock (flaky)");
  expect(await tool.ok("explain", "--id", "flaky")).toContain("clock is flaky");
  expect(readArtifact(tool, "flaky", "done-package.md")).toMatch(/clock: passed, flaky/);
  // Only the red gate was run again.
  expect(readArtifact(tool, "flaky", "round-002.tests.txt")).not.toContain("[steady:");
});

it("a gate that stays red while nothing changes is a question with its name after two runs, not eight rounds", async () => {
  declare(tool, { name: "clock", command: "echo slow clock; exit 1" });
  const status = await bubble(tool, "red", stubborn(1));
  expect(status).toMatchObject({ state: "WAITING_HUMAN", round: 2 });
  expect(runs(tool, "red")).toHaveLength(2);
  expect(questions(tool, "red")).toEqual([
    expect.stringMatching(/^clock failed again on the same tree .*the gate is not mine/),
  ]);
  expect(status.questions[0]?.options?.map(({ key }) => key)).toEqual(["again", "waive", "rework", "reject"]);
  await choose("red", "again");
  await tool.until(
    "red",
    ({ questions: open }) => open.length > 0 && runs(tool, "red").length === 3,
    "a third run",
  );
  await choose("red", "waive", "--message", "the clock of this machine is slow");
  await tool.until("red", ({ state }) => state === "READY_FOR_APPROVAL", "ready in spite of the red gate");
  expect(readArtifact(tool, "red", "done-package.md")).toContain("the clock of this machine is slow");
});
