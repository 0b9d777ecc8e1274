// One driver and a store that does not answer for longer than a place is kept, with virtual time: each call is tried for many seconds,
// and the agent must not run for as long as that.
import { expect, test } from "vitest";
import type { State } from "../../src/core/model/state.ts";
import { drive } from "../../src/engine/drive/driver.ts";
import { handle } from "../../src/engine/handle/command.ts";
import { buildFirstWords, makeFolder } from "./bubble.ts";
import { Host, makeDisk } from "./host.ts";
import { Invariants } from "./invariants.ts";
import { Store } from "./store.ts";
import { Dice, VirtualTime } from "./virtual-time.ts";
import { createSimulatedWorld } from "./world.ts";

const leaseMs = 30_000;
const operator = { kind: "operator", via: "cli" } as const;
const id = "b1";

/** A machine whose agent is at work. */
async function startWork() {
  const time = new VirtualTime();
  const invariants = new Invariants();
  const store = new Store({ time, leaseMs, invariants });
  const host = new Host({
    ...{ id: "build~1", disk: makeDisk(), time, dice: new Dice(5), outage: { until: 0 } },
    onSpin: () => invariants.note("works without end"),
  });
  host.patienceMs = 15_000;
  const world = createSimulatedWorld(host, store);
  const { create, start } = buildFirstWords(id);
  await makeFolder(store, id);
  for (const words of [create, start]) await handle(world, id, { actor: operator, ...words } as never);
  let left: State | undefined;
  const options = { signal: new AbortController().signal, leaveWhenWaiting: true };
  const driving = drive(world, id, options).then((state) => (left = state));
  while (invariants.states.get(id)?.turn?.pid === undefined) await time.runUntil(time.now + 10);
  return { time, host, store, driving, hasLeft: () => left !== undefined, invariants };
}

test("a machine that is cut off ends its agent a lease after its last word, and leaves", async () => {
  const { time, host, hasLeft, driving } = await startWork();
  const begin = time.now;
  host.cutOffUntil = Number.POSITIVE_INFINITY;
  await time.runUntil(begin + leaseMs - 8_000);
  expect(host.processes.size).toBe(1);
  await time.runUntil(begin + leaseMs + 1_000);
  expect([...host.processes.keys()]).toEqual([]);
  host.cutOffUntil = 0;
  await time.runUntil(begin + 2 * leaseMs);
  expect(hasLeft()).toBe(true);
  expect((await driving).turn).toMatchObject({ id: "t1", attempt: 1, status: "running" });
});

test("a store that is away for two thirds of a lease costs nobody's turn", async () => {
  for (let into = 0; into < leaseMs / 4; into += 2_500) {
    const { time, host, invariants } = await startWork();
    await time.runUntil(time.now + into);
    const ends = invariants.counts.lost;
    host.cutOffUntil = time.now + 20_000;
    await time.runUntil(time.now + 4 * leaseMs);
    expect(invariants.counts.lost).toBe(ends);
    expect(invariants.states.get(id)).toMatchObject({
      lifecycle: "READY_FOR_APPROVAL",
      driver: { attempt: 1 },
    });
  }
});

test("a machine that slept, and whose place nobody took, goes on where it was", async () => {
  const { time, host, invariants } = await startWork();
  host.pausedUntil = time.now + 2 * leaseMs;
  await time.runUntil(host.pausedUntil + leaseMs);
  expect(invariants.states.get(id)).toMatchObject({
    lifecycle: "READY_FOR_APPROVAL",
    driver: { host: host.id },
  });
  expect(invariants.counts.lost).toBe(0);
  expect(invariants.violations).toEqual([]);
});

test("a machine that slept, and whose place somebody took, ends its agent at once", async () => {
  const { time, host, store, hasLeft } = await startWork();
  host.pausedUntil = time.now + 2 * leaseMs;
  await time.runUntil(time.now + leaseMs + 1_000);
  const at = new Date(time.now).toISOString();
  const beat = { driver: "heir", pid: 7, host: "build~2", startedAt: at, at, seat: "tmux" };
  expect(await store.runtime().claim(id, beat)).toEqual({ ok: true });
  await time.runUntil(host.pausedUntil + 1_000);
  expect([...host.processes.keys()]).toEqual([]);
  await time.runUntil(host.pausedUntil + 2_000);
  expect(hasLeft()).toBe(true);
});
