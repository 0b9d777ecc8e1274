// A record goes from files to a server and back, byte for byte; and what does not build on what is there is not taken.
import { appendFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { type Fleet, openFleet } from "./fleet.ts";

const id = "fix-cart";

describe.skipIf(natsMissing)(
  `records between stores${natsMissing ? ` (skipped: ${natsMissing})` : ""}`,
  () => {
    let fleet: Fleet;
    let a: Rig;
    let b: Rig;
    let out: string;
    let before: Buffer;

    beforeAll(async () => {
      fleet = await openFleet({ agents: { codex: shortest.implementer, claude: shortest.reviewer } });
      [a, b] = fleet.hosts as [Rig, Rig];
      out = join(a.folder, "exported");
    });
    afterAll(() => fleet.close());
    const withFiles = (host: Rig) => host.with({ PAIRFLOW_STORE: "files" });

    test("files → folder → server → folder: the same bytes, and verify says so", {
      timeout: 120_000,
    }, async () => {
      const files = withFiles(a);
      await files.ok("create", "--id", id, "--task", "Make the total right", "--test", "true", "--yes");
      await files.ok("start", "--id", id, "--headless", "--yes");
      await files.ok("approve", "--id", id, "--yes", "--operator-key", a.key);
      await files.ok("commit", "--id", id, "--operator-key", a.key);
      before = readFileSync(a.transcript(id));
      expect(await files.ok("export", "--record", "--id", id, "--out", out)).toContain("pairflow import");
      expect(readFileSync(join(out, id, "transcript.ndjson"))).toEqual(before);

      expect(await a.ok("import", out)).toMatch(/fix-cart: \d+ lines taken/);
      expect(await a.ok("verify", "--id", id)).toContain("good");
      expect(await a.ok("import", out)).toContain("nothing new");
      // The other machine has neither the folder nor the commits.
      expect(await b.ok("verify", "--id", id)).toContain("good");
      expect(await b.ok("bubble", "diff", "--id", id)).toContain("total: 2");

      await b.ok("mirror", "--once");
      expect(readFileSync(b.transcript(id))).toEqual(before);
      const back = withFiles(b);
      expect(await back.ok("verify", "--id", id)).toContain("good");
      expect(await back.ok("list", "--all")).toContain(id);
    });

    test("only lines that build on what is there are taken", async () => {
      const shorter = join(a.folder, "shorter");
      cpSync(out, shorter, { recursive: true });
      const file = join(shorter, id, "transcript.ndjson");
      const lines = before.toString().trimEnd().split("\n");
      writeFileSync(file, `${lines.slice(0, 3).join("\n")}\n`);
      expect(await a.ok("import", shorter)).toContain("nothing new");

      // Another bubble under the same name, in a clone of its own.
      const other = rig();
      try {
        await createScripted(other, id, shortest);
        const told = await a.run("import", join(other.repo, ".pairflow", "bubbles"));
        expect(told).toMatchObject({ code: 3 });
        expect(told.stderr).toContain("import.other-record");
      } finally {
        await other.close();
      }

      writeFileSync(file, `${lines.slice(0, 3).join("\n")}\n${lines[3]?.replace('"round":', '"round": ')}\n`);
      appendFileSync(file, `${lines[4]}\n`);
      expect((await a.run("import", shorter)).stderr).toMatch(/import\.other-record|log\.damaged/);
      writeFileSync(file, before);
      const artifacts = lines.flatMap((line) => (JSON.parse(line) as { refs: string[] }).refs);
      const named = artifacts.find((ref) => ref.startsWith("artifact://")) ?? "";
      const path = join(shorter, id, "artifacts", named.slice("artifact://".length));
      expect(existsSync(path)).toBe(true);
      cpSync(join(out, id, "bubble.toml"), path, { force: true });
      expect((await a.run("import", shorter)).stderr).toContain("import.artifact");
      expect(await a.ok("verify", "--id", id)).toContain("good");
    });

    test("a machine's key takes no lines of people, and a secret is not sent", async () => {
      const fresh = join(a.folder, "fresh");
      cpSync(join(out, id), join(fresh, "fix-again"), { recursive: true });
      const text = before.toString().replaceAll('"fix-cart"', '"fix-again"');
      expect(text).not.toBe(before.toString());
      // The chain is of the other name, so nothing of it is taken.
      writeFileSync(join(fresh, "fix-again", "transcript.ndjson"), text);
      expect((await a.run("import", fresh)).stderr).toMatch(/log\.damaged/);

      const secret = "s3cr3t-value-of-this-machine";
      const worker = b.with({
        PAIRFLOW_STORE_CREDENTIALS: join(fleet.serverFolder, "keys", "shop", "host-2.nk"),
      });
      const files = withFiles(b);
      const made = (id: string, task: string) =>
        files.ok("create", "--id", id, "--task", task, "--test", "true", "--yes");
      await made("fix-key", `Make the total right ${secret}`);
      await files.ok("export", "--record", "--id", "fix-key", "--out", join(b.folder, "key"));
      // From here on this value is known as a secret.
      const knowing = b.with({ SHOP_API_KEY: secret });
      expect((await knowing.run("import", join(b.folder, "key"))).stderr).toContain("import.secret");
      expect((await b.run("status", "--id", "fix-key")).stderr).toContain("bubble.unknown");

      await made("fix-two", "Make the total right");
      const folder = join(b.folder, "two");
      await files.ok("start", "--id", "fix-two", "--headless", "--yes");
      await files.ok("approve", "--id", "fix-two", "--yes", "--operator-key", b.key);
      await files.ok("export", "--record", "--id", "fix-two", "--out", folder);
      expect((await worker.run("import", folder)).stderr).toContain("store.forbidden");
      expect(await b.ok("import", folder)).toContain("1 line taken");
      expect(await a.ok("verify", "--id", "fix-two")).toContain("good");
    });
  },
);
