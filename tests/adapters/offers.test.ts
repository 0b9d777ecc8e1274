// Offers of work against their contract: in memory, and on a real nats-server.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProcessMarks } from "../../src/adapters/lock/process-marks.ts";
import { openOffers } from "../../src/adapters/nats/offers.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { createNatsRuntime, ensurePlaceStream, listenForExpired } from "../../src/adapters/runtime/nats.ts";
import { buildOffersContract, type OffersRig } from "../../src/testing/contracts/offers.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { createMemoryOffers } from "../memory/offers.ts";
import { createMemoryRuntime } from "../memory/runtime.ts";
import { runContract } from "./run-contract.ts";

const leaseMs = 3000;

const inMemory = buildOffersContract(async () => {
  const { open, expire } = createMemoryOffers({ leaseMs });
  return {
    ...{ one: open(), other: open(), leaseMs },
    loseDriver: async (bubble) => expire(bubble),
    close: async () => {},
  };
});
runContract("offers in memory", inMemory);

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/record/offers.ts", import.meta.url), "utf8");
  const spoken = [...new Set(inMemory.map(({ promise }) => promise))];
  expect([...port.matchAll(/^ \* (O\d .*)$/gm)].map((match) => match[1])).toEqual(spoken);
});

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let server: RunningServer;
  let projects = 0;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  async function openRig(): Promise<OffersRig> {
    const { connection, js, jsm } = server;
    projects += 1;
    const project = `p${projects}`;
    const patiently = createPatience({ server: server.url, forMs: 5000 });
    await ensurePlaceStream(jsm, { project, replicas: 1 });
    const open = () =>
      openOffers({
        ...{ connection, js, jsm, project, replicas: 1, leaseMs, patiently },
        listen: (onExpired, signal) => listenForExpired({ js, jsm, project, patiently }, onExpired, signal),
      });
    const runtime = createNatsRuntime({
      ...{ js, jsm, project, leaseMs, patiently, local: createMemoryRuntime() },
      marks: createProcessMarks("elsewhere~1"),
    });
    return {
      ...{ one: await open(), other: await open(), leaseMs },
      async loseDriver(bubble) {
        const at = new Date().toISOString();
        const host = "elsewhere~2";
        await runtime.claim(bubble, { driver: "d1", host, pid: 1, startedAt: at, at, seat: "process" });
        while (await runtime.living(bubble)) await new Promise((resolve) => setTimeout(resolve, 50));
      },
      close: async () => {},
    };
  }
  runContract("offers on a server", buildOffersContract(openRig));
});
