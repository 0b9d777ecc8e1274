// An agent in a sandbox speaks through the socket of its driver. Where the driver dies in the middle of that, the same
// words reach the next one: nothing is lost, nothing counts twice, and the living turn is adopted.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
import { linesOf } from "../cli/workflow-scene.ts";
import { killDriver } from "../helpers/operator.ts";
import { eventually } from "../scenarios/scene.ts";
import { withFirst } from "./scene.ts";

const id = "b1";
let tool: Rig;
afterEach(() => tool.close());

const spawned = () => linesOf(tool.log(id), "TURN_SPAWNED");
const passed = () => linesOf(tool.log(id), "PASS").filter(({ payload }) => payload.turn === "t1");
/** The agent waits for the test's word, then hands over at once. */
const waits = (word: string) => ({ run: `until [ -e ${word} ]; do sleep 0.05; done` });

async function isFinished(): Promise<void> {
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for", 60_000);
  expect(passed()).toHaveLength(1);
  expect(spawned().filter(({ payload }) => payload.turn === "t1")).toHaveLength(1);
  expect(linesOf(tool.log(id), "TURN_ENDED").map(({ payload }) => payload.outcome)).toEqual([]);
  expect((await tool.run("verify", "--id", id)).code).toBe(0);
}

describe("an agent in a sandbox whose driver dies", () => {
  it("says its pass to nobody, and the next driver hears it", { timeout: 90_000 }, async () => {
    tool = rig();
    const word = join(tool.folder, "word");
    await createScripted(tool, id, withFirst(waits(word)));
    await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
    await eventually("the agent runs", () => spawned().length > 0);
    await killDriver(tool, id);
    writeFileSync(word, "");
    await tool.ok("bubble", "resume", "--id", id, "--headless", "--detach");
    await isFinished();
  });

  it.each(["decided", "artifacts", "appended", "cached"])(
    "while it is heard (%s): said again it counts once",
    { timeout: 90_000 },
    async (point) => {
      tool = rig();
      const file = join(tool.folder, "crash-points");
      const word = join(tool.folder, "word");
      await createScripted(tool, id, withFirst(waits(word)));
      const dying = tool.with({ PAIRFLOW_CRASH_FILE: file, PAIRFLOW_CRASH_AT: `handle.pass.${point}` });
      await dying.ok("bubble", "start", "--id", id, "--headless", "--detach");
      await eventually("the agent runs", () => spawned().length > 0);
      writeFileSync(word, "");
      await tool.until(id, ({ driver }) => !driver.alive, "the driver is dead", 20_000);
      expect(existsSync(file)).toBe(true);
      await tool.ok("bubble", "resume", "--id", id, "--headless", "--detach");
      await isFinished();
    },
  );
});
