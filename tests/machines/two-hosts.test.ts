// A bubble made on one machine, worked on by another, asked about and signed on a third, and mirrored there all the while: they share a
// server and nothing else.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cli, type Rig, shortest } from "../acceptance/rig.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { type Fleet, openFleet, until } from "./fleet.ts";

const [implement, review] = shortest.implementer;
const asking = {
  ...implement,
  steps: [{ ask: { question: "Keep the old total?", options: ["yes", "no"] } }, ...(implement?.steps ?? [])],
};

describe.skipIf(natsMissing)(`two machines${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let fleet: Fleet;
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    fleet = await openFleet({
      agents: { codex: [asking, review], claude: shortest.reviewer },
      hosts: 3,
    });
  });
  afterAll(async () => {
    for (const end of ends) end();
    await fleet.close();
  });

  test("one makes, another builds, a third answers, signs and keeps a copy", {
    timeout: 120_000,
  }, async () => {
    const [a, b, c] = fleet.hosts as [Rig, Rig, Rig];
    const copies = join(c.folder, "copies");
    const mirror = spawn(c.node, [cli, "mirror", copies], { cwd: c.repo, env: c.env, stdio: "ignore" });
    ends.push(() => mirror.kill("SIGKILL"));
    await a.ok("bubble", "create", "--id", "fix-cart", "--task", "Fix the total", "--test", "true", "--yes");
    const started = await a.ok("bubble", "start", "--id", "fix-cart", "--yes");
    expect(started).toContain("Offered");
    const worker = fleet.worker(b);
    const asked = await until(a, "fix-cart", ({ state }) => state === "WAITING_HUMAN").catch((error) => {
      throw new Error(`${error}\n${worker.said()}`);
    });
    expect(await a.ok("inbox")).toContain("Keep the old total?");
    expect(asked.worktree).toBe(b.worktree("fix-cart"));
    await c.ok("bubble", "reply", "--id", "fix-cart", "--message", "no", "--operator-key", c.key);
    await until(a, "fix-cart", ({ state }) => state === "READY_FOR_APPROVAL").catch((error) => {
      throw new Error(`${error}\n${worker.said()}`);
    });
    expect(existsSync(c.worktree("fix-cart"))).toBe(false);
    expect((await c.run("open", "--id", "fix-cart")).stderr).toContain("open.elsewhere");
    const approve = ["bubble", "approve", "--id", "fix-cart", "--yes", "--operator-key"];
    // A key is registered for a clone, and speaks there alone.
    expect((await c.run(...approve, a.key)).stderr).toContain("operator.unknown-key");
    await c.ok(...approve, c.key);
    await c.ok("bubble", "commit", "--id", "fix-cart", "--operator-key", c.key);
    expect(c.git("show", "bubble/fix-cart:src/cart.txt")).toBe("total: 2\n");
    for (const host of [a, b, c]) expect(await host.ok("verify", "--id", "fix-cart")).toContain("good");
    const copied = (folder: string) => readFileSync(join(folder, "fix-cart", "transcript.ndjson"), "utf8");
    await a.ok("mirror", "--once", join(a.folder, "copies"));
    const whole = copied(join(a.folder, "copies"));
    expect(whole).toContain("COMMITTED");
    await expect.poll(() => copied(copies), { timeout: 20_000 }).toBe(whole);
    expect(await a.ok("hosts")).toContain("has-scripted");
    const [host] = JSON.parse(await a.ok("hosts", "--json")).hosts;
    expect(host).toMatchObject({
      draining: false,
      started_at: expect.any(String),
      beat_at: expect.any(String),
    });
    await worker.kill("SIGTERM");
    expect(worker.said()).toContain("Drained");
    expect(await a.ok("hosts")).toContain("No machine takes work now");
    expect(existsSync(join(a.repo, ".pairflow", "bubbles", "fix-cart"))).toBe(true);
  });
});
