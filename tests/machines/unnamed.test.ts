// What a machine sent and was lost before it could say so: after a week a person's `pairflow clean` takes it back, with the rights that
// `pairflow server init` gave them, and nothing that a record names.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openNatsStore, type SharedStore } from "../../src/app/store/nats-store.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";
import { type Rig, shortest } from "../acceptance/rig.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { type Fleet, openFleet, until } from "./fleet.ts";

const id = "fix-cart";
const week = 7 * 86_400_000;

describe.skipIf(natsMissing)(
  `commits that no record names${natsMissing ? ` (skipped: ${natsMissing})` : ""}`,
  { timeout: 60_000 },
  () => {
    let fleet: Fleet;
    let person: Rig;
    let other: Rig;
    const stores: SharedStore[] = [];

    beforeAll(async () => {
      fleet = await openFleet({ agents: { codex: shortest.implementer, claude: shortest.reviewer } });
      [person, other] = fleet.hosts as [Rig, Rig];
    }, 60_000);
    afterAll(async () => {
      for (const store of stores) await store.close();
      await fleet.close();
    });

    const open = async (key: string) => {
      const credentials = readFileSync(join(fleet.serverFolder, "keys", "shop", `${key}.nk`));
      const options = { url: fleet.url, project: "shop", root: person.repo, host: "h", leaseMs: 2000 };
      const store = await openNatsStore({ ...options, replicas: 1, credentials });
      stores.push(store);
      return store;
    };
    const placeIn = ({ repo }: Rig) => ({
      ...{ repo, path: repo, bubble: id, branch: `bubble/${id}`, mode: "worktree" as const },
      baseCommit: person.git("rev-parse", "main").trim(),
    });

    test("stay for a week, and go by a person's word; what is named stays", async () => {
      await person.ok("create", "--id", id, "--task", "Fix the total", "--test", "true", "--yes");
      await person.ok("start", "--id", id, "--yes");
      const worker = fleet.worker(other);
      await until(person, id, ({ state }) => state === "READY_FOR_APPROVAL");
      await worker.kill("SIGTERM");

      const { travel } = await open("host-1");
      const named = (await travel.listSent()).map(({ commit }) => commit);
      expect(named.length).toBeGreaterThan(0);
      const tree = person.git("rev-parse", "main^{tree}").trim();
      const commit = person.git("commit-tree", "-p", "main", "-m", "lost", tree).trim();
      const pin = { ref: `refs/pairflow/${id}/lost`, commit };
      await travel.publish(placeIn(person), pin);
      expect(await travel.fetchBase({ ...placeIn(person), baseCommit: "0".repeat(40) })).toBe(false);

      expect(await person.ok("clean")).not.toContain("named by no record");
      const shift = join(person.folder, "later");
      writeFileSync(shift, String(week + 3_600_000));
      const later = person.with({ PAIRFLOW_CLOCK_SHIFT_FILE: shift });
      const shown = await later.ok("clean");
      expect(shown).toContain(
        `commit ${commit.slice(0, 12)} of ${id} is on the server and named by no record`,
      );
      expect(shown).toContain("Next: pairflow clean --yes");
      expect((await travel.listSent()).length).toBe(named.length + 1);
      expect(await later.ok("clean", "--yes")).toContain("Took back 1 commit");
      expect((await travel.listSent()).map((sent) => sent.commit).sort()).toEqual(named.sort());
      await assertFailsWith("travel.unknown", () => travel.fetch(placeIn(other), pin));
      expect(await person.ok("diff", "--id", id)).toContain("total");

      // Nobody takes back what the record itself consists of.
      const { travel: ofWorker } = await open("host-2");
      await assertFailsWith("store.forbidden", () =>
        ofWorker.takeBack({ bubble: id, commit: named[0] ?? "" }),
      );
    });
  },
);
