// A clock that is set back, as after a correction by the network or a resumed machine.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createRecordWorld } from "../../src/app/record/world.ts";
import { type Rig, rig } from "../acceptance/rig.ts";
import { eventually } from "../scenarios/scene.ts";
import { hangingTurn, passFlags } from "./scene.ts";

const id = "b1";
const hourMs = 3_600_000;
let tool: Rig;
afterEach(() => tool.close());

test("a clock set back never makes the record run backwards, and the watchdog does not fire for it", async () => {
  const plain = rig();
  const shift = join(plain.folder, "clock-shift");
  writeFileSync(shift, String(hourMs));
  tool = plain.with({ PAIRFLOW_CLOCK_SHIFT_FILE: shift });
  const { agent } = await hangingTurn(tool);
  writeFileSync(shift, "0");
  const beats = new Set<string>();
  await eventually("the driver has looked at its agent with the new clock", async () => {
    const at = (await createRecordWorld(tool.repo).runtime.living(id))?.at ?? "";
    if (Date.parse(at) < Date.now() + hourMs / 2) beats.add(at);
    return beats.size > 2;
  });
  expect(await tool.status(id)).toMatchObject({
    state: "RUNNING",
    questions: [],
    turn: { id: "t1", status: "running" },
  });
  await agent.ok(...passFlags);
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
  const times = tool.log(id).map(({ ts }) => ts);
  expect(times).toEqual([...times].sort());
  expect(tool.log(id).filter(({ type }) => type === "HUMAN_QUESTION")).toEqual([]);
  await tool.ok("verify", "--id", id);
});
