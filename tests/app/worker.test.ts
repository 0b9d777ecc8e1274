// A worker whose machine fails it: the bubble that it took is offered again, so that another machine can go on with it.
import { expect, test } from "vitest";
import { runWorker } from "../../src/app/worker/worker.ts";
import { createOfferedDrivers } from "../../src/app/world/drivers.ts";
import { handle } from "../../src/engine/handle/command.ts";
import { Conversations } from "../../src/engine/world/conversations.ts";
import type { World } from "../../src/engine/world/world.ts";
import { Failure } from "../../src/ports/failure.ts";
import type { Offer } from "../../src/ports/record/offers.ts";
import { configOf, pairProgram } from "../core/pair.ts";
import { createMemoryLog } from "../memory/log.ts";
import { createMemoryRecords } from "../memory/records.ts";
import { createMemoryRuntime } from "../memory/runtime.ts";

const bubble = "fix-cart";
const operator = { kind: "operator", via: "terminal" } as const;

/** What this machine does for a bubble takes longer than it lasts. */
const slow = new Proxy({}, { get: () => () => new Promise((resolve) => setTimeout(resolve, 300)) });

/** A place that can be taken, and not kept: the disk is full. */
function createFullRuntime(): World["runtime"] {
  const runtime = createMemoryRuntime();
  let beats = 0;
  return {
    ...runtime,
    async beat(...given) {
      beats += 1;
      if (beats > 1) throw new Failure("runtime.disk-full", "No room is left here");
      return runtime.beat(...given);
    },
  };
}

async function createWorld(wanted: string[], offers: Offer[]): Promise<World> {
  let ids = 0;
  const world = {
    log: createMemoryLog(),
    records: createMemoryRecords(),
    runtime: createFullRuntime(),
    clock: {
      now: () => new Date().toISOString(),
      sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    },
    chance: { id: () => `id${++ids}`, secret: () => "secret", uuid: () => `uuid-${++ids}` },
    hash: { sha256: () => "0".repeat(64) },
    redaction: { redact: (text: string) => text, find: () => [] },
    crashPoint: () => {},
    trust: { unconfirmed: async () => [], remember: async () => {}, fileHash: () => "" },
    sandboxes: { state: async () => ({ kind: "none" }) },
    verbs: { place: () => ({ folder: "/", socket: "/s" }), listen: async () => ({ close: async () => {} }) },
    offers: {
      want: async (id: string) => void wanted.push(id),
      take: async () => offers.shift() ?? new Promise((resolve) => setTimeout(resolve, 5)),
      listen: async () => {},
      announce: async () => {},
      withdraw: async () => {},
      hosts: async () => [],
    },
    drivers: createOfferedDrivers({ want: async (id) => void wanted.push(id) }),
    paths: new Proxy({}, { get: () => () => "/nowhere" }),
    processes: new Proxy({}, { get: () => async () => [] }),
    seats: { kind: "process", open: async () => {}, living: async () => [] },
    talks: new Conversations(),
    ...{ workspace: slow, notifier: slow, agents: {}, scratch: slow },
    ...{ repo: "/nowhere", tag: "test", host: "this~1", pid: 7 },
  } as unknown as World;
  const config = configOf({ id: bubble });
  await world.records.create(bubble);
  for (const name of ["task.md", "workflow.json"]) await world.records.put(bubble, name, "{}");
  await handle(world, bubble, {
    ...{ type: "create", actor: operator, config, program: pairProgram(config), base_commit: "base" },
    workflow_artifact: "workflow.json",
    profile: { gates: [], source: "given by flag", confirmed: true },
    task: { title: "Fix it", criteria: [], artifact: "task.md", excerpt: "Wrong." },
  });
  await handle(world, bubble, { type: "start", actor: operator, seat: "process" });
  return world;
}

test("a bubble whose machine fails after it was taken is offered again, and not lost with its offer", async () => {
  const said: string[] = [];
  const wanted: string[] = [];
  const told: string[] = [];
  const offer: Offer = {
    bubble,
    done: async () => void told.push("done"),
    giveBack: async () => void told.push("given back"),
  };
  const world = await createWorld(wanted, [offer]);
  const [drain, stop] = [new AbortController(), new AbortController()];
  const working = runWorker({
    ...{ openWorld: () => world, labels: [], hasPanes: false, concurrency: 1, version: "1" },
    ...{ drain: drain.signal, stop: stop.signal, confirm: async () => true },
    say: (line) => void said.push(line),
  });
  await expect.poll(() => said.join("\n"), { timeout: 6_000 }).toContain("No room is left here");
  // Once at the beginning, since nobody drives it, and once more after the failure.
  await expect.poll(() => wanted, { timeout: 8_000 }).toEqual([bubble, bubble]);
  drain.abort();
  await working;
  expect(told).toEqual(["done"]);
});
