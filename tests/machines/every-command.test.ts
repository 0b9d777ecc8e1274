// Every command that looks at a bubble, typed on a machine that has nothing of it: neither its folder nor its commits. The list is the
// program's own, so that a new command is tried too. And the page, which is no different.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { type Rig, shortest } from "../acceptance/rig.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { pageClient } from "../helpers/page-client.ts";
import { serveUi } from "../web/served.ts";
import { type Fleet, openFleet, until, type Worker } from "./fleet.ts";

const id = "fix-cart";
/** What these need beside the bubble's name, or why they refuse a bubble like this one. */
const more: Readonly<Record<string, readonly string[]>> = {
  export: ["--html", "--out", "-"],
  "review check": ["review.json"],
};
const refusals: Readonly<Record<string, RegExp>> = {
  // There is no such file, which is said after the bubble was found.
  "review check": /review\.json/,
};

describe.skipIf(natsMissing)(
  `commands over a server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`,
  () => {
    let fleet: Fleet;
    let a: Rig;
    let b: Rig;
    let worker: Worker;

    beforeAll(async () => {
      fleet = await openFleet({ agents: { codex: shortest.implementer, claude: shortest.reviewer } });
      [a, b] = fleet.hosts as [Rig, Rig];
      await a.ok("create", "--id", id, "--task", "Make the total right", "--test", "true", "--yes");
      await a.ok("start", "--id", id, "--yes");
      worker = fleet.worker(a);
      await until(a, id, ({ state }) => state === "READY_FOR_APPROVAL").catch((error) => {
        throw new Error(`${error}\n${worker.said()}`);
      });
    }, 120_000);
    afterAll(() => fleet.close());

    const looking = verbs.filter(
      ({ access, flags, hidden }) => access === "read" && flags.id?.names === "bubble" && !hidden,
    );

    test("the list is not empty", () => expect(looking.length).toBeGreaterThan(7));

    test.each(looking.map(({ words }) => words))("%s", async (words) => {
      rmSync(join(b.repo, ".pairflow", "bubbles"), { recursive: true, force: true });
      const done = await b.run(...words.split(" "), "--id", id, ...(more[words] ?? []));
      const refused = refusals[words];
      if (refused) return expect(done.stdout + done.stderr).toMatch(refused);
      expect(done, done.stderr).toMatchObject({ code: 0 });
      expect(done.stdout).toMatch(/fix-cart|total|round 1/);
    });

    test("all bubbles, without the name of one", async () => {
      for (const words of [["list"], ["inbox"], ["home"], ["verify"]])
        expect(await b.ok(...words), words[0]).toContain(id);
      expect((await b.run("status", "--id", "fix-card")).stderr).toContain("bubble.unknown");
      expect((await b.run("attach", "--id", id)).stderr).toMatch(/attach\./);
      expect(await b.ok("bubble", "status", "--id", id)).toMatch(/^ *on /m);
      expect(await b.ok("doctor").catch(String)).toContain("sync_interval: always");
    });

    test("--store goes before what the settings say, and with every command", async () => {
      expect(await b.ok("list", "--store", "files")).not.toContain(id);
      expect(await b.ok("--store", `${fleet.url}/shop`, "list")).toContain(id);
      expect((await b.run("list", "--store", "nats://127.0.0.1:1/shop")).stderr).toContain(
        "store.unreachable",
      );
      expect((await b.run("list", "--store", "nats:/oops")).stderr).toContain("config.bad-value");
    });

    test("the page shows it, and a person's machine decides", async () => {
      const served = await serveUi(b);
      try {
        const client = await pageClient(served.address);
        for (const path of [
          "/api/inbox",
          "/api/bubbles",
          `/api/b/shop/${id}/overview`,
          `/api/b/shop/${id}/review`,
        ]) {
          const { status, body } = await client.get(path);
          expect(status, path).toBe(200);
          expect(JSON.stringify(body), path).toContain(id);
        }
      } finally {
        await served.end();
      }
      await a.ok("approve", "--id", id, "--yes", "--operator-key", a.key);
      await a.ok("commit", "--id", id, "--operator-key", a.key);
      expect(a.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
      expect(await b.ok("verify", "--id", id)).toContain("good");
      await a.ok("bubble", "delete", "--id", id);
      expect(await b.ok("list")).not.toContain(id);
      expect(existsSync(join(a.repo, ".pairflow"))).toBe(true);
    });
  },
);
