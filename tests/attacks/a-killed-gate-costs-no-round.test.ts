// Who kills a gate has said nothing about the tree: the signal is named, the gate runs once more, then a human is asked.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig, shortest } from "../acceptance/rig.ts";
import { bubble, questions, runs } from "../cli/gates-scene.ts";
import { readArtifact } from "../helpers/operator.ts";
import { counting, declare } from "./gate-plays.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

it("a gate that is killed once is run once more, in the same round, and nobody is asked", async () => {
  declare(tool, { name: "big", command: counting(tool, "once", { first: "kill -9 $$" }) });
  const status = await bubble(tool, "once");
  expect(status.state).toBe("READY_FOR_APPROVAL");
  expect(runs(tool, "once")).toMatchObject([
    [{ status: "error", signal: "SIGKILL", hint: "killed by SIGKILL, maybe out of memory" }],
    [{ status: "passed" }],
  ]);
  expect(tool.log("once").filter(({ type }) => type === "HUMAN_QUESTION")).toEqual([]);
  expect(await tool.ok("explain", "--id", "once")).toContain("big was killed by SIGKILL");
});

it("a gate that is killed twice is a question that names the signal; the implementer never hears of it", async () => {
  declare(tool, { name: "big", command: "sh -c 'kill -9 $$'" });
  const status = await bubble(tool, "twice");
  expect(status).toMatchObject({ state: "WAITING_HUMAN", round: 1 });
  expect(questions(tool, "twice")).toEqual([
    expect.stringContaining("big: killed by SIGKILL, maybe out of memory"),
  ]);
  const turns = tool.log("twice").filter(({ type }) => type === "TURN_STARTED");
  expect(turns).toHaveLength(1);
  const shown = [
    await tool.ok("bubble", "status", "--id", "twice"),
    readArtifact(tool, "twice", "round-001.tests.txt"),
  ];
  expect(shown.join("\n")).not.toMatch(/exit null/);
});

it("an agent whose process is killed has the signal in its end", async () => {
  declare(tool, { name: "easy", command: "true" });
  const crash = { role: "implementer", steps: [{ crash: "kill" }] };
  await bubble(tool, "agent", { implementer: [crash, crash, crash, crash], reviewer: shortest.reviewer });
  const ends = tool.log("agent").flatMap((line) => (line.type === "TURN_ENDED" ? [line.payload.detail] : []));
  expect(ends[0]).toContain("killed by SIGKILL");
});
