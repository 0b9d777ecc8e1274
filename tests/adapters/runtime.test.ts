// Every runtime adapter against the one contract, and the file runtime against real processes.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createProcessMarks } from "../../src/adapters/lock/process-marks.ts";
import { createFileRuntime } from "../../src/adapters/runtime/file.ts";
import type { Beat } from "../../src/ports/record/records.ts";
import { buildRuntimeContract, type RuntimeRig } from "../../src/testing/contracts/runtime.ts";
import { createMemoryRuntime } from "../memory/runtime.ts";
import { deadPid, locksIn, marks, scratch, workerFile } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

const runtimeIn = (root: string, host = hostname()) =>
  createFileRuntime({
    root,
    marks: host === hostname() ? marks : createProcessMarks(host),
    locks: locksIn(root),
  });

async function inFiles(): Promise<RuntimeRig> {
  const { root, remove } = scratch();
  return {
    runtime: runtimeIn(root),
    again: () => runtimeIn(root),
    livingPid: process.pid,
    deadPid: await deadPid(),
    host: hostname(),
    close: async () => remove(),
  };
}

async function inMemory(): Promise<RuntimeRig> {
  const runtime = createMemoryRuntime({ isAlive: (pid) => pid === 1 });
  return { runtime, again: () => runtime, livingPid: 1, deadPid: 2, host: "h", close: async () => {} };
}

runContract("the file runtime", buildRuntimeContract(inFiles));
runContract("the memory runtime", buildRuntimeContract(inMemory));

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/record/records.ts", import.meta.url), "utf8");
  const spoken = new Set(buildRuntimeContract(inFiles).map((one) => one.promise));
  const written = [...port.matchAll(/^ \* (R\d .*)$/gm)].map((match) => match[1] ?? "");
  expect(written.length).toBeGreaterThan(0);
  for (const promise of written) expect([...spoken]).toContain(promise);
});

describe("as files", () => {
  let folder: ReturnType<typeof scratch>;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => folder.remove());

  const at = new Date().toISOString();
  const beat = (driver: string, more: Partial<Beat> = {}): Beat => ({
    ...{ driver, pid: process.pid, host: hostname(), startedAt: at, at, seat: "tmux" },
    ...more,
  });
  const inRuntime = (name: string) => join(folder.root, ".pairflow", "runtime", name);
  const sessions = () => JSON.parse(readFileSync(inRuntime("sessions.json"), "utf8"));

  test("a driver that died leaves no entry in sessions.json behind", async () => {
    const runtime = runtimeIn(folder.root);
    const pid = await deadPid();
    await runtime.claim("died", beat("d1", { pid }));
    await runtime.claim("lives", beat("d2", { session: "pf-lives" }));
    expect(sessions()).toEqual({ lives: expect.objectContaining({ session: "pf-lives" }) });
    await runtime.claim("stopped", beat("d3", { pid }));
    expect(Object.keys(sessions())).toEqual(["lives", "stopped"]);
    await runtime.forget("stopped");
    await runtime.forget("lives");
    expect(Object.keys(sessions())).toEqual(["lives"]);
  });

  test("eight processes want thirty dead drivers' places at once: each place gets one driver", async () => {
    const pid = await deadPid();
    const bubbles = Array.from({ length: 30 }, (_, i) => `b${i}`);
    for (const bubble of bubbles) await runtimeIn(folder.root).claim(bubble, beat("dead", { pid }));
    const worker = await workerFile();
    const startAt = Date.now() + 700;
    const children = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => {
      const orders = JSON.stringify({ root: folder.root, job: "claim", bubbles, name, startAt });
      return spawn(process.execPath, [worker, orders], { stdio: ["pipe", "pipe", "inherit"] });
    });
    const got = await Promise.all(
      children.map(
        (child) =>
          new Promise<string[]>((resolve) =>
            child.stdout.once("data", (text) => resolve(JSON.parse(String(text)).result)),
          ),
      ),
    );
    expect(got.flat().sort()).toEqual([...bubbles].sort());
    expect(Object.keys(sessions()).sort()).toEqual([...bubbles].sort());
    for (const child of children) child.stdin.end();
    await Promise.all(children.map((child) => new Promise((resolve) => child.once("close", resolve))));
    expect(await runtimeIn(folder.root).living("b0")).toBeUndefined();
  });

  test("a pid that belongs to another process now holds nothing", async () => {
    const runtime = runtimeIn(folder.root);
    await runtime.claim("b1", beat("old"));
    const [number = ""] = readdirSync(inRuntime("b1.driver"));
    const path = join(inRuntime("b1.driver"), number);
    writeFileSync(path, readFileSync(path, "utf8").replace(/"started":"\d+"/, '"started":"1"'));
    expect(await runtime.living("b1")).toBeUndefined();
    expect(await runtime.claim("b1", beat("new"))).toEqual({ ok: true });
  });

  test("a driver on another machine counts as living while it beats", async () => {
    const elsewhere = runtimeIn(folder.root, "elsewhere");
    await elsewhere.claim("b1", beat("far", { host: "elsewhere" }));
    const near = runtimeIn(folder.root);
    expect(await near.claim("b1", beat("near"))).toMatchObject({ ok: false, holder: { driver: "far" } });
    await elsewhere.beat("b1", beat("far", { host: "elsewhere", at: "2020-01-01T00:00:00.000Z" }));
    expect(await near.claim("b1", beat("near"))).toEqual({ ok: true });
  });

  test("a torn claim or beat holds nothing and breaks nothing", async () => {
    mkdirSync(inRuntime("b1.driver"), { recursive: true });
    writeFileSync(join(inRuntime("b1.driver"), "4"), '{"beat":');
    const runtime = runtimeIn(folder.root);
    expect(await runtime.living("b1")).toBeUndefined();
    expect(await runtime.claim("b1", beat("d1"))).toEqual({ ok: true });
    writeFileSync(inRuntime("b1.beat.json"), "{");
    expect(await runtime.living("b1")).toMatchObject({ driver: "d1" });
    expect(readdirSync(inRuntime("b1.driver"))).toEqual(["5"]);
  });

  test("sessions.json shows who drives what", async () => {
    const runtime = runtimeIn(folder.root);
    await runtime.claim("b2", beat("d2"));
    await runtime.claim("b1", beat("d1", { session: "pf-b1" }));
    expect(sessions()).toEqual({
      b1: { session: "pf-b1", seat: "tmux", driver_pid: process.pid, started_at: at },
      b2: { session: null, seat: "tmux", driver_pid: process.pid, started_at: at },
    });
    await runtime.release("b2", "d2");
    expect(Object.keys(sessions())).toEqual(["b1"]);
  });

  test("a sign has the time of the clock it was given", async () => {
    const nowMs = () => Date.parse("2026-01-02T03:04:05.678Z");
    const runtime = createFileRuntime({ root: folder.root, marks, locks: locksIn(folder.root), nowMs });
    await runtime.sign("b1");
    expect(await runtime.lastSign("b1")).toBe("2026-01-02T03:04:05.678Z");
  });
});
