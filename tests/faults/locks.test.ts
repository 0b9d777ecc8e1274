// A lock only saves wasted work: whoever holds it may be dead or asleep, and nothing waits long or happens twice.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cli, type Rig, rig } from "../acceptance/rig.ts";
import { waitingQuestion } from "./scene.ts";

const id = "b1";
const reply = (words: string) => ["bubble", "reply", "--id", id, "--message", words];
/** The crash points of a reply up to the one behind taking the lock. */
const locked = { at: "5", point: "log.locked" };
/** A living holder is waited for less than half of this. */
const quickMs = 1500;
let tool: Rig;

beforeEach(async () => {
  tool = rig();
  await waitingQuestion(tool);
});
afterEach(() => tool.close());

const lock = () => join(tool.repo, ".pairflow", "locks", `${id}.lock`);
const note = () => join(tool.folder, "points.killed");
const steering = (signal: string) => ({
  PAIRFLOW_CRASH_FILE: join(tool.folder, "points"),
  PAIRFLOW_CRASH_AT: locked.at,
  PAIRFLOW_CRASH_SIGNAL: signal,
});
const replies = () => tool.log(id).filter(({ type }) => type === "HUMAN_REPLY");

/**
 * How much longer the reply takes than two that are refused before they would need the lock: one for its own work, and one
 * for how unsteady this machine is.
 */
async function delayOf(words: string): Promise<number> {
  const start = performance.now();
  for (const _ of [1, 2]) expect((await tool.run(...reply(words), "--question", "q999")).code).toBe(1);
  const between = performance.now();
  await tool.ok(...reply(words));
  return performance.now() - between - (between - start);
}

test("the lock of a killed process is free at once", async () => {
  const killed = await tool.with(steering("SIGKILL")).run(...reply("One"));
  expect(killed.code).toBe(128);
  expect(readFileSync(note(), "utf8")).toBe(locked.point);
  expect(readlinkSync(lock())).toMatch(/^\d+ /);
  expect(await delayOf("Two")).toBeLessThan(quickMs);
  expect(replies()).toMatchObject([{ payload: { message: "Two" } }]);
  expect(existsSync(lock())).toBe(false);
});

test("a paused holder of the lock is passed in well under two seconds, and when it wakes nothing is doubled", async () => {
  const paused = spawn(process.execPath, [cli, ...reply("One")], {
    cwd: tool.repo,
    env: { ...tool.env, ...steering("SIGSTOP") },
  });
  try {
    await expect
      .poll(() => existsSync(note()) && readFileSync(note(), "utf8"), { timeout: 10_000 })
      .toBe(locked.point);
    await expect.poll(() => stateOf(paused)).toBe("T");
    expect(readlinkSync(lock())).toMatch(new RegExp(`^${paused.pid} `));
    expect(await delayOf("Two")).toBeLessThan(quickMs);
    paused.kill("SIGCONT");
    expect(await ending(paused)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("reply.no-question"),
    });
  } finally {
    paused.kill("SIGKILL");
  }
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
  expect(replies()).toMatchObject([{ payload: { message: "Two" } }]);
  await tool.ok("verify", "--id", id);
});

function stateOf({ pid }: ChildProcess): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2)[0];
}

function ending(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    let stderr = "";
    child.stderr?.on("data", (chunk) => (stderr += chunk));
    child.once("close", (code) => resolve({ code, stderr }));
  });
}
