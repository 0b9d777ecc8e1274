// docs/machines.md: from one laptop to three hosts in ten commands, each typed as it stands there. Only the port, the folder and the place
// of a key are this test's own.
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Rig, rig, shortest } from "../acceptance/rig.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { startWorker, until, type Worker } from "./fleet.ts";
import { type ConfiguredServer, findFreePort, startConfiguredServer } from "./server.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "machines.md"), "utf8");
const [, howTo = ""] = page.split("<!-- how-to -->");
const [onServer = [], onHost = [], anywhere = []] = [...howTo.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, text = ""]) =>
    text
      .trim()
      .split("\n")
      .map((line) => line.replace(/\s+#.*$/, "")),
);

describe.skipIf(natsMissing)(`the ten commands${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  const rigs: Rig[] = [];
  const workers: Worker[] = [];
  let server: ConfiguredServer | undefined;
  afterAll(async () => {
    for (const worker of workers) await worker.kill("SIGKILL");
    await server?.kill();
    for (const one of rigs) await one.close();
  });

  test("lead from a laptop with files to three hosts", { timeout: 180_000 }, async () => {
    expect([onServer.length, onHost.length, anywhere.length]).toEqual([5, 2, 3]);
    const laptop = makeLaptop();
    rigs.push(laptop);
    await laptop.ok(
      "create",
      "--id",
      "fix-cart",
      "--task",
      "Make the total right",
      "--test",
      "true",
      "--yes",
    );
    const port = await findFreePort();
    const folder = join(laptop.folder, "pairflow-server");
    const here = (line: string) =>
      line.replaceAll("~/pairflow-server", folder).replaceAll("127.0.0.1:4222", `127.0.0.1:${port}`);
    const [init = "", start = "", store = "", join1 = "", take = ""] = onServer.map(here);
    await type(laptop, `${init} --listen 127.0.0.1:${port}`);
    expect(start).toMatch(/^nats-server -c /);
    server = await startConfiguredServer(start.slice("nats-server -c ".length), port);
    const [, line = "", file = ""] = /^echo '(.*)' >> (.*)$/.exec(store) ?? [];
    appendFileSync(join(laptop.repo, file), `${line}\n`);
    laptop.git("commit", "-q", "-a", "-m", "share the records");
    await type(laptop, join1);
    expect(await type(laptop, take)).toContain("fix-cart");

    for (const name of ["host-a", "host-b"]) {
      const host = cloneLaptop(laptop);
      rigs.push(host);
      cpSync(join(folder, "keys", "shop", `${name}.nk`), join(host.repo, "host-a.nk"));
      const [joining = "", working = ""] = onHost;
      await type(host, joining);
      rmSync(join(host.repo, "host-a.nk"));
      const worker = startWorker(host, working.split(" ").slice(2));
      workers.push(worker);
      await worker.hears(/Worker /);
    }
    const [hosts = "", begin = "", inbox = ""] = anywhere;
    await expect
      .poll(async () => (await type(laptop, hosts)).match(/has-scripted/g)?.length, { timeout: 20_000 })
      .toBe(2);
    expect(await type(laptop, begin)).toContain("2 machines take work");
    await until(laptop, "fix-cart", ({ state }) => state === "READY_FOR_APPROVAL").catch((error) => {
      throw new Error(`${error}\n${workers.map((worker) => worker.said()).join("\n")}`);
    });
    expect(await type(laptop, inbox)).toContain("fix-cart");

    // Where only a worker has a key, a person looks by it, and decides nothing.
    const [, worker] = rigs as [Rig, Rig];
    expect(await worker.ok("status", "--id", "fix-cart")).toContain("READY_FOR_APPROVAL");
    expect(await worker.ok("hosts")).toContain("has-scripted");
    expect(await worker.ok("verify", "--id", "fix-cart")).toContain("good");
    const words = ["request-rework", "--id", "fix-cart", "--message", "no"];
    const decided = await worker.run("bubble", ...words);
    expect(decided.stderr).toContain("A decision is made with a person's key");
    expect((await laptop.status("fix-cart")).state).toBe("READY_FOR_APPROVAL");
  });
});

const type = (host: Rig, line: string): Promise<string> => host.ok(...line.split(" ").slice(1));

function makeLaptop(): Rig {
  const laptop = rig();
  const agents = { codex: shortest.implementer, claude: shortest.reviewer };
  for (const [agent, turns] of Object.entries(agents))
    laptop.write(`agents/${agent}.json`, JSON.stringify({ agent, turns }));
  const lines = Object.keys(agents).map(
    (name) => `  ${name}: { adapter: scripted, script: agents/${name}.json }`,
  );
  laptop.write(
    ".pairflow/config.yaml",
    `agents:\n${lines.join("\n")}\ndefaults: { review: { require_evidence: false } }\n`,
  );
  laptop.git("add", "-A");
  laptop.git("add", "-f", ".pairflow/config.yaml");
  laptop.git("commit", "-q", "-m", "configure");
  return laptop;
}

function cloneLaptop(laptop: Rig): Rig {
  const host = rig();
  rmSync(host.repo, { recursive: true, force: true });
  mkdirSync(host.folder, { recursive: true });
  execFileSync("git", ["clone", "-q", laptop.repo, host.repo], { env: host.env });
  return host;
}
