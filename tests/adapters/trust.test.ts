// Confirmations on the disk: durable, for their owner alone, and never more than was written.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileTrust } from "../../src/adapters/trust/file.ts";
import { getUserFile, getUserFolder, makeUserFolder } from "../../src/app/host/user-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pairflow-trust-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = "2026-01-01T00:00:00.000Z";
const setup = { setting: "setup", runs: "npm ci" };
const test = { setting: "gate test", runs: "npm test" };
const opened = () => {
  const repo = join(folder, "shop");
  mkdirSync(repo, { recursive: true });
  const file = getUserFile("trust", repo, { PAIRFLOW_HOME: join(folder, "user") });
  return { repo, file, trust: createFileTrust(file, repo, makeUserFolder) };
};

it("remembers each program once, and forgets all", async () => {
  const { trust, file } = opened();
  expect(await trust.unconfirmed([setup, test])).toEqual([setup, test]);
  await trust.remember([setup], at);
  await trust.remember([setup, test], at);
  expect(await trust.confirmed()).toEqual([setup, test]);
  expect(await opened().trust.unconfirmed([setup, test])).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  await trust.forget();
  expect(await trust.confirmed()).toEqual([]);
});

it("a line that was cut or damaged confirms nothing, and the next one counts", async () => {
  const { trust, file } = opened();
  await trust.remember([setup], at);
  appendFileSync(file, '{"setting":"gate test","runs":"npm te');
  expect(await trust.unconfirmed([setup, test])).toEqual([test]);
  await trust.remember([test], at);
  expect(await trust.unconfirmed([setup, test])).toEqual([]);
});

it("a file that cannot be read is a failure with a hint, not a permission", async () => {
  const { trust, file } = opened();
  mkdirSync(file, { recursive: true });
  await expect(trust.unconfirmed([setup])).rejects.toMatchObject({ code: "trust.unreadable" });
});

it("knows the content of files inside the repository alone", () => {
  const { trust, repo } = opened();
  writeFileSync(join(repo, "agent.yaml"), "one");
  writeFileSync(join(folder, "outside.yaml"), "one");
  expect(trust.fileHash("agent.yaml")).toMatch(/^[0-9a-f]{64}$/);
  expect(trust.fileHash(join(folder, "outside.yaml"))).toBeUndefined();
  expect(trust.fileHash("missing.yaml")).toBeUndefined();
});

it("the folder is named by PAIRFLOW_HOME, else by the XDG state folder, else below HOME", () => {
  expect(getUserFolder({ PAIRFLOW_HOME: "/p", XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/p");
  expect(getUserFolder({ XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/x/pairflow");
  expect(getUserFolder({ XDG_STATE_HOME: "relative", HOME: "/h" })).toBe("/h/.local/state/pairflow");
});
