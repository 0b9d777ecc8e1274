// A bubble that goes on on another machine: two hosts, here over one record and one disk. The first driver loses its place in
// the middle of a turn.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { startBubble } from "../../src/app/operate/start.ts";
import { createWorld } from "../../src/app/world/world.ts";
import type { State } from "../../src/core/model/state.ts";
import { drive } from "../../src/engine/drive/driver.ts";
import { buildWorkMarker, type World } from "../../src/engine/world/world.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { withFirst } from "./scene.ts";

const id = "b1";
let tool: Rig;
afterEach(() => {
  vi.unstubAllEnvs();
  return tool.close();
});

test("the driver that lost its place ends its agent and leaves; the next host starts the turn again from the recorded tree", async () => {
  tool = rig();
  await createScripted(tool, id, withFirst({ hang: true }));
  for (const [name, value] of Object.entries(tool.env)) vi.stubEnv(name, value);
  const world = createWorld(tool.repo, "process");
  const { signal } = new AbortController();
  const one: World = { ...world, host: "one~1" };
  await startBubble({ world: one, bubble: id, via: "cli" }, "process");
  const spawned = () =>
    tool.log(id).flatMap((line) => (line.type === "TURN_SPAWNED" ? [line.payload.pid] : []));
  let last: State | undefined;
  const first = drive(one, id, { signal, onState: (state) => (last = state) });
  await vi.waitUntil(() => spawned().length > 0, { timeout: 60_000, interval: 20 });
  const unfinished = join(world.paths.worktree(id), "unfinished.txt");
  writeFileSync(unfinished, "half a sentence\n");
  await world.runtime.release(id, last?.driver?.id ?? "");
  const left = await first;
  expect(left.turn?.status).toBe("running");
  expect(await world.processes.find(buildWorkMarker(world, id, "*"))).toEqual([]);

  // On the other machine the agent's own place in its script is not known.
  tool.script(`${id}-codex`, shortest.implementer);
  const state = await drive({ ...world, host: "two~2" }, id, { signal, leaveWhenWaiting: true });
  expect(state.lifecycle).toBe("READY_FOR_APPROVAL");
  const ends = tool.log(id).flatMap((line) => (line.type === "TURN_ENDED" ? [line.payload] : []));
  expect(ends).toMatchObject([{ turn: "t1", attempt: 1, outcome: "host-lost", next: { session: "fresh" } }]);
  expect(existsSync(unfinished)).toBe(false);
  const moved = tool
    .log(id)
    .flatMap((line) => (line.type === "WORKSPACE_READY" ? [line] : []))
    .at(-1);
  expect(moved?.payload).toMatchObject({ host: "two~2", put_back: "round-001.moved.patch" });
  const patch = await world.records.get(id, moved?.payload.put_back ?? "");
  expect(new TextDecoder().decode(patch)).toContain("half a sentence");
});
