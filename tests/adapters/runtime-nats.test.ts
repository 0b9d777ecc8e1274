// The driver's place as a lease on a real nats-server: the one contract, and what only a lease has.
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProcessMarks } from "../../src/adapters/lock/process-marks.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { createNatsRuntime, ensurePlaceStream } from "../../src/adapters/runtime/nats.ts";
import type { Beat } from "../../src/ports/record/records.ts";
import { buildRuntimeContract } from "../../src/testing/contracts/runtime.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { createMemoryRuntime } from "../memory/runtime.ts";
import { deadPid, marks } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

let server: RunningServer;
let projects = 0;

async function openRuntime(leaseMs: number) {
  const { js, jsm } = server;
  projects += 1;
  const project = `p${projects}`;
  await ensurePlaceStream(jsm, { project, replicas: 1 });
  const local = createMemoryRuntime();
  const patiently = createPatience({ server: server.url, forMs: 5000 });
  return (host = hostname()) =>
    createNatsRuntime({
      ...{ js, jsm, project, leaseMs, patiently, local },
      marks: host === hostname() ? marks : createProcessMarks(host),
    });
}

const at = new Date().toISOString();
const beatOf = (driver: string, host: string): Beat => ({
  ...{ driver, host, pid: process.pid, startedAt: at, at, seat: "process" },
});

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  runContract(
    "places on a server",
    buildRuntimeContract(async () => {
      const open = await openRuntime(30_000);
      return {
        runtime: open(),
        again: () => open(),
        livingPid: process.pid,
        deadPid: await deadPid(),
        host: hostname(),
        close: async () => {},
      };
    }),
  );

  test("a holder on another host that does not beat loses its place by the server's clock, and is told", async () => {
    const open = await openRuntime(1000);
    const [a, b] = [open("host-a"), open("host-b")];
    expect(await a.claim("b1", beatOf("d1", "host-a"))).toEqual({ ok: true });
    for (let i = 0; i < 3; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await a.beat("b1", beatOf("d1", "host-a"))).toBe(true);
    }
    expect((await b.claim("b1", beatOf("d2", "host-b"))).ok).toBe(false);
    const lastBeat = Date.now();
    while (!(await b.claim("b1", beatOf("d2", "host-b"))).ok)
      await new Promise((resolve) => setTimeout(resolve, 25));
    const waited = Date.now() - lastBeat;
    expect(waited).toBeGreaterThan(900);
    expect(waited).toBeLessThan(3000);
    expect(await a.beat("b1", beatOf("d1", "host-a"))).toBe(false);
    expect((await a.living("b1"))?.driver).toBe("d2");
    expect([...(await a.listLiving(["b1", "b2"])).keys()]).toEqual(["b1"]);
  });

  test("a place that expired while the server was away goes back to its driver, if nobody took it", async () => {
    const open = await openRuntime(1000);
    const a = open("host-a");
    await a.claim("b1", beatOf("d1", "host-a"));
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await server.start();
    expect(await a.beat("b1", beatOf("d1", "host-a"))).toBe(true);
    expect(await open("host-b").beat("b1", beatOf("d2", "host-b"))).toBe(false);
  });
});
