// The driver of a headless bubble dies, or the bubble is stopped: nothing of it keeps running, nothing counts twice.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cli, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { killProcess } from "../helpers/kill.ts";
import { canConfine } from "../helpers/sandbox.ts";
import { leftProcesses, processesOf } from "./leftovers.ts";
import { hangingTurn, passFlags, runningTurn, withFirst } from "./scene.ts";

const id = "b1";
let tool: Rig;
beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const ofType = (type: string) => tool.log(id).filter((envelope) => envelope.type === type);
const gateDiary = () => join(tool.folder, "gate-diary");
const written = (word: string) =>
  existsSync(gateDiary())
    ? readFileSync(gateDiary(), "utf8")
        .split("\n")
        .filter((line) => line === word).length
    : 0;
const driverPid = async () => {
  const { driver } = await tool.status(id);
  return driver.alive && "pid" in driver ? driver.pid : 0;
};

/** A gate that says when it begins and when it has come to its end, and takes `seconds` in between. */
const slowGate = (seconds: number) =>
  `echo begun >> ${gateDiary()}; sleep ${seconds}; echo over >> ${gateDiary()}`;

/** The same, slow only the first time. */
const slowOnce = () =>
  `test -e ${gateDiary()} || { echo begun >> ${gateDiary()}; sleep 60; }; echo over >> ${gateDiary()}`;

async function duringGates(gate: string, base: "clean" | "off" = "off"): Promise<void> {
  await createScripted(tool, id, shortest, "--test", gate, "--base-gates", base);
  await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
  await expect.poll(() => written("begun"), { timeout: 20_000 }).toBe(1);
}

describe("a driver killed without warning", () => {
  it("during gates takes a confined gate with it and leaves any other; its successor runs it again, and the result counts once", async () => {
    await duringGates(slowGate(3));
    await killProcess(await driverPid());
    await expect.poll(async () => (await tool.status(id)).driver.alive).toBe(false);
    const left = () => processesOf(tool).filter(({ work }) => work.includes("gate-test"));
    if (canConfine()) await expect.poll(left).toEqual([]);
    else expect(left()).not.toEqual([]);
    expect((await tool.status(id)).next).toMatchObject({
      says: expect.stringContaining("nobody drives this bubble"),
      command: `pairflow bubble resume --id ${id}`,
    });
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
    // Ended and run again in the worktree, and run once more on a clean checkout before anybody is asked.
    expect([written("begun"), written("over")]).toEqual([3, 2]);
    expect(ofType("GATES_RESULT")).toHaveLength(2);
    expect(await leftProcesses(tool)).toEqual([]);
  });

  it("during the gates on the base leaves nothing but a run that its successor makes again", async () => {
    await duringGates(slowOnce(), "clean");
    await killProcess(await driverPid());
    await expect.poll(async () => (await tool.status(id)).driver.alive).toBe(false);
    expect(ofType("GATES_RESULT")).toEqual([]);
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
    // Cut off once; then on the base and, for its path, in the worktree; in the round, and finally.
    expect([written("begun"), written("over")]).toEqual([1, 4]);
    expect(ofType("GATES_RESULT")).toHaveLength(3);
    expect(await leftProcesses(tool)).toEqual([]);
  });

  it("during a turn leaves a turn that its successor adopts instead of starting it again", async () => {
    await createScripted(tool, id, withFirst({ wait: "4s" }));
    await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
    await tool.until(id, ({ turn }) => turn?.status === "running", "the first turn");
    const { pid } = await runningTurn(tool);
    await killProcess(await driverPid());
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
    expect(
      ofType("TURN_STARTED").filter(({ payload }) => (payload as { turn: string }).turn === "t1"),
    ).toHaveLength(1);
    expect(ofType("TURN_SPAWNED")[0]).toMatchObject({ payload: { turn: "t1", pid } });
  });

  it("is replaced by any operator's command, without being asked for", async () => {
    const { agent } = await hangingTurn(tool);
    await killProcess(await driverPid());
    await agent.ok("ask-human", "--question", "Which total?");
    expect((await tool.status(id)).driver.alive).toBe(false);
    await tool.ok("bubble", "reply", "--id", id, "--message", "Two");
    await expect.poll(async () => (await tool.status(id)).driver.alive, { timeout: 10_000 }).toBe(true);
    await tool.ok("bubble", "stop", "--id", id);
  });
});

