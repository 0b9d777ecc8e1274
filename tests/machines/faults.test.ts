// What happens to machines in the middle of work, with real processes and a real server: killed, paused, cut off, and the server with
// them. Nothing is lost, nothing counts twice, and the next machine has the work within a lease and two seconds.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { processesOf } from "../faults/leftovers.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { openProxy, type ServerProxy } from "./proxy.ts";
import {
  expectWhole,
  id,
  isClaimedAgain,
  isPassed,
  isReady,
  isStarted,
  leaseSeconds,
  lingersFor,
  openTrouble,
  pick,
  pickUpMs,
  type Trouble,
  work,
} from "./trouble.ts";

/** A machine that nobody answers ends its agent within a lease and two seconds; a busy machine takes a while to list processes. */
const endedMs = pickUpMs + 1000;

/** Does nothing for a while on the first machine. */
const hanging = [lingersFor(60), ...work];
/** Hands over, and takes its time to end there: its tree is looked at only afterwards. */
const lingering = [...work, lingersFor(20)];

const describeScene = (lines: readonly Envelope[], { worker }: Trouble) =>
  `${lines.map(({ ts, type, sender }) => `${ts} ${sender} ${type}`).join("\n")}\n${worker.said()}`;

describe.skipIf(natsMissing)(`machines that fail${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let scene: Trouble | undefined;
  let proxy: ServerProxy | undefined;
  afterEach(async () => {
    await scene?.fleet.close();
    await proxy?.close();
    scene = proxy = undefined;
  });

  test("a worker is killed in the middle of a turn; started again, it ends what it left", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble(hanging);
    await scene.hears(isStarted);
    scene.fleet.worker(scene.second);
    await scene.worker.kill("SIGKILL");
    const killed = Date.now();
    expect((await scene.hears(isClaimedAgain)) - killed).toBeLessThan(pickUpMs);
    await scene.hears(isReady);
    const lines = await scene.log();
    expect(pick(lines, "TURN_ENDED").map(({ payload }) => payload.outcome)).toEqual(["host-lost"]);
    expect(processesOf(scene.first)).not.toEqual([]);
    scene.fleet.worker(scene.first);
    await vi.waitUntil(() => scene && processesOf(scene.first).length === 0, {
      timeout: 20_000,
      interval: 100,
    });
    await expectWhole(scene);
  });

  test("a worker is killed between a handover and the look at its tree: the older tree is not taken for it", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble(lingering);
    const { hears, fleet } = scene;
    await hears(isStarted);
    fleet.worker(scene.second);
    await hears(isPassed);
    await scene.worker.kill("SIGKILL");
    const killed = Date.now();
    expect((await hears(isClaimedAgain)) - killed).toBeLessThan(pickUpMs);
    await hears(isReady);
    const lines = await scene.log();
    expect(pick(lines, "TURN_ENDED")[0]?.payload).toMatchObject({
      turn: "t1",
      attempt: 1,
      outcome: "host-lost",
    });
    expect(pick(lines, "HANDOFF")[0]?.payload).toMatchObject({ turn: "t1", attempt: 2 });
    await expectWhole(scene);
  });

  test("a worker is paused past its lease and goes on: it ends its agent, and what it says does not count", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble(hanging);
    await scene.hears(isStarted);
    scene.fleet.worker(scene.second);
    scene.worker.child.kill("SIGSTOP");
    const paused = Date.now();
    expect((await scene.hears(isClaimedAgain)) - paused).toBeLessThan(pickUpMs);
    await scene.hears(isReady);
    const before = (await scene.log()).length;
    scene.worker.child.kill("SIGCONT");
    await scene.worker.hears(/fix-cart: left/);
    await vi.waitUntil(() => scene && processesOf(scene.first).length === 0, {
      timeout: 10_000,
      interval: 100,
    });
    // What it hears late of the place that it lost sends nobody to the bubble. Asked to end, it first ends what it has begun.
    await scene.worker.kill("SIGTERM");
    const lines = await scene.log();
    expect(lines.slice(before), describeScene(lines, scene)).toEqual([]);
    await expectWhole(scene);
  });

  test("what an agent says while its machine is paused is not heard when that resumes", {
    timeout: 120_000,
  }, async () => {
    // It hands over when its machine has been paused for longer than its lease.
    const [write, pass] = work;
    scene = await openTrouble([lingersFor(leaseSeconds + 2), write, { run: "touch ../typed" }, pass]);
    await scene.hears(isStarted);
    scene.fleet.worker(scene.second);
    scene.worker.child.kill("SIGSTOP");
    await scene.hears(isReady);
    const typed = join(dirname(scene.first.worktree(id)), "typed");
    await vi.waitUntil(() => existsSync(typed), { timeout: 20_000, interval: 50 });
    const before = (await scene.log()).length;
    scene.worker.child.kill("SIGCONT");
    await vi.waitUntil(() => scene && processesOf(scene.first).length === 0, {
      timeout: pickUpMs,
      interval: 50,
    });
    await scene.worker.kill("SIGTERM");
    const lines = await scene.log();
    // It may be on the record that somebody spoke for a turn that has ended; nothing else is.
    const late = lines.slice(before).map(({ type, payload }) => (type === "WARNING" ? payload.code : type));
    expect(
      late.filter((one) => one !== "turn.stale"),
      describeScene(lines, scene),
    ).toEqual([]);
    expect(pick(lines, "PASS").filter(({ payload }) => payload.turn === "t1")).toHaveLength(1);
    await expectWhole(scene);
  });

  test("a machine is cut off: it ends its agent by itself, and the next one has the work", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble(hanging, {
      workerFlags: async ({ url }) => {
        proxy = await openProxy(url);
        return ["--store", `${proxy.url}/shop`];
      },
    });
    await scene.hears(isStarted);
    scene.fleet.worker(scene.second);
    proxy?.cut();
    const cut = Date.now();
    expect((await scene.hears(isClaimedAgain)) - cut).toBeLessThan(pickUpMs);
    await vi.waitUntil(() => scene && processesOf(scene.first).length === 0, {
      timeout: Math.max(1, cut + endedMs - Date.now()),
      interval: 20,
    });
    await scene.hears(isReady);
    proxy?.heal();
    await scene.worker.hears(/fix-cart: left|fix-cart: .*/);
    await expectWhole(scene);
  });

  test("the server is killed and comes back within a lease: no turn is lost", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble([lingersFor(4), ...work], { leaseSeconds: 6 });
    await scene.hears(isStarted);
    await scene.fleet.server.kill();
    await sleep(1500);
    await scene.fleet.server.start();
    await scene.hears(isReady, 60_000);
    expect(pick(await scene.log(), "TURN_ENDED")).toEqual([]);
    expect(pick(await scene.log(), "DRIVER_CLAIMED")).toHaveLength(1);
    await expectWhole(scene);
  });
});
