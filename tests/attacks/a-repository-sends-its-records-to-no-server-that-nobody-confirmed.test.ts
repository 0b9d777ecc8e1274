// A repository that is cloned names a server for its records. Whoever listens there would be sent tasks and code, and could have a
// key of the person sign what the true server asked: so nothing connects before a person has said yes to that very address.
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmStore } from "../../src/app/store/confirm.ts";
import { readStoreSettings } from "../../src/app/store/settings.ts";
import { type Rig, rig } from "../acceptance/rig.ts";

let server: Server;
let tool: Rig;
let address: string;
let connected = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connected += 1;
    socket.destroy();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  address = `nats://127.0.0.1:${(server.address() as { port: number }).port}`;
  tool = rig();
  tool.write(".pairflow/config.yaml", `store: ${address}/shop\n`);
});
afterAll(async () => {
  await tool.close();
  server.close();
});

test.each([
  [],
  ["list"],
  ["inbox"],
  ["doctor"],
  ["status", "fix"],
  ["create", "--id", "fix", "--task", "Fix it", "--test", "true", "--yes"],
  ["start", "fix", "--yes"],
  ["hosts"],
  ["worker", "--yes"],
  ["mirror", "--once"],
  ["plan", "list"],
])("pairflow %s %s connects to nobody, and says what to type", async (...words) => {
  const { stdout, stderr } = await tool.run(...words);
  expect(`${stdout}${stderr}`).toContain("server join");
  expect(`${stdout}${stderr}`).toContain(`${address}/shop`);
  expect(connected).toBe(0);
});

test("what was confirmed is that address with all that goes with it, and nothing that is changed later", async () => {
  await confirmStore(tool.repo, tool.env, readStoreSettings(tool.repo, {}), "2026-01-01T00:00:00.000Z");
  expect(await tool.ok("trust")).toContain(`${address}/shop`);
  const before = connected;
  expect((await tool.run("list")).stderr).not.toContain("store.unconfirmed");
  expect(connected).toBeGreaterThan(before);
  const seen = connected;
  for (const changed of [
    `store: ${address}/other`,
    `store: { url: "${address}", project: shop, travel: remote, remote: "ssh://elsewhere/shop" }`,
    `store: { url: "${address}", project: shop, credentials: ~/another.nk }`,
    `store: { url: "${address}", project: shop, tls: { ca: planted.pem } }`,
  ]) {
    writeFileSync(join(tool.repo, ".pairflow", "config.yaml"), `${changed}\n`);
    expect((await tool.run("list")).stderr, changed).toContain("store.unconfirmed");
  }
  expect(connected).toBe(seen);
});

test("an address that a person has typed needs no other yes", async () => {
  const before = connected;
  await tool.run("list", "--store", `${address}/shop`);
  expect(connected).toBeGreaterThan(before);
});
