// Machines that do not fit: a clock that is a day off, a clone that is behind, a record that is newer than this version. Each says so
// with what to type, takes nothing, and breaks nothing for the others.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nameLogSubjects } from "../../src/adapters/log/nats/subjects.ts";
import { type Rig, shortest } from "../acceptance/rig.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { type Fleet, openFleet, until } from "./fleet.ts";

const dayMs = 86_400_000;

describe.skipIf(natsMissing)(
  `machines that do not fit${natsMissing ? ` (skipped: ${natsMissing})` : ""}`,
  () => {
    let server: RunningServer;
    let fleet: Fleet;
    let person: Rig;
    let host: Rig;

    beforeAll(async () => {
      server = await startNatsServer();
      const agents = { codex: shortest.implementer, claude: shortest.reviewer };
      fleet = await openFleet({ agents, server });
      [person, host] = fleet.hosts as [Rig, Rig];
    }, 60_000);
    afterAll(() => fleet.close());

    const offer = async (id: string) => {
      await person.ok("create", "--id", id, "--task", "Fix the total", "--test", "true", "--yes");
      await person.ok("start", "--id", id, "--yes");
    };

    test.each([
      ["ahead", dayMs],
      ["behind", -dayMs],
    ])("a clock that is a day %s: the worker takes nothing, and the doctor says why", async (side, shift) => {
      const file = join(host.folder, `shift-${side}`);
      writeFileSync(file, String(shift));
      const wrong = host.with({ PAIRFLOW_CLOCK_SHIFT_FILE: file });
      const refused = await wrong.run("worker", "--yes");
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toMatch(new RegExp(`86[34]\\d\\d seconds ${side} .*worker\\.unfit`));
      expect(refused.stderr).toContain("timedatectl");
      expect((await wrong.run("doctor")).stdout).toMatch(new RegExp(`86[34]\\d\\d seconds ${side}`));
    });

    test("a clone that lacks what a bubble began with: not taken, until it was fetched, or somebody who has it sends it", {
      timeout: 60_000,
    }, async () => {
      person.write("src/new.txt", "new\n");
      person.git("add", "-A");
      person.git("commit", "-q", "-m", "a commit that no other clone has");
      await offer("fix-new");
      const worker = fleet.worker(host);
      await worker.hears(/fix-new: not taken: this clone lacks the commit .*fetch --all/);
      expect((await person.status("fix-new")).state).toBe("PREPARING_WORKSPACE");
      host.git("fetch", "-q", "--all");
      await until(person, "fix-new", ({ state }) => state === "READY_FOR_APPROVAL");

      person.write("src/newer.txt", "newer\n");
      person.git("add", "-A");
      person.git("commit", "-q", "-m", "and another one");
      await offer("fix-newer");
      await worker.hears(/fix-newer: not taken: .*pairflow resume --id fix-newer/);
      await person.ok("resume", "--id", "fix-newer");
      await until(person, "fix-newer", ({ state }) => state === "READY_FOR_APPROVAL", 30_000);
      expect(host.git("cat-file", "-t", person.git("rev-parse", "HEAD").trim())).toContain("commit");
      await worker.kill("SIGTERM");
    });

    test("a record of a later version: nobody here acts on it, and nobody calls it damaged", {
      timeout: 60_000,
    }, async () => {
      await offer("fix-later");
      const { all, of } = nameLogSubjects("shop");
      const last = await server.jsm.streams.getMessage("pf-log-shop", { last_by_subj: all("fix-later") });
      const text = last?.string().trimEnd().split("\n").at(-1) ?? "";
      const { seq, v, ...rest } = JSON.parse(text) as { seq: number; v: number };
      const prev = createHash("sha256").update(text).digest("hex");
      const line = { v: v + 1, seq: seq + 1, ...rest, batch: { id: "later", i: 0, n: 1 }, prev };
      await server.js.publish(of("fix-later", "w"), `${JSON.stringify(line)}\n`);

      const worker = fleet.worker(host);
      await worker.hears(/fix-later: .*newer/);
      for (const words of [["stop"], ["approve", "--yes"], ["resume"]]) {
        const { stderr } = await person.run(...words, "--id", "fix-later");
        expect(stderr, words.join(" ")).toContain("log.newer");
        expect(stderr).not.toContain("log.damaged");
      }
      expect((await person.run("status", "--id", "fix-later")).stderr).toContain("newer");
      // Others are worked on.
      await offer("fix-other");
      await until(person, "fix-other", ({ state }) => state === "READY_FOR_APPROVAL");
      await worker.kill("SIGTERM");
    });
  },
);
