// A gate that prints without end is ended by its time limit and by nothing else, and what it printed stays small. An agent
// that does is ended as soon as it has printed more than is kept, once more in a new session, and then a person is asked.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { outputLimits } from "../../src/adapters/process/pump.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { bubble, runs } from "../cli/gates-scene.ts";
import { readArtifact } from "../helpers/operator.ts";
import { declare } from "./gate-plays.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

/** How large the output of this bubble's gate is now. */
function sizeOf(id: string, gate: string): number {
  const file = join(tool.repo, ".pairflow", "runtime", id, `gate-${gate}.log`);
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

async function watched(work: Promise<unknown>, size: () => number): Promise<number> {
  let most = 0;
  let isOver = false;
  void work.finally(() => (isOver = true));
  while (!isOver) {
    most = Math.max(most, size());
    await sleep(20);
  }
  return most;
}

it("a gate that prints until its time limit leaves a few megabytes, its beginning and its end", async () => {
  declare(tool, { name: "endless", command: "echo the first line; yes", timeout: 2, required: false });
  const work = bubble(tool, "endless");
  expect(await watched(work, () => sizeOf("endless", "endless"))).toBeLessThan(
    outputLimits.most + 1024 * 1024,
  );
  expect((await work).state).toBe("READY_FOR_APPROVAL");
  expect(runs(tool, "endless")).toMatchObject([[{ status: "timeout" }]]);
  const kept = readArtifact(tool, "endless", "round-001.tests.txt");
  expect(kept).toMatch(/^\$ .*\nthe first line\ny\n/);
  expect(kept).toMatch(/\n\[… \d{8,} bytes left out: .* …\]\ny\n/);
  expect(kept.length).toBeLessThan(outputLimits.most + 1024 * 1024);
});

it("and continues to be small when the driver is killed in the middle", async () => {
  declare(tool, { name: "orphan", command: "yes", timeout: 600 });
  void bubble(tool, "orphan", shortest).catch(() => undefined);
  while (!existsSync(tool.transcript("orphan")) || tool.log("orphan").length === 0) await sleep(20);
  const running = await tool.until(
    "orphan",
    ({ gates, driver }) =>
      driver.alive && gates.running.length > 0 && sizeOf("orphan", "orphan") > outputLimits.head,
    "the gate prints",
  );
  const { pid = 0 } = running.driver as { pid?: number };
  process.kill(pid, "SIGKILL");
  await tool.until("orphan", ({ driver }) => !driver.alive, "the driver is gone");
  for (let looks = 0; looks < 30; looks += 1) {
    expect(sizeOf("orphan", "orphan")).toBeLessThan(outputLimits.most + 1024 * 1024);
    await sleep(20);
  }
  await tool.ok("bubble", "stop", "--id", "orphan");
});

it("an agent that prints without end is ended, tried once more, and a person is told by name", async () => {
  await createScripted(tool, "flood", shortest);
  const file = join(tool.repo, ".pairflow", "bubbles", "flood", "bubble.toml");
  const scripted = /\[agent\.codex\]\nadapter = "scripted"\nscript = .*\n/;
  // Much more than is kept, and not without end: a driver that lets it continue must not fill the disk of whoever runs this.
  const prints = `sh -c "yes | head -c 300000000; sleep 600"`;
  const command = `[agent.codex]\nadapter = "command"\ncommand = ${JSON.stringify(prints)}\n`;
  writeFileSync(file, readFileSync(file, "utf8").replace(scripted, command));
  const work = tool.ok("bubble", "start", "--id", "flood", "--headless");
  const folder = join(tool.repo, ".pairflow", "runtime", "flood");
  const size = () => statSync(join(folder, "t1.1.log"), { throwIfNoEntry: false })?.size ?? 0;
  const most = await watched(work, size);
  // The look comes ten times a second; what is printed until the process is gone is cut off again.
  expect(most).toBeLessThanOrEqual(300_000_000);
  const ends = tool.log("flood").filter(({ type }) => type === "TURN_ENDED");
  expect(ends.map(({ payload }) => (payload as { outcome?: string }).outcome)).toEqual([
    "too-much-output",
    "too-much-output",
  ]);
  for (const name of ["t1.1.log", "t1.2.log"])
    expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(64 * 1024 * 1024);
  const { state, questions } = await tool.status("flood");
  expect(state).toBe("WAITING_HUMAN");
  expect(JSON.stringify(questions)).toContain("It prints without end");
}, 120_000);
