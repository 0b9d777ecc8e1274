// Bad days of a server, each with its code and what to type; nothing is lost, and what is typed again is done once.
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openNatsStore, type SharedStore } from "../../src/app/store/nats-store.ts";
import { judgeServer } from "../../src/app/store/server-check.ts";
import { writeServer } from "../../src/app/store/server-init.ts";
import { emptyHead } from "../../src/ports/record/log.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";
import { append } from "../../src/testing/log/rig.ts";
import { buildMessages, getMessageText, readAll } from "../../src/testing/messages.ts";
import { natsMissing, startNatsServer } from "../helpers/nats-server.ts";
import { type ConfiguredServer, findFreePort, startConfiguredServer } from "./server.ts";

describe.skipIf(natsMissing)(`bad days${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "pf-bad-days-"));
  const stores: SharedStore[] = [];
  let server: ConfiguredServer;
  let url = "";
  let conf = "";

  const open = async (name = "anna", more: object = {}) => {
    const store = await openNatsStore({
      ...{ url, project: "shop", root: join(folder, name), host: name, replicas: 1, leaseMs: 2000 },
      credentials: readFileSync(join(folder, "keys", "shop", `${name}.nk`)),
      ...more,
    });
    stores.push(store);
    return store;
  };

  beforeAll(async () => {
    const port = await findFreePort();
    const written = writeServer({
      folder,
      project: "shop",
      people: ["anna"],
      workers: ["host-a"],
      listen: [`127.0.0.1:${port}`],
    });
    [conf = ""] = written.confs;
    url = written.url;
    server = await startConfiguredServer(conf, port);
  });
  afterAll(async () => {
    await Promise.allSettled(stores.map((store) => store.close()));
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test("nobody listens there: store.unreachable", () =>
    assertFailsWith("store.unreachable", () => open("anna", { url: "nats://127.0.0.1:1" })));

  test("somebody listens who is no nats-server: store.unreachable, and not for ever", {
    timeout: 20_000,
  }, async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    await assertFailsWith("store.unreachable", () => open("anna", { url: `nats://127.0.0.1:${port}` }));
    silent.close();
  });

  test("an old server: store.too-old", async () => {
    const info = {
      server_id: "x",
      version: "2.10.27",
      proto: 1,
      max_payload: 1_048_576,
      jetstream: true,
      headers: true,
    };
    const old = createServer((socket) => {
      socket.write(`INFO ${JSON.stringify(info)}\r\n`);
      socket
        .on("data", (bytes) => String(bytes).includes("PING") && socket.write("PONG\r\n"))
        .on("error", () => {});
    }).listen(0, "127.0.0.1");
    await once(old, "listening");
    const { port } = old.address() as { port: number };
    await assertFailsWith("store.too-old", () => open("anna", { url: `nats://127.0.0.1:${port}` }));
    old.close();
  });

  test("a key that the server does not know, and a file that is no key", async () => {
    const stranger = writeServer({
      folder: join(folder, "other"),
      project: "shop",
      people: ["mallory"],
      workers: [],
      listen: [],
    });
    const key = readFileSync(stranger.keys.find(({ name }) => name === "mallory")?.file ?? "");
    await assertFailsWith("store.forbidden", () => open("anna", { credentials: key }));
    await assertFailsWith("store.no-key", () => open("anna", { credentials: Buffer.from("not a key\n") }));
  });

  test("a server with its own defaults is not durable, and that is told", async () => {
    const lax = await startNatsServer();
    try {
      const store = await openNatsStore({
        url: lax.url,
        project: "shop",
        root: join(folder, "lax"),
        host: "h",
        replicas: 1,
        leaseMs: 2000,
      });
      // Without an account of its own nobody may ask: a warning, and no false comfort.
      expect(judgeServer(await store.describeServer()).map(({ status }) => status)).toContain("warning");
      await store.close();
    } finally {
      await lax.close();
    }
    const port = await findFreePort();
    const loose = join(folder, "loose.conf");
    const text = readFileSync(conf, "utf8")
      .replace(", sync_interval: always", "")
      .replace(/listen: "[^"]*"/, `listen: "127.0.0.1:${port}"`);
    writeFileSync(loose, text.replace(/store_dir: "[^"]*"/, `store_dir: "${join(folder, "loose")}"`));
    const running = await startConfiguredServer(loose, port);
    try {
      const store = await open("anna", { url: `nats://127.0.0.1:${port}` });
      expect((await store.describeServer()).isDurable).toBe(false);
      await store.close();
    } finally {
      await running.kill();
    }
  });

  test("restored from a back-up: log.head-lost for who knows more, and the mirror brings the lines back", async () => {
    const { log } = await open();
    const first = await append(log, emptyHead, "c1", "a");
    await server.kill();
    cpSync(join(folder, "data"), join(folder, "backup"), { recursive: true });
    await server.start();
    const second = await append(log, first, "c2", "b");
    const mirrored: Uint8Array[][] = [];
    for await (const { lines } of log.readRaw("b1")) mirrored.push([...lines]);
    await server.kill();
    rmSync(join(folder, "data"), { recursive: true });
    cpSync(join(folder, "backup"), join(folder, "data"), { recursive: true });
    await server.start();
    // Another command comes first and gets the sequence that the lost line had.
    const { log: other } = await open();
    expect((await readAll(other, "b1")).envelopes.map(getMessageText)).toEqual(["a"]);
    await assertFailsWith("log.head-lost", () =>
      log.append("b1", second, buildMessages("b1", second, "c3", ["c"])),
    );
    const head = (await readAll(other, "b1")).head;
    expect(await other.appendRaw("b1", head, mirrored[1] ?? [])).toMatchObject({ ok: true });
    expect((await readAll(log, "b1")).envelopes.map(getMessageText)).toEqual(["a", "b"]);
    await assertFailsWith("import.not-chained", () => other.appendRaw("b1", head, mirrored[0] ?? []));
  });

  test("a blob that is lost: artifact.blob-lost, and a machine that has a copy still reads it", async () => {
    const store = await open();
    const big = Buffer.from("y".repeat(300_000));
    await store.records.create("b2");
    await store.records.put("b2", "big.txt", big);
    const elsewhere = await open("host-a");
    expect((await elsewhere.records.get("b2", "big.txt"))?.length).toBe(big.length);
    // Only who looks after the server can take one away.
    const { connect, nkeyAuthenticator } = await import("@nats-io/transport-node");
    const { jetstreamManager } = await import("@nats-io/jetstream");
    const admin = readFileSync(join(folder, "keys", "shop", "anna.nk"));
    const connection = await connect({
      servers: url,
      authenticator: nkeyAuthenticator(new TextEncoder().encode(admin.toString().trim())),
      inboxPrefix: `_INBOX_${(await import("../../src/adapters/nats/users.ts")).findPublicKey(admin.toString())}`,
    });
    const jsm = await jetstreamManager(connection);
    await expect(jsm.streams.purge("OBJ_pf-blobs-shop")).rejects.toThrow(/permissions violation/i);
    await connection.close();
    await server.kill();
    rmSync(join(folder, "data", "pairflow-1", "jetstream", "project shop", "streams", "OBJ_pf-blobs-shop"), {
      recursive: true,
    });
    await server.start();
    expect(await store.records.get("b2", "big.txt")).toEqual(big);
    const fresh = await open("anna", { root: join(folder, "fresh"), host: "fresh" });
    await assertFailsWith("artifact.blob-lost", () => fresh.records.get("b2", "big.txt"));
  });

  test("a server that is full: what it did not take is told, and comes when there is room", {
    timeout: 60_000,
  }, async () => {
    const small = join(folder, "small");
    const port = await findFreePort();
    const listen = [`127.0.0.1:${port}`];
    const written = writeServer({
      folder: small,
      project: "shop",
      people: ["anna"],
      workers: [],
      listen,
      diskGb: 1,
    });
    const [file = ""] = written.confs;
    const limit = (size: string) =>
      writeFileSync(file, readFileSync(file, "utf8").replace(/max_file: \w+/, `max_file: ${size}`));
    limit("1MB");
    const running = await startConfiguredServer(file, port);
    const key = readFileSync(join(small, "keys", "shop", "anna.nk"));
    const store = await openNatsStore({
      url: written.url,
      project: "shop",
      root: join(small, "anna"),
      host: "anna",
      replicas: 1,
      leaseMs: 2000,
      credentials: key,
    });
    await store.records.create("b1");
    const head = await append(store.log, emptyHead, "c1", "a");
    // Until not even a line has room.
    for (const size of [60_000, 6000, 600, 60])
      await assertFailsWith("store.full", async () => {
        for (let n = 0; n < 60; n += 1) await store.records.put("b1", `f${size}-${n}`, Buffer.alloc(size, n));
      });
    await assertFailsWith("store.full", () => append(store.log, head, "c2", "b"));
    await store.close();
    limit("1GB");
    await running.kill();
    await running.start();
    const again = await openNatsStore({
      url: written.url,
      project: "shop",
      root: join(small, "anna"),
      host: "anna",
      replicas: 1,
      leaseMs: 2000,
      credentials: key,
    });
    await append(again.log, head, "c2", "b");
    expect((await readAll(again.log, "b1")).envelopes.map(getMessageText)).toEqual(["a", "b"]);
    await again.close();
    await running.kill();
  });

  test("two machines of one name are two machines", async () => {
    const ids = await Promise.all(
      ["one", "two"].map(async (home) => {
        const { readHostId } = await import("../../src/app/host/shared/host-id.ts");
        const env = { PAIRFLOW_HOME: join(folder, home) };
        return [readHostId(env), readHostId(env)];
      }),
    );
    expect(ids[0]?.[0]).toBe(ids[0]?.[1]);
    expect(ids[0]?.[0]).not.toBe(ids[1]?.[0]);
    expect(ids[0]?.[0]?.split("~")[0]).toBe(ids[1]?.[0]?.split("~")[0]);
  });
});
