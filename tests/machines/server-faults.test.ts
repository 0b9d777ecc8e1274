// What happens to the server that keeps the records: its answers are lost, its disk loses power, its leader is killed. What was
// acknowledged is there, once and in order, and whoever writes goes on.
import { basename } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createNatsLog } from "../../src/adapters/log/nats/log.ts";
import { ensureLogStream } from "../../src/adapters/log/nats/subjects.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { type EventLog, emptyHead, type Head } from "../../src/ports/record/log.ts";
import { append } from "../../src/testing/log/rig.ts";
import { getMessageText, readAll } from "../../src/testing/messages.ts";
import { makeDisk, whyNoDisk } from "../attacks/power.ts";
import { startNatsCluster } from "../helpers/nats-cluster.ts";
import { natsMissing, startNatsServer } from "../helpers/nats-server.ts";
import { openProxy } from "./proxy.ts";

describe.skipIf(natsMissing)(`a server that fails${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  /** The log of a project, as a process gets it that dials these servers. */
  async function dial(url: string, replicas: 1 | 3 = 1) {
    const connection = await connect({
      ...{
        servers: url.split(","),
        maxReconnectAttempts: -1,
        reconnectTimeWait: 50,
        waitOnFirstConnect: true,
      },
      ignoreClusterUpdates: true,
    });
    ends.push(() => connection.close());
    const patiently = createPatience({ server: url });
    const jsm = await patiently(() => jetstreamManager(connection, { timeout: 2000 }));
    // Servers that have just been started have no leader yet.
    await vi.waitFor(() => ensureLogStream(jsm, { project: "p", replicas }), {
      timeout: 20_000,
      interval: 200,
    });
    const js = jetstream(connection, { timeout: 2000 });
    return { jsm, log: createNatsLog({ connection, js, jsm, project: "p", patiently }) };
  }

  const texts = async (log: EventLog) => (await readAll(log, "b1")).envelopes.map(getMessageText);
  const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index + 1}`);

  test("an answer that is lost with its connection leaves the command counted once", {
    timeout: 60_000,
  }, async () => {
    const server = await startNatsServer();
    ends.push(() => server.close());
    const proxy = await openProxy(server.url);
    ends.push(() => proxy.close());
    const { log } = await dial(proxy.url);
    let head: Head = emptyHead;
    for (const [index, name] of names(12).entries()) {
      if (index % 3 === 2) proxy.loseNextAnswer();
      head = await append(log, head, name, name);
    }
    expect(await texts(log)).toEqual(names(12));
    expect((await server.jsm.streams.info("pf-log-p")).state.messages).toBe(12);
  });

  test.skipIf(whyNoDisk())(
    "a power cut of the server's disk loses no acknowledged line",
    { timeout: 60_000 },
    async () => {
      const disk = makeDisk();
      ends.push(async () => disk.remove());
      const server = await startNatsServer("", disk.path);
      ends.push(() => server.close());
      const { log } = await dial(server.url);
      let head: Head = emptyHead;
      for (const name of names(40)) head = await append(log, head, name, name);
      server.pause();
      const copy = disk.cut();
      server.resume();
      await disk.afterwards(copy, async (path) => {
        const again = await startNatsServer("", path, basename(server.folder));
        try {
          const { log: left } = await dial(again.url);
          expect(await texts(left)).toEqual(names(40));
          await append(left, head, "next", "next");
        } finally {
          await again.close();
        }
      });
    },
  );

  test("the leader of three servers is killed: nothing that was acknowledged is lost, and writing goes on within 15 s", {
    timeout: 120_000,
  }, async () => {
    const cluster = await startNatsCluster();
    ends.push(() => cluster.close());
    const { jsm, log } = await dial(cluster.url, 3);
    let head: Head = emptyHead;
    for (const name of names(10)) head = await append(log, head, name, name);
    const leader = (await jsm.streams.info("pf-log-p")).cluster?.leader ?? "";
    const killed = Date.now();
    await cluster.kill(leader);
    for (const name of names(20).slice(10)) head = await append(log, head, name, name);
    expect(Date.now() - killed).toBeLessThan(15_000);
    expect(await texts(log)).toEqual(names(20));
    expect(head.seq).toBe(20);
  });
});
