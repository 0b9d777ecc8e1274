// A bubble made on one machine, worked on by another, asked about and signed on the first: they share a server and nothing else.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shortest } from "../acceptance/rig.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { type Fleet, openFleet, until } from "./fleet.ts";

const [implement, review] = shortest.implementer;
const asking = {
  ...implement,
  steps: [{ ask: { question: "Keep the old total?", options: ["yes", "no"] } }, ...(implement?.steps ?? [])],
};

describe.skipIf(natsMissing)(`two machines${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await openFleet({
      agents: { codex: [asking, review], claude: shortest.reviewer },
    });
  });
  afterAll(() => fleet.close());

  test("one makes, answers and signs what the other has built", { timeout: 120_000 }, async () => {
    const [a, b] = fleet.hosts as [(typeof fleet.hosts)[0] & object, (typeof fleet.hosts)[0] & object];
    await a.ok("bubble", "create", "--id", "fix-cart", "--task", "Fix the total", "--test", "true", "--yes");
    const started = await a.ok("bubble", "start", "--id", "fix-cart", "--yes");
    expect(started).toContain("Offered");
    const worker = fleet.worker(b);
    const asked = await until(a, "fix-cart", ({ state }) => state === "WAITING_HUMAN").catch((error) => {
      throw new Error(`${error}\n${worker.said()}`);
    });
    expect(await a.ok("inbox")).toContain("Keep the old total?");
    expect(asked.worktree).toBe(b.worktree("fix-cart"));
    await a.ok("bubble", "reply", "--id", "fix-cart", "--message", "no", "--operator-key", a.key);
    await until(a, "fix-cart", ({ state }) => state === "READY_FOR_APPROVAL").catch((error) => {
      throw new Error(`${error}\n${worker.said()}`);
    });
    expect(existsSync(a.worktree("fix-cart"))).toBe(false);
    await a.ok("bubble", "approve", "--id", "fix-cart", "--yes", "--operator-key", a.key);
    await a.ok("bubble", "commit", "--id", "fix-cart", "--operator-key", a.key);
    expect(a.git("show", "bubble/fix-cart:src/cart.txt")).toBe("total: 2\n");
    expect(await a.ok("verify", "--id", "fix-cart")).toContain("good");
    expect(await b.ok("verify", "--id", "fix-cart")).toContain("good");
    expect(await a.ok("hosts")).toContain("has-scripted");
    await worker.kill("SIGTERM");
    expect(worker.said()).toContain("Drained");
    expect(await a.ok("hosts")).toContain("No machine takes work now");
    expect(existsSync(join(a.repo, ".pairflow", "bubbles", "fix-cart"))).toBe(true);
  });
});
