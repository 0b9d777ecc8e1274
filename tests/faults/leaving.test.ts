// A driver that leaves: a decision that falls into that moment is acted on by the driver itself, and what it was doing ends with it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createWorld } from "../../src/app/world/world.ts";
import { drive } from "../../src/engine/drive/driver.ts";
import { handle } from "../../src/engine/handle/command.ts";
import type { World } from "../../src/engine/world/world.ts";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
import { begins } from "../plans/execute-scene.ts";
import { leftProcesses, processesOf } from "./leftovers.ts";
import { withFirst } from "./scene.ts";

const id = "b1";
let tool: Rig;
afterEach(() => {
  vi.unstubAllEnvs();
  return tool.close();
});

/** The world in which something happens just before the driver's place becomes free. */
function beforeLeaving(world: World, happens: () => Promise<unknown>): World {
  let isFirst = true;
  return {
    ...world,
    runtime: {
      ...world.runtime,
      async release(...place) {
        if (isFirst) await happens();
        isFirst = false;
        return world.runtime.release(...place);
      },
    },
  };
}

test("an answer that comes while the driver leaves is acted on by that driver", async () => {
  tool = rig();
  await createScripted(tool, id, withFirst({ ask: "One?" }, { ask: "Two?" }));
  await tool.ok("bubble", "start", "--id", id, "--headless");
  // This process drives, and has the home in which the rig has confirmed what runs.
  for (const [name, value] of Object.entries(tool.env)) vi.stubEnv(name, value);
  const world = createWorld(tool.repo, "process");
  await handle(world, id, { type: "reply", actor: { kind: "operator", via: "cli" }, message: "yes" });
  const answers = () => tool.ok("bubble", "reply", "--id", id, "--message", "yes again");
  const options = { leaveWhenWaiting: true, signal: new AbortController().signal };
  const state = await drive(beforeLeaving(world, answers), id, options);
  expect(state.lifecycle).toBe("READY_FOR_APPROVAL");
  const pids = tool.log(id).flatMap((line) => (line.type === "DRIVER_CLAIMED" ? [line.payload.pid] : []));
  expect(pids.slice(1)).toEqual([process.pid, process.pid]);
});

test("a driver that is asked to leave ends its headless agent; the turn is owed again, and nothing is held against it", async () => {
  tool = rig();
  await createScripted(tool, id, withFirst({ hang: true }));
  const { child, ended } = begins(tool, "bubble", "start", "--id", id, "--headless");
  const spawned = () =>
    tool.log(id).flatMap((line) => (line.type === "TURN_SPAWNED" ? [line.payload.pid] : []));
  await vi.waitUntil(() => spawned().length > 0, { timeout: 60_000, interval: 50 });
  child.kill("SIGTERM");
  await ended;
  // A process that has ended and was not collected yet holds nothing.
  expect(processesOf(tool)).toEqual([]);
  const end = tool.log(id).flatMap((line) => (line.type === "TURN_ENDED" ? [line.payload] : []));
  expect(end).toMatchObject([{ outcome: "superseded", next: { session: "same" } }]);
  const status = await tool.status(id);
  expect(status).toMatchObject({ state: "RUNNING", driver: { alive: false }, questions: [] });
});

test("Ctrl-C while the setup command runs ends it, and says that the same command starts the bubble", async () => {
  tool = rig();
  // Only its first run takes long.
  const setup = "if mkdir once; then sleep 600; fi";
  await createScripted(tool, id, withFirst({ hang: true }), "--setup", setup);
  const { child, ended } = begins(tool, "bubble", "start", "--id", id, "--headless");
  const once = join(tool.worktree(id), "once");
  await vi.waitUntil(() => existsSync(once), { timeout: 60_000, interval: 20 });
  expect(processesOf(tool).some(({ work }) => work.includes("/setup"))).toBe(true);
  child.kill("SIGINT");
  const left = await ended;
  expect(left.stderr).toContain("was left before its workspace was ready; nothing is lost (start.left)");
  expect(left.stderr).toContain(`pairflow bubble start --id ${id}`);
  expect(await leftProcesses(tool)).toEqual([]);
  expect(await tool.status(id)).toMatchObject({ state: "PREPARING_WORKSPACE", driver: { alive: false } });
  const again = begins(tool, "bubble", "start", "--id", id, "--headless");
  await vi.waitUntil(async () => (await tool.status(id)).state === "RUNNING", {
    timeout: 60_000,
    interval: 100,
  });
  again.child.kill("SIGINT");
  await again.ended;
});
