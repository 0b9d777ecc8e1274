// Agents of a worker in tmux panes: who sits at that machine can look at them, others are told where they are; and the room goes along
// when the bubble does.
import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import type { Rig } from "../acceptance/rig.ts";
import { processesOf } from "../faults/leftovers.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import {
  expectMovesAtSeams,
  expectWhole,
  id,
  isReady,
  isStarted,
  lingersFor,
  listTurnsByHost,
  openTrouble,
  pick,
  type Trouble,
  work,
} from "./trouble.ts";

const tmux = (host: Rig, ...args: string[]) =>
  spawnSync("tmux", ["-L", host.socket, ...args], { env: host.env, encoding: "utf8" });
const hasRoom = (host: Rig) => tmux(host, "list-panes", "-a").stdout.trim() !== "";
const missing = natsMissing ?? (spawnSync("tmux", ["-V"]).status === 0 ? undefined : "tmux is not here");

describe.skipIf(missing)(`panes of a worker${missing ? ` (skipped: ${missing})` : ""}`, () => {
  let scene: Trouble | undefined;
  afterEach(async () => {
    await scene?.fleet.close();
    scene = undefined;
  });
  const workerFlags = async () => ["--tmux"];

  test("are shown by attach on its machine, named elsewhere, and go along when it drains", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble([lingersFor(4), ...work], { workerFlags });
    const { first, second, person } = scene;
    await scene.hears(isStarted);
    expect(pick(await scene.log(), "TURN_STARTED")[0]?.payload.seat).toBe("tmux");
    const shown = await first.ok("attach", "--id", id, "--print");
    expect(shown).toContain(`-L ${first.socket} attach-session`);
    // One pane shows the work, and drives nothing: the worker does.
    const panes = tmux(first, "list-panes", "-a", "-F", "#{pane_start_command}").stdout;
    expect(panes).toMatch(/status.*--watch/);
    expect(panes).not.toContain("drive");
    for (const host of [second, person]) {
      const told = await host.run("attach", "--id", id);
      expect(told.stderr).toContain("attach.elsewhere");
      expect(told.stderr).toMatch(/ssh -t \S+ pairflow bubble attach --id fix-cart/);
    }
    scene.fleet.worker(second, "--tmux");
    scene.worker.child.kill("SIGTERM");
    // A scripted agent's place in its script stays where it was: the third turn asks a human.
    await scene.hears((line) => line.type === "HUMAN_QUESTION");
    const lines = await scene.log();
    expect(listTurnsByHost(lines).slice(0, 2)).toEqual(["t1.1 on 0", "t2.1 on 1"]);
    expectMovesAtSeams(lines);
    await scene.worker.hears(/Drained/);
    expect(hasRoom(first)).toBe(false);
    // What was done can still be looked at while a person decides.
    expect(await second.ok("attach", "--id", id, "--print")).toContain(second.socket);
    expect(hasRoom(second)).toBe(true);
    await person.ok("verify", "--id", id);
  });

  test("a worker that is ended leaves no agent at work in them; one that is killed leaves them to the next", {
    timeout: 120_000,
  }, async () => {
    scene = await openTrouble([lingersFor(60), ...work], { workerFlags });
    const { first, second } = scene;
    await scene.hears(isStarted);
    scene.worker.child.kill("SIGTERM");
    await scene.worker.hears(/Draining: fix-cart/);
    await scene.worker.kill("SIGTERM");
    expect(agentsOf(first)).toEqual([]);
    expect(pick(await scene.log(), "TURN_ENDED")[0]?.payload.outcome).toBe("superseded");

    const again = scene.fleet.worker(first, "--tmux");
    await scene.hears((line) => line.type === "TURN_SPAWNED" && line.payload.attempt === 2);
    scene.fleet.worker(second, "--tmux");
    await again.kill("SIGKILL");
    expect(agentsOf(first)).not.toEqual([]);
    await scene.hears(isReady);
    scene.fleet.worker(first, "--tmux");
    await expect.poll(() => [agentsOf(first), hasRoom(first)], { timeout: 20_000 }).toEqual([[], false]);
    await expectWhole(scene);
  });
});

const agentsOf = (host: Rig) => processesOf(host).filter(({ work }) => /\/t\d+\.\d+$/.test(work));
