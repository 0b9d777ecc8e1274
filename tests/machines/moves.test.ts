// Why a bubble goes to another machine, and when: by labels, and because its machine drains, always between turns; in the middle of
// one only when its machine is lost, and then the agent's session is not looked for elsewhere.
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { natsMissing } from "../helpers/nats-server.ts";
import {
  expectMovesAtSeams,
  expectWhole,
  isReady,
  isStarted,
  leaseSeconds,
  lingersFor,
  listTurnsByHost,
  openTrouble,
  pick,
  type Trouble,
  work,
} from "./trouble.ts";

describe.skipIf(natsMissing)(`moves${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let scene: Trouble | undefined;
  afterEach(async () => {
    await scene?.fleet.close();
    scene = undefined;
  });

  test("a bubble goes where the agent of its next turn may work, and back, its commits by a git remote", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble(work, {
      needs: { codex: ["big"], claude: ["small"] },
      byRemote: true,
      workerFlags: async () => ["--labels", "big"],
    });
    await scene.hears(isStarted);
    scene.fleet.worker(scene.second, "--labels", "small");
    await scene.hears(isReady);
    const lines = await scene.log();
    expect(listTurnsByHost(lines)).toEqual(["t1.1 on 0", "t2.1 on 1", "t3.1 on 0"]);
    expectMovesAtSeams(lines);
    expect(pick(lines, "TURN_ENDED")).toEqual([]);
    // Every clone has them by now, and the remote has them under names of their own.
    const sent = scene.person.git("ls-remote", join(scene.person.folder, "shared.git"));
    expect(sent).toMatch(/refs\/pairflow-travel\/shop\/fix-cart\/[0-9a-f]{40}/);
    expect(sent).not.toContain("refs/heads/bubble");
    await expectWhole(scene);
    expect(await scene.person.ok("doctor").catch(String)).toContain("commits travel by");
  });

  test("gates run where their labels are, the turns where the agents may work; the worktree is made anew on the way", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble(work, {
      needs: { codex: ["agents"], claude: ["agents"] },
      defaults: { commands: { test: { command: "true", needs: ["docker"] } }, setup_needs: ["unix"] },
      gateFlags: [],
      workerFlags: async () => ["--labels", "agents,unix"],
    });
    scene.fleet.worker(scene.second, "--labels", "docker,unix");
    await scene.hears(isReady, 60_000);
    const lines = await scene.log();
    const at = { TURN_STARTED: new Set<string>(), GATES_RESULT: new Set<string>() };
    let driver = "";
    for (const { type, payload } of lines) {
      if (type === "DRIVER_CLAIMED") driver = payload.host;
      if (type === "TURN_STARTED" || type === "GATES_RESULT") at[type].add(driver);
    }
    expect([at.TURN_STARTED.size, at.GATES_RESULT.size]).toEqual([1, 1]);
    expect(at.TURN_STARTED).not.toEqual(at.GATES_RESULT);
    // To the base run and back, to each of two rounds of gates and back, and to the last one: nobody hands it to and fro.
    expect(pick(lines, "DRIVER_CLAIMED").length).toBeLessThan(10);
    expectMovesAtSeams(lines);
    await expectWhole(scene);
  });

  test("a label that no machine has is told; the bubble waits for one that has it", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble(work, { needs: { claude: ["gpu"] } });
    await scene.hears((line) => line.type === "HANDOFF");
    await scene.worker.hears(/fix-cart: left/);
    await scene.person.ok("bubble", "create", "--id", "b2", "--task", "Fix it", "--test", "true", "--yes");
    expect(await scene.person.ok("start", "--id", "b2", "--yes")).toContain("none of them has gpu");
    scene.fleet.worker(scene.second, "--labels", "gpu");
    await scene.hears((line) => line.type === "HANDOFF" && line.payload.turn === "t2");
    expect(listTurnsByHost(await scene.log())[1]).toBe("t2.1 on 1");
  });

  test("a machine that drains finishes its turn, and the next one is another machine's", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble([lingersFor(5), ...work]);
    await scene.hears(isStarted);
    scene.fleet.worker(scene.second);
    scene.worker.child.kill("SIGTERM");
    await scene.worker.hears(/Draining: fix-cart/);
    await scene.worker.hears(/Drained/);
    await scene.hears((line) => line.type === "HANDOFF" && line.payload.turn === "t2");
    const lines = await scene.log();
    expect(listTurnsByHost(lines).slice(0, 2)).toEqual(["t1.1 on 0", "t2.1 on 1"]);
    expectMovesAtSeams(lines);
    expect(pick(lines, "TURN_ENDED").filter(({ payload }) => payload.turn !== "t3")).toEqual([]);
  });

  test("an attempt continues in its session on the machine where that was made, and nowhere else", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble([lingersFor(60), ...work]);
    await scene.hears(isStarted);
    // Asked twice, it ends the turn at once; the same machine takes it up again.
    scene.worker.child.kill("SIGTERM");
    await scene.worker.hears(/Draining: fix-cart/);
    await scene.worker.kill("SIGTERM");
    const again = scene.fleet.worker(scene.first);
    await scene.hears(isAttempt(2));
    scene.fleet.worker(scene.second);
    await again.kill("SIGKILL");
    await scene.hears(isReady, (leaseSeconds + 30) * 1000);
    const lines = await scene.log();
    expect(listTurnsByHost(lines).slice(0, 3)).toEqual(["t1.1 on 0", "t1.2 on 0", "t1.3 on 1"]);
    const [first, second, third] = pick(lines, "TURN_STARTED").map(({ payload }) => payload.session);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    await expectWhole(scene);
  });
});

const isAttempt = (attempt: number) => (line: Parameters<typeof isStarted>[0]) =>
  line.type === "TURN_SPAWNED" && line.payload.attempt === attempt;
