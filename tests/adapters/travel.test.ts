// Work that travels between two clones, with real git: over blobs in memory, over a real nats-server and by a git remote.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBlobs } from "../../src/adapters/nats/blobs.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createBundleTravel } from "../../src/adapters/workspace/travel/bundles.ts";
import { createRemoteTravel } from "../../src/adapters/workspace/travel/remote.ts";
import type { Travel } from "../../src/ports/record/travel.ts";
import type { Blobs } from "../../src/ports/system/blobs.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";
import { buildTravelContract, type TravelHost, type TravelRig } from "../../src/testing/contracts/travel.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { scratch } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

/** A way to travel, for a clone in this folder. */
type Way = (kit: Omit<Parameters<typeof createBundleTravel>[0], "blobs">, root: string) => Travel;

function makeHost(root: string, name: string, way: Way, baseCommit: string): TravelHost {
  const repo = join(root, name);
  const env = { PATH: process.env.PATH ?? "", HOME: root };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repo, env, encoding: "utf8" }).trim();
  const place = {
    repo,
    path: join(root, `${name}-tree`),
    branch: "pf/b1",
    baseCommit,
    mode: "worktree" as const,
    bubble: "b1",
  };
  const runtimeDir = join(root, `${name}-runtime`);
  return {
    place,
    travel: way({ processes: createNodeProcesses(), runtimeDir, env }, root),
    async pin(pin, text) {
      writeFileSync(join(repo, "a.txt"), text);
      git("add", "a.txt");
      const tree = git("write-tree");
      git("reset", "-q", "--hard");
      const ref = `refs/pairflow/b1/${pin}`;
      const commit = git("commit-tree", "-p", baseCommit, "-m", pin, tree);
      git("update-ref", ref, commit);
      return { ref, commit };
    },
    refs: () =>
      Object.fromEntries(
        `${git("for-each-ref", "--format=%(refname) %(objectname)")}\n${git("config", "--local", "--list")}`
          .split("\n")
          .map((line) => line.split(/[ =]/)),
      ),
    textAt: (commit) =>
      execFileSync("git", ["show", `${commit}:a.txt`], { cwd: repo, env, encoding: "utf8" }),
  };
}

/** `from` and `to` have the base; `behind` was cloned one commit before it. */
async function makeRig(
  way: Way,
  spoil: (name: string, git: (cwd: string, ...args: string[]) => string) => Promise<void>,
): Promise<TravelRig> {
  const { root, remove } = scratch();
  const env = { PATH: process.env.PATH ?? "", HOME: root };
  writeFileSync(join(root, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd: join(root, cwd), env, encoding: "utf8", stdio: "pipe" }).trim();
  mkdirSync(join(root, "from"));
  git("from", "init", "-q", "-b", "main");
  writeFileSync(join(root, "from", "a.txt"), "zero\n");
  git("from", "add", "-A");
  git("from", "commit", "-qm", "first");
  git(".", "clone", "-q", "from", "behind");
  git("from", "commit", "-q", "--allow-empty", "-m", "base");
  git(".", "clone", "-q", "from", "to");
  const base = git("from", "rev-parse", "HEAD");
  git(".", "clone", "-q", "--bare", "from", "shared.git");
  for (const name of ["from", "to", "behind"]) git(name, "remote", "add", "shared", join(root, "shared.git"));
  const host = (name: string) => makeHost(root, name, way, base);
  return {
    ...{ from: host("from"), to: host("to"), behind: host("behind") },
    spoil: ({ commit }) => spoil(`b1/${commit}`, git),
    close: async () => remove(),
  };
}

function memoryBlobs() {
  const kept = new Map<string, Uint8Array>();
  const put = async (name: string, bytes: Uint8Array) => void (kept.has(name) || kept.set(name, bytes));
  const get = async (name: string) => kept.get(name);
  return {
    kept,
    blobs: {
      put,
      get,
      has: async (name: string) => kept.has(name),
      list: async () => [],
      remove: async () => {},
    },
  };
}

const inBundles =
  (blobs: Blobs): Way =>
  (kit) =>
    createBundleTravel({ ...kit, blobs });

const inMemory = buildTravelContract(async () => {
  const { kept, blobs } = memoryBlobs();
  return makeRig(inBundles(blobs), async (name) => void kept.set(`${name}.bundle`, Buffer.from("no bundle")));
});
runContract("bundles in memory", inMemory);

