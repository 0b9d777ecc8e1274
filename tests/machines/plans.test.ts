// What a project knows beside its records: plans that are begun on one machine and committed to on another, and what was learned from
// reviews, wherever they were made. Typed as people do, over a real server with its users.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Rig } from "../acceptance/rig.ts";
import { cents, implementer, listed, notices } from "../cli/conventions-scene.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { type Fleet, openFleet, until } from "./fleet.ts";

const slug = "add-discounts";
const fileOf = (host: Rig, name: string) => join(host.repo, ".pairflow", "plans", slug, name);

describe.skipIf(natsMissing)(
  `plans of several machines${natsMissing ? ` (skipped: ${natsMissing})` : ""}`,
  () => {
    let fleet: Fleet;
    let a: Rig;
    let b: Rig;
    beforeAll(async () => {
      fleet = await openFleet({ agents: { codex: implementer, claude: [notices(cents)] } });
      [a, b] = fleet.hosts as [Rig, Rig];
    }, 60_000);
    afterAll(() => fleet.close());

    test("a plan that is begun here is filled in, committed to and split into tasks there", {
      timeout: 60_000,
    }, async () => {
      await a.ok("explore", "Add discounts", "--no-agent");
      expect(await b.ok("plan", "list")).toContain(slug);
      const parts = [
        "--set",
        "mission=Sell old stock.",
        "--set",
        "execution=1. Add the rule to `src/cart.txt`",
      ];
      await b.ok("plan", "edit", slug, ...parts);
      expect(await a.ok("plan", "show", slug)).toContain("Sell old stock.");
      expect(readFileSync(fileOf(a, "plan.md"), "utf8")).toContain("Sell old stock.");
      await a.ok("promote", slug);
      expect((await b.run("plan", "edit", slug, "--set", "mission=Another one")).stderr).toContain(
        "plan.frozen",
      );
      await b.ok("tasks", slug, "--yes");
      expect(await a.ok("tasks", slug)).toContain("src/cart.txt");
      expect(JSON.parse(readFileSync(fileOf(a, "tasks.json"), "utf8")).confirmed_at).toBeDefined();
    });

    test("mirror brings plans into a clone that has none of their files", async () => {
      rmSync(fileOf(b, "."), { recursive: true });
      await b.ok("mirror", "--once");
      expect(existsSync(fileOf(b, "plan.md"))).toBe(true);
      expect(existsSync(fileOf(b, "tasks.json"))).toBe(true);
    });

    test("what a reviewer noticed on one machine waits for a word on the other", {
      timeout: 90_000,
    }, async () => {
      const worker = fleet.worker(b);
      const confirmed = ["--test", "true", "--base-gates", "off", "--yes"];
      await a.ok("create", "--id", "fix", "--task", "Fix the total", ...confirmed);
      await a.ok("start", "fix", "--yes");
      await until(a, "fix", ({ state }) => state === "READY_FOR_APPROVAL");
      const signs = ["--operator-key", a.key];
      await a.ok("approve", "fix", "--yes", ...signs);
      await a.ok("commit", "fix", ...signs);
      await expect
        .poll(() => listed(a), { timeout: 30_000, interval: 200 })
        .toMatchObject([{ name: cents.name, evidence: [{ bubble: "fix" }] }]);
      expect(await listed(b)).toEqual(await listed(a));
      // And the way back to files takes it along.
      expect(await a.ok("mirror", "--once")).toContain("1 bubble");
      expect((await listed(a.with({ PAIRFLOW_STORE: "files" })))[0]).toMatchObject({ name: cents.name });
      await worker.kill("SIGTERM");
    });
  },
);
