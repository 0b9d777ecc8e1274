// What every kind of runtime must keep: the promises are the sentences of ports/record/records.ts.
import assert from "node:assert/strict";
import type { Beat, Runtime } from "../../ports/record/records.ts";
import { defineContract } from "./contract.ts";

export interface RuntimeRig {
  readonly runtime: Runtime;
  /** The runtime as another process gets it: same storage, no memory. */
  again(): Runtime;
  readonly livingPid: number;
  /** The pid of a process that has ended. */
  readonly deadPid: number;
  readonly host: string;
  close(): Promise<void>;
}

const R1 =
  "R1 at most one living process holds a bubble's driver place; a dead holder's place is free at once where its process can be asked, otherwise leaseMs after its last beat by the store's clock";
const R2 = "R2 a beat is readable by any process, whole or absent";
const R3 = "R3 a beat says whether the place is still held: who was replaced, or gave it back, is told so";
const signs = "signs of life are written by hooks inside agents' processes";

/** The cases for one runtime adapter. */
export const buildRuntimeContract = defineContract<RuntimeRig>([
  [R1, "the second to come is told who holds it", checkSecondIsTold],
  [R1, "of twenty who want a dead holder's place one gets it", checkOneHeir],
  [R1, "given back, it is free; only the holder can give it back", checkGivenBack],
  [R1, "each bubble has a place of its own", placeEach],
  [R2, "the holder's newest beat is seen by others", checkNewestBeat],
  [R2, "a beat of somebody else changes nothing", checkStrangersBeat],
  [R3, "the holder is told that it holds it", checkHolderHolds],
  [R3, "a holder that was replaced is told so", checkReplacedIsTold],
  [signs, "the last one is remembered", checkLastSign],
]);

function buildBeat({ host, livingPid }: RuntimeRig, driver: string, more: Partial<Beat> = {}): Beat {
  const at = new Date().toISOString();
  return { driver, pid: livingPid, host, startedAt: at, at, seat: "process", ...more };
}

async function checkSecondIsTold(rig: RuntimeRig): Promise<void> {
  assert.equal(await rig.runtime.living("b1"), undefined);
  const first = buildBeat(rig, "d1", { session: "pf-b1" });
  assert.deepEqual(await rig.runtime.claim("b1", first), { ok: true });
  assert.deepEqual(await rig.again().claim("b1", buildBeat(rig, "d2")), { ok: false, holder: first });
  assert.deepEqual(await rig.again().claim("b1", first), { ok: true });
  assert.deepEqual(await rig.again().living("b1"), first);
}

async function checkOneHeir(rig: RuntimeRig): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(await rig.runtime.claim("b1", buildBeat(rig, "dead", { pid: rig.deadPid })), {
      ok: true,
    });
    assert.equal(await rig.again().living("b1"), undefined);
    const names = Array.from({ length: 20 }, (_, i) => `heir-${i}`);
    const done = await Promise.all(names.map((name) => rig.again().claim("b1", buildBeat(rig, name))));
    const heirs = names.filter((_, i) => done[i]?.ok);
    assert.equal(heirs.length, 1);
    assert.equal((await rig.again().living("b1"))?.driver, heirs[0]);
    await rig.again().release("b1", heirs[0] ?? "");
  }
}

async function checkGivenBack(rig: RuntimeRig): Promise<void> {
  await rig.runtime.claim("b1", buildBeat(rig, "d1"));
  await rig.again().release("b1", "d2");
  assert.equal((await rig.again().living("b1"))?.driver, "d1");
  await rig.again().release("b1", "d1");
  assert.equal(await rig.again().living("b1"), undefined);
  await rig.again().release("b1", "d1");
  assert.deepEqual(await rig.again().claim("b1", buildBeat(rig, "d2")), { ok: true });
  await rig.again().release("b1", "d1");
  assert.equal((await rig.again().living("b1"))?.driver, "d2");
}

async function placeEach(rig: RuntimeRig): Promise<void> {
  await rig.runtime.claim("b1", buildBeat(rig, "d1"));
  assert.deepEqual(await rig.runtime.claim("b10", buildBeat(rig, "d2")), { ok: true });
  assert.equal((await rig.again().living("b1"))?.driver, "d1");
  assert.equal(await rig.again().living("b"), undefined);
  await rig.runtime.claim("b2", buildBeat(rig, "dead", { pid: rig.deadPid }));
  const living = await rig.again().listLiving(["b", "b2", "b10", "b1"]);
  assert.deepEqual(Object.fromEntries([...living].map(([bubble, { driver }]) => [bubble, driver])), {
    b1: "d1",
    b10: "d2",
  });
}

async function checkNewestBeat(rig: RuntimeRig): Promise<void> {
  const first = buildBeat(rig, "d1");
  await rig.runtime.claim("b1", first);
  for (const doing of ["gates", "turn"]) {
    await rig.runtime.beat("b1", { ...first, doing });
    assert.deepEqual(await rig.again().living("b1"), { ...first, doing });
  }
}

async function checkStrangersBeat(rig: RuntimeRig): Promise<void> {
  await rig.runtime.beat("b1", buildBeat(rig, "d0"));
  assert.equal(await rig.again().living("b1"), undefined);
  await rig.runtime.claim("b1", buildBeat(rig, "d1"));
  await rig.again().beat("b1", buildBeat(rig, "d2"));
  assert.equal((await rig.again().living("b1"))?.driver, "d1");
  await rig.runtime.release("b1", "d1");
  await rig.runtime.beat("b1", buildBeat(rig, "d1"));
  assert.equal(await rig.again().living("b1"), undefined);
}

async function checkHolderHolds(rig: RuntimeRig): Promise<void> {
  await rig.runtime.claim("b1", buildBeat(rig, "d1"));
  assert.equal(await rig.runtime.beat("b1", buildBeat(rig, "d1")), true);
  assert.equal(await rig.again().beat("b1", buildBeat(rig, "d1")), true);
  await rig.runtime.release("b1", "d1");
  assert.equal(await rig.runtime.beat("b1", buildBeat(rig, "d1")), false);
  assert.equal(await rig.runtime.beat("never", buildBeat(rig, "d1")), false);
}

async function checkReplacedIsTold(rig: RuntimeRig): Promise<void> {
  const old = buildBeat(rig, "d1", { pid: rig.deadPid });
  await rig.runtime.claim("b1", old);
  assert.deepEqual(await rig.again().claim("b1", buildBeat(rig, "d2")), { ok: true });
  assert.equal(await rig.runtime.beat("b1", old), false);
  assert.equal((await rig.again().living("b1"))?.driver, "d2");
  assert.equal(await rig.again().beat("b1", buildBeat(rig, "d2")), true);
}

async function checkLastSign(rig: RuntimeRig): Promise<void> {
  assert.equal(await rig.runtime.lastSign("b1"), undefined);
  const before = Date.now() - 5;
  await rig.runtime.sign("b1");
  const first = await rig.again().lastSign("b1");
  assert.ok(first && Date.parse(first) >= before && Date.parse(first) <= Date.now() + 5, first);
}
