// A decision that falls into the moment in which a driver leaves: whoever decides still sees the driver and starts none,
// so the driver itself must go on.
import { afterEach, expect, test, vi } from "vitest";
import { worldOf } from "../../src/app/world.ts";
import { drive } from "../../src/engine/drive.ts";
import { handle } from "../../src/engine/handle.ts";
import type { World } from "../../src/engine/world.ts";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
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
  const world = worldOf(tool.repo, "process");
  await handle(world, id, { type: "reply", actor: { kind: "operator", via: "cli" }, message: "yes" });
  const answers = () => tool.ok("bubble", "reply", "--id", id, "--message", "yes again");
  const options = { leaveWhenWaiting: true, signal: new AbortController().signal };
  const state = await drive(beforeLeaving(world, answers), id, options);
  expect(state.lifecycle).toBe("READY_FOR_APPROVAL");
  const pids = tool.log(id).flatMap((line) => (line.type === "DRIVER_CLAIMED" ? [line.payload.pid] : []));
  expect(pids.slice(1)).toEqual([process.pid, process.pid]);
});
