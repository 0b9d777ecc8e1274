// Pausing a bubble at the command line, with scripted agents: what runs may finish or is ended, nothing new begins, a killed
// driver changes nothing, and every screen says so.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EnvelopeOf, EnvelopeType } from "../../src/core/model/record/envelope.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { killProcess } from "../helpers/kill.ts";
import { eventually } from "../scenarios/scene.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

/** The agent waits until the test lets it go. */
const waitsFor = (name: string) => ({
  run: `while [ ! -e ${JSON.stringify(join(tool.folder, name))} ]; do sleep 0.05; done`,
});
const letGo = (name: string) => writeFileSync(join(tool.folder, name), "");

const slowly = () => {
  const [work, ...others] = shortest.implementer;
  const [review] = shortest.reviewer;
  return {
    implementer: [{ ...work, steps: [waitsFor("work"), ...(work?.steps ?? [])] }, ...others],
    reviewer: [{ ...review, steps: [waitsFor("review"), ...(review?.steps ?? [])] }],
  };
};

const lines = <T extends EnvelopeType>(type: T) =>
  tool.log("cart").filter((line) => line.type === type) as EnvelopeOf<T>[];
const seated = (turns: number) =>
  eventually(`${turns} turns have a process`, () => lines("TURN_SPAWNED").length === turns);
const onCart = (verb: string, ...flags: string[]) => tool.ok("bubble", verb, "--id", "cart", ...flags);

it("a bubble is paused, resumed, paused at once and resumed", { timeout: 240_000 }, async () => {
  await createScripted(tool, "cart", slowly());
  await onCart("start", "--headless", "--detach");
  await seated(1);

  expect(await onCart("pause", "--message", "lunch")).toContain("codex may finish its turn");
  const driver = lines("DRIVER_CLAIMED").at(-1)?.payload.pid ?? 0;
  await killProcess(driver);
  const next = onCart("drive", "--seat", "process", "--leave");
  await eventually("another driver has come", () => lines("DRIVER_CLAIMED").length === 2);
  letGo("work");
  await next;
  expect([lines("TURN_STARTED").length, lines("HANDOFF").length]).toEqual([1, 1]);
  expect(lines("GATES_RESULT").filter(({ payload }) => !payload.base)).toEqual([]);

  const by = `paused by ${(await tool.status("cart")).paused?.by}: lunch`;
  const screens = [
    [],
    ["bubble", "list"],
    ["bubble", "status", "--id", "cart"],
    ["inbox"],
    ["bubble", "inbox", "--id", "cart"],
  ];
  for (const words of screens) expect(await tool.ok(...words), words.join(" ")).toContain(by);
  expect(await tool.ok("log", "--id", "cart")).toMatch(/paused\s+by \S+ · "lunch"/);
  expect(await tool.ok("explain", "--id", "cart")).toMatch(/paused it: lunch/);
  expect((await tool.run("bubble", "status", "--id", "cart", "--exit-code")).code).toBe(4);

  expect(await onCart("resume", "--headless", "--detach")).toContain("a driver was started");
  await seated(2);
  await onCart("pause", "--now");
  expect(lines("TURN_ENDED").at(-1)?.payload).toMatchObject({ turn: "t2", outcome: "interrupted" });
  expect(await onCart("pause", "--now")).toContain("was paused before");
  await tool.until("cart", ({ driver }) => !driver.alive, "its driver has left");
  expect(lines("TURN_STARTED")).toHaveLength(2);

  letGo("review");
  const resumed = await tool.run("bubble", "resume", "--id", "cart", "--headless", "--exit-code");
  expect([resumed.code, resumed.stdout], resumed.stderr).toEqual([
    0,
    expect.stringContaining("cart is READY_FOR_APPROVAL"),
  ]);
  const [, first, second] = lines("TURN_STARTED").map(({ payload }) => payload);
  expect(second).toMatchObject({ turn: "t2", attempt: 2, session: first?.session, fresh: false });
});

it("what cannot be paused is refused with a way on", async () => {
  await createScripted(tool, "fresh", shortest);
  const ran = await tool.run("bubble", "pause", "--id", "fresh");
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("pairflow bubble start --id fresh")]);
});
