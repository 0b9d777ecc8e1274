// Work that travels between two clones, with real git: over blobs in memory and over a real nats-server.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBlobs } from "../../src/adapters/nats/blobs.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createBundleTravel } from "../../src/adapters/workspace/travel/bundles.ts";
import type { Blobs } from "../../src/ports/system/blobs.ts";
import { buildTravelContract, type TravelHost, type TravelRig } from "../../src/testing/contracts/travel.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { scratch } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

function makeHost(root: string, name: string, blobs: Blobs, baseCommit: string): TravelHost {
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
    travel: createBundleTravel({ processes: createNodeProcesses(), runtimeDir, env, blobs }),
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
        git("for-each-ref", "--format=%(refname) %(objectname)")
          .split("\n")
          .map((line) => line.split(" ")),
      ),
    textAt: (commit) =>
      execFileSync("git", ["show", `${commit}:a.txt`], { cwd: repo, env, encoding: "utf8" }),
  };
}

/** `from` and `to` have the base; `behind` was cloned one commit before it. */
async function makeRig(blobs: Blobs, spoil: (name: string) => Promise<void>): Promise<TravelRig> {
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
  const host = (name: string) => makeHost(root, name, blobs, base);
  return {
    ...{ from: host("from"), to: host("to"), behind: host("behind") },
    spoil: ({ commit }) => spoil(`b1/${commit}.bundle`),
    close: async () => remove(),
  };
}

function memoryBlobs() {
  const kept = new Map<string, Uint8Array>();
  const put = async (name: string, bytes: Uint8Array) => void (kept.has(name) || kept.set(name, bytes));
  return { kept, blobs: { put, get: async (name: string) => kept.get(name) } };
}

const inMemory = buildTravelContract(async () => {
  const { kept, blobs } = memoryBlobs();
  return makeRig(blobs, async (name) => void kept.set(name, Buffer.from("no bundle")));
});
runContract("bundles in memory", inMemory);

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
      return makeRig({ ...blobs, get }, async (name) => {
        spoilt = name;
      });
    }),
  );
});
