// What a reviewer found and nobody has answered goes along when a damaged record is continued: it is in the first line
// of the new bubble, open in its status, and in the first prompt of its implementer. No approval of it is carried.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { processesOf } from "../faults/leftovers.ts";

const id = "b1";
const next = "b1-2";
let tool: Rig;
beforeAll(async () => {
  tool = rig();
  // The implementer's second turn hangs: F1 is found and not answered.
  const [first] = oneLoop.implementer;
  const turns = { ...oneLoop, implementer: [first, { role: "implementer", steps: [{ hang: true }] }] };
  await createScripted(tool, id, turns as never);
  await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
  const { driver } = await tool.until(id, ({ turn }) => turn?.id === "t3" && turn.status === "running", "t3");
  for (const pid of [driver.pid, ...processesOf(tool).map((one) => one.pid)]) end(pid);
  await tool.until(id, (status) => !status.driver.alive, "nobody drives");
  appendFileSync(tool.transcript(id), "{}\n");
}, 120_000);
afterAll(() => tool?.close());

function end(pid: number | undefined): void {
  try {
    if (pid) process.kill(pid, "SIGKILL");
  } catch {
    // Gone meanwhile.
  }
}

it("the finding is in the new bubble's first line, with its id and who found it", async () => {
  await tool.ok("bubble", "salvage", "--id", id);
  const [created] = tool.log(next);
  const { salvaged } = created?.type === "BUBBLE_CREATED" ? created.payload : {};
  expect(salvaged?.findings).toMatchObject([{ id: "F1", by: "claude", severity: "P1", title: "Total is 3" }]);
});

it("it is open in the new bubble, and its implementer is told before the first turn", async () => {
  const status = await tool.status(next);
  expect(JSON.stringify(status.findings)).toContain("Total is 3");
  await tool.ok("bubble", "start", "--id", next, "--headless", "--detach");
  await tool.until(next, ({ turn }) => turn?.status === "running", "the first turn");
  const started = tool.log(next).find(({ type }) => type === "TURN_STARTED");
  const prompt = started?.type === "TURN_STARTED" ? started.payload.prompt : "";
  const text = readFileSync(join(tool.repo, ".pairflow", "bubbles", next, "artifacts", prompt), "utf8");
  expect(text).toContain("F1");
  expect(text).toContain("Total is 3");
  await tool.ok("bubble", "stop", "--id", next);
  expect((await tool.run("verify", "--id", next)).code).toBe(0);
}, 60_000);
