// Faults of a bubble in panes: the server, the driver or a whole machine's session is gone, and the bubble continues.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
import { killProcess } from "../helpers/kill.ts";
import { leftProcesses, processesOf } from "./leftovers.ts";
import { hangingTurn, runningTurn, withFirst } from "./scene.ts";

const id = "b1";
let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const killServer = () => execFileSync("tmux", ["-L", tool.socket, "kill-server"]);
const started = (turn: string) =>
  tool.log(id).filter((line) => line.type === "TURN_STARTED" && line.payload.turn === turn);
const driverPid = async () => {
  const { driver } = await tool.status(id);
  return driver.alive && "pid" in driver ? driver.pid : 0;
};

async function inPanes(...before: unknown[]): Promise<void> {
  await createScripted(tool, id, withFirst({ say: "at work" }, ...before));
  await tool.ok("bubble", "start", "--id", id);
  const output = join(tool.repo, ".pairflow", "runtime", id, "t1.1.log");
  await expect
    .poll(() => existsSync(output) && readFileSync(output, "utf8"), { timeout: 20_000 })
    .toContain("at work");
  await tool.until(id, ({ turn }) => turn?.status === "running", "the first turn");
}

describe("the tmux server killed while a turn runs", () => {
  it("leaves a bubble that says so with the command, and resume brings it back to its end", async () => {
    await inPanes({ wait: "60s", once: true });
    killServer();
    await expect.poll(async () => (await tool.status(id)).driver.alive, { timeout: 10_000 }).toBe(false);
    expect((await tool.status(id)).next).toMatchObject({
      says: expect.stringContaining("nobody drives this bubble"),
      command: `pairflow bubble resume --id ${id}`,
    });
    await tool.ok("bubble", "resume", "--id", id);
    await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    expect(started("t1").map(({ payload }) => (payload as { attempt: number }).attempt)).toEqual([1, 2]);
    await tool.ok("verify", "--id", id);
  });

  it("does not keep a bubble from being stopped, and nothing of it is left", async () => {
    await hangingTurn(tool, "tmux");
    killServer();
    await tool.ok("bubble", "stop", "--id", id);
    expect((await tool.status(id)).state).toBe("CANCELLED");
    expect(await leftProcesses(tool)).toEqual([]);
  });
});

describe("a driver killed in its pane", () => {
  it("is started again by tmux, and adopts the living turn: the same process, not started again", async () => {
    await inPanes({ wait: "5s" });
    const before = await driverPid();
    const { pid } = await runningTurn(tool);
    await killProcess(before);
    const again = await tool.until(
      id,
      ({ driver }) => driver.alive && "pid" in driver && driver.pid !== before,
      "another driver",
    );
    expect(again.turn).toMatchObject({ id: "t1", status: "running", attempt: 1 });
    expect((await runningTurn(tool)).pid).toBe(pid);
    await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    expect(started("t1")).toHaveLength(1);
    expect(tool.log(id).filter(({ type }) => type === "DRIVER_CLAIMED")).toHaveLength(2);
  });

  it("leaves nothing behind when the bubble is stopped in that moment", async () => {
    await hangingTurn(tool, "tmux");
    await killProcess(await driverPid());
    await tool.ok("bubble", "stop", "--id", id);
    expect(await leftProcesses(tool)).toEqual([]);
    expect(processesOf(tool)).toEqual([]);
    expect((await tool.status(id)).driver.alive).toBe(false);
  });
});
