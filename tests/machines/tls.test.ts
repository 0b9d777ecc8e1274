// A server that is reached over a network: what `server init` writes for a certificate, and what a clone with and without the
// certificate of its authority gets.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openNatsStore } from "../../src/app/store/nats-store.ts";
import { writeServer } from "../../src/app/store/server-init.ts";
import { emptyHead } from "../../src/ports/record/log.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";
import { append } from "../../src/testing/log/rig.ts";
import { getMessageText, readAll } from "../../src/testing/messages.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { openProxy } from "./proxy.ts";
import { type ConfiguredServer, findFreePort, startConfiguredServer } from "./server.ts";

test("who sits between and takes encryption away hears no word of the client", async () => {
  let heard = "";
  const between = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => (heard += String(bytes)));
    const info = {
      server_id: "x",
      version: "2.12.0",
      proto: 1,
      nonce: "a-nonce-to-sign",
      max_payload: 1_000_000,
    };
    socket.write(`INFO ${JSON.stringify({ ...info, headers: true, jetstream: true })}\r\n`);
  });
  await new Promise<void>((ready) => between.listen(0, "127.0.0.1", ready));
  const { port } = between.address() as { port: number };
  const folder = mkdtempSync(join(tmpdir(), "pf-between-"));
  const options = { project: "shop", root: folder, host: "anna", replicas: 1 as const, leaseMs: 2000 };
  await assertFailsWith("store.untrusted", () =>
    openNatsStore({ ...options, url: `tls://127.0.0.1:${port}` }),
  );
  expect(heard).toBe("");
  await assertFailsWith("store.needs-tls", () =>
    openNatsStore({ ...options, url: "nats://203.0.113.7:4222" }),
  );
  between.close();
  rmSync(folder, { recursive: true, force: true });
});

/** An authority of our own, and a server's certificate that it has signed. */
function makeCertificates(folder: string) {
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const key = (name: string) => [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-keyout",
    path(name),
  ];
  openssl(
    "req",
    "-x509",
    ...key("ca.key"),
    "-out",
    path("ca.pem"),
    "-subj",
    "/CN=Test authority",
    "-days",
    "2",
  );
  openssl("req", ...key("server.key"), "-out", path("server.csr"), "-subj", "/CN=nats-1");
  writeFileSync(path("names"), "subjectAltName=IP:127.0.0.1\n");
  openssl(
    ...["x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key")],
    ...["-CAcreateserial", "-days", "2", "-extfile", path("names"), "-out", path("server.pem")],
  );
  return { cert: path("server.pem"), key: path("server.key"), ca: path("ca.pem") };
}

const hasOpenssl = (() => {
  try {
    execFileSync("openssl", ["version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
})();
const missing = natsMissing ?? (hasOpenssl ? undefined : "openssl is not here");

describe.skipIf(missing)(`an encrypted server${missing ? ` (skipped: ${missing})` : ""}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "pf-tls-"));
  let server: ConfiguredServer;
  let address = "";
  let tls: ReturnType<typeof makeCertificates>;

  beforeAll(async () => {
    tls = makeCertificates(folder);
    const port = await findFreePort();
    const users = { people: ["anna"], workers: ["host-a"] };
    const { confs, url } = writeServer({
      folder,
      project: "shop",
      listen: [`127.0.0.1:${port}`],
      tls,
      ...users,
    });
    expect(url).toBe(`tls://127.0.0.1:${port}`);
    address = `127.0.0.1:${port}`;
    server = await startConfiguredServer(confs[0] ?? "", port);
  });
  afterAll(async () => {
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (more: object) =>
    openNatsStore({
      ...{ url: `tls://${address}`, project: "shop", root: join(folder, "anna"), host: "anna" },
      ...{ replicas: 1, leaseMs: 2000 },
      credentials: readFileSync(join(folder, "keys", "shop", "anna.nk")),
      ...more,
    });

  test("who knows its authority writes and reads, and nothing of it can be read on the way", async () => {
    const proxy = await openProxy(`nats://${address}`, { listens: true });
    const store = await open({ url: proxy.url.replace("nats://", "tls://"), tls: { caFile: tls.ca } });
    await append(store.log, emptyHead, "c1", "a-word-of-the-record");
    expect((await readAll(store.log, "b1")).envelopes.map(getMessageText)).toEqual(["a-word-of-the-record"]);
    await store.close();
    expect(proxy.heard().length).toBeGreaterThan(2000);
    expect(proxy.heard()).not.toMatch(/a-word-of-the-record|pf\.log/);
    await proxy.close();
  });

  test.each([
    ["an authority that it does not know", { url: "tls" }],
    ["an address that says nothing of encryption", { url: "nats" }],
  ])("%s: store.untrusted, and what to type", async (_title, { url }) => {
    await assertFailsWith("store.untrusted", () => open({ url: `${url}://${address}` }));
  });

  test("a name that its certificate does not have: store.untrusted", async () => {
    const { port } = new URL(`http://${address}`);
    await assertFailsWith("store.untrusted", () =>
      open({ url: `tls://localhost:${port}`, tls: { caFile: tls.ca } }),
    );
  });
});