test("a clone that lacks the base asks for it, and gets it whole, once, from the first that has it", async () => {
  const { kept, blobs } = memoryBlobs();
  const rig = await makeRig(inBundles(blobs), async () => {});
  const { from, to, behind } = rig;
  const pin = await from.pin("round-1", "one\n");
  await from.travel.publish(from.place, pin);
  const before = [from, to].map((host) => host.refs());
  const listBases = () =>
    [...kept.keys()].filter((name) => name.startsWith("~base/")).map((name) => name.split(".")[1]);

  await from.travel.sendWantedBase(from.place);
  expect(listBases()).toEqual([]);
  expect(await behind.travel.fetchBase(behind.place)).toBe(false);
  await behind.travel.sendWantedBase(behind.place);
  expect(listBases()).toEqual(["wanted"]);
  await from.travel.sendWantedBase({ ...from.place, bubble: "b2" });
  const sent = kept.get(`~base/${from.place.baseCommit}.bundle`);
  await to.travel.sendWantedBase(to.place);
  expect(kept.get(`~base/${from.place.baseCommit}.bundle`)).toBe(sent);
  expect([from, to].map((host) => host.refs())).toEqual(before);

  for (let i = 0; i < 2; i += 1) expect(await behind.travel.fetchBase(behind.place)).toBe(true);
  await behind.travel.fetch(behind.place, pin);
  expect(behind.textAt(pin.commit)).toBe("one\n");
  await rig.close();
});

test("what was sent of a base and is none is refused, and a shallow clone sends nothing", async () => {
  const { kept, blobs } = memoryBlobs();
  const rig = await makeRig(inBundles(blobs), async () => {});
  const { from, behind } = rig;
  await behind.travel.fetchBase(behind.place);
  const shallow = join(from.place.repo, "..", "shallow");
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${from.place.repo}`, shallow]);
  await from.travel.sendWantedBase({ ...from.place, repo: shallow });
  expect(kept.size).toBe(1);
  kept.set(`~base/${from.place.baseCommit}.bundle`, Buffer.from("no bundle"));
  await assertFailsWith("travel.damaged", () => behind.travel.fetchBase(behind.place));
  await rig.close();
});

const byRemote = (remote: string): Way => {
  return (kit, root) => createRemoteTravel({ ...kit, remote: remote.replace("@", root), project: "shop" });
};
const others = "refs/pairflow-travel/shop";
/** Another commit stands where this one was. */
const moveRef = async (name: string, git: (cwd: string, ...args: string[]) => string) =>
  void git("shared.git", "update-ref", `${others}/${name}`, "main");

runContract(
  "a git remote by its name",
  buildTravelContract(async () => makeRig(byRemote("shared"), moveRef)),
);
runContract(
  "a git remote by its address",
  buildTravelContract(async () => makeRig(byRemote("@/shared.git"), moveRef)),
);

test("a remote is asked before anybody rests on it, and nothing that a repository names is run", async () => {
  const rig = await makeRig(byRemote("shared"), moveRef);
  const { from, to } = rig;
  const run = (...args: string[]) => execFileSync("git", args, { cwd: from.place.repo, stdio: "pipe" });
  expect(await from.travel.probe?.(from.place.repo)).toContain(others);
  const marker = join(from.place.repo, "ran");
  for (const key of ["core.sshCommand", "remote.shared.receivepack", "credential.helper", "core.gitProxy"])
    run("config", key, `touch ${marker};`);
  mkdirSync(join(from.place.repo, ".git", "hooks"), { recursive: true });
  writeFileSync(join(from.place.repo, ".git", "hooks", "pre-push"), `#!/bin/sh\ntouch ${marker}\n`, {
    mode: 0o755,
  });
  const pin = await from.pin("round-1", "one\n");
  await from.travel.publish(from.place, pin);
  await to.travel.fetch(to.place, pin);
  expect(existsSync(marker)).toBe(false);
  for (const [address, code] of [
    ["ext::touch ran", "travel.unreachable"],
    ["ssh://127.0.0.1:1/nothing.git", "travel.unreachable"],
    [join(from.place.repo, "no-such.git"), "travel.unreachable"],
  ] as const) {
    run("remote", "set-url", "shared", address);
    await assertFailsWith(code, () => from.travel.probe?.(from.place.repo) ?? Promise.resolve());
  }
  run("remote", "remove", "shared");
  await assertFailsWith("travel.no-remote", () => from.travel.publish(from.place, pin));
  expect(existsSync(marker)).toBe(false);
  await rig.close();
});

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/record/travel.ts", import.meta.url), "utf8");
  const spoken = [...new Set(inMemory.map(({ promise }) => promise))];
  expect([...port.matchAll(/^ \* (V\d .*)$/gm)].map((match) => match[1])).toEqual(spoken);
});

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let server: RunningServer;
  let projects = 0;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  runContract(
    "bundles on a server",
    buildTravelContract(async () => {
      projects += 1;
      const patiently = createPatience({ server: server.url });
      const blobs = await openBlobs(server.js, { project: `p${projects}`, replicas: 1, patiently });
      let spoilt: string | undefined;
      const get = async (name: string) => (name === spoilt ? Buffer.from("no bundle") : blobs.get(name));
      return makeRig(inBundles({ ...blobs, get }), async (name) => {
        spoilt = `${name}.bundle`;
      });
    }),
  );
});
