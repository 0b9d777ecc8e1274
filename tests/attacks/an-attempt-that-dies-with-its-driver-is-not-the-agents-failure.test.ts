// Driver and agent are killed together, as a machine that goes down does it: the next driver starts the turn again, and the
// attempt counts towards no bound of the agent. An agent that continues doing so is stopped all the same.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { hangingTurn, runningTurn } from "../faults/scene.ts";

const id = "b1";
let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

async function killBoth(pid: number): Promise<void> {
  const { driver } = await tool.status(id);
  if (!driver.pid) throw new Error("nobody drives");
  process.kill(driver.pid, "SIGKILL");
  process.kill(-pid, "SIGKILL");
  await tool.until(id, (status) => !status.driver.alive, "nobody drives");
}

const ends = () => tool.log(id).flatMap((line) => (line.type === "TURN_ENDED" ? [line.payload.outcome] : []));

it("four times in a row, one more than the agent's own failures may be, and the turn continues", async () => {
  const { pid } = await hangingTurn(tool);
  await killBoth(pid);
  for (let times = 2; times <= 4; times += 1) {
    await tool.ok("bubble", "resume", "--id", id);
    await tool.until(
      id,
      ({ turn }) => turn?.status === "running" && turn.attempt === times,
      `attempt ${times}`,
    );
    await killBoth((await runningTurn(tool)).pid);
  }
  await tool.ok("bubble", "resume", "--id", id);
  await tool.until(id, ({ turn }) => turn?.status === "running" && turn.attempt === 5, "attempt 5");
  expect(ends()).toEqual(["superseded", "superseded", "superseded", "superseded"]);
  expect((await tool.status(id)).state).toBe("RUNNING");
}, 120_000);