it("a start killed during the setup command leaves one that its successor ends and runs again", async () => {
  await createScripted(tool, id, shortest, "--setup", slowGate(2));
  const start = spawn(process.execPath, [cli, "bubble", "start", "--id", id, "--headless"], {
    cwd: tool.repo,
    env: tool.env,
    stdio: "ignore",
  });
  await expect.poll(() => written("begun"), { timeout: 20_000 }).toBe(1);
  start.kill("SIGKILL");
  await tool.ok("bubble", "start", "--id", id, "--headless");
  expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
  // The third and the fourth one prepared the clean checkouts of the base and of what is to be signed.
  expect([written("begun"), written("over")]).toEqual([4, 3]);
  expect(ofType("WORKSPACE_READY")).toHaveLength(1);
});

describe("a driver that cannot continue", () => {
  it("because the disk is full leaves with the reason, and the bubble is as it was when there is room again", async () => {
    const { agent } = await hangingTurn(tool);
    const size = statSync(tool.transcript(id)).size;
    execFileSync("prlimit", ["--pid", String(await driverPid()), `--fsize=${size + 100}`]);
    await agent.ok(...passFlags);
    await expect.poll(async () => (await tool.status(id)).driver.alive, { timeout: 15_000 }).toBe(false);
    const said = readFileSync(join(tool.repo, ".pairflow", "runtime", id, "driver.log"), "utf8");
    expect(said).toMatch(/^Error: No room left .*log\.disk-full.*\nCaused by: .*\nHint: Free some space/m);
    expect(await tool.status(id)).toMatchObject({ state: "RUNNING", turn: { id: "t1", status: "claimed" } });
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
    expect(
      ofType("HANDOFF").filter(({ payload }) => (payload as { turn: string }).turn === "t1"),
    ).toHaveLength(1);
  });

  it("because a killed git left its lock leaves with the reason, and the bubble has not failed", async () => {
    const { agent } = await hangingTurn(tool);
    const lock = join(tool.repo, ".git", "refs", "pairflow", id, "latest.lock");
    writeFileSync(lock, "");
    await agent.ok(...passFlags);
    await expect.poll(async () => (await tool.status(id)).driver.alive, { timeout: 15_000 }).toBe(false);
    expect((await tool.status(id)).state).toBe("RUNNING");
    const again = await tool.run("bubble", "resume", "--id", id, "--headless");
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining("latest.lock") });
    rmSync(lock);
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
  });
});

describe("a stopped bubble", () => {
  it("leaves no process when a turn runs, not even one that the agent left behind", async () => {
    await createScripted(tool, id, withFirst({ spawn_orphan: true }, { hang: true }));
    await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
    await expect
      .poll(() => processesOf(tool).filter(({ work }) => work.startsWith(`${id}/t1`)).length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(1);
    await tool.ok("bubble", "stop", "--id", id, "--reason", "enough");
    expect(processesOf(tool)).toEqual([]);
    expect(await tool.status(id)).toMatchObject({ state: "CANCELLED", driver: { alive: false } });
  });

  it("leaves no process when a gate runs, and its result counts for nothing", async () => {
    await duringGates(slowGate(30));
    await tool.ok("bubble", "stop", "--id", id);
    expect(processesOf(tool)).toEqual([]);
    expect(written("over")).toBe(0);
    expect(ofType("GATES_RESULT")).toEqual([]);
    expect((await tool.status(id)).state).toBe("CANCELLED");
  });

  it("leaves no process when its driver was killed before", async () => {
    await hangingTurn(tool);
    await killProcess(await driverPid());
    await tool.ok("bubble", "stop", "--id", id);
    expect(processesOf(tool)).toEqual([]);
  });
});
