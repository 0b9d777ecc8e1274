// Three servers with a worker at work: the one that leads is killed, and the worker with it. Nothing is lost, nothing counts twice.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterEach, describe, expect, test } from "vitest";
import { startNatsCluster } from "../helpers/nats-cluster.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import {
  expectWhole,
  isClaimedAgain,
  isReady,
  isStarted,
  lingersFor,
  openTrouble,
  pick,
  type Trouble,
  work,
} from "./trouble.ts";

/** What the servers may take to agree on another leader. */
const leaderMs = 15_000;

describe.skipIf(natsMissing)(`three servers${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let scene: Trouble | undefined;
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await scene?.fleet.close();
    for (const end of ends.splice(0).reverse()) await end();
    scene = undefined;
  });

  /** A bubble in its first turn, over a cluster; and the server that leads what its machines write. */
  async function openCluster(leaseSeconds: number, lingers: number) {
    const cluster = await startNatsCluster();
    ends.push(() => cluster.close());
    const connection = await connect({
      ...{ servers: cluster.url.split(","), maxReconnectAttempts: -1, reconnectTimeWait: 50 },
      ...{ waitOnFirstConnect: true, ignoreClusterUpdates: true },
    });
    ends.push(() => connection.close());
    const jsm = await jetstreamManager(connection, { timeout: 2000, checkAPI: false });
    await expect.poll(() => jsm.getAccountInfo().then(Boolean, () => false), { timeout: 20_000 }).toBe(true);
    const nothing = async () => {};
    const server = {
      ...{ url: cluster.url, connection, js: jetstream(connection, { timeout: 2000 }), jsm },
      ...{ kill: nothing, start: nothing, close: nothing },
    };
    scene = await openTrouble([lingersFor(lingers), ...work], { server, replicas: 3, leaseSeconds });
    await scene.hears(isStarted, 60_000);
    const killLeader = async () => {
      const { cluster: info } = await jsm.streams.info("pf-log-shop");
      await cluster.kill(info?.leader ?? "");
    };
    return { scene, killLeader, jsm };
  }

  test("the leader is killed in the middle of a turn: the turn is finished, once, where it was begun", {
    timeout: 180_000,
  }, async () => {
    const { scene, killLeader } = await openCluster(30, 2);
    await killLeader();
    const killed = Date.now();
    expect((await scene.hears((line) => line.type === "HANDOFF", 60_000)) - killed).toBeLessThan(leaderMs);
    await scene.hears(isReady, 60_000);
    const lines = await scene.log();
    expect(pick(lines, "TURN_ENDED")).toEqual([]);
    expect(pick(lines, "DRIVER_CLAIMED")).toHaveLength(1);
    await expectWhole(scene);
  });

  test("the leader and the worker are killed together: another worker has the turn when there is a leader again", {
    timeout: 180_000,
  }, async () => {
    const leaseSeconds = 3;
    const { scene, killLeader, jsm } = await openCluster(leaseSeconds, 60);
    const heir = scene.fleet.worker(scene.second);
    await heir.hears(/Ctrl-C drains it/);
    await Promise.all([killLeader(), scene.worker.kill("SIGKILL")]);
    const killed = Date.now();
    const claimed = await scene.hears(isClaimedAgain, 60_000).catch(async (error) => {
      const place = await jsm.streams.getMessage("pf-place-shop", { last_by_subj: "pf.place.shop.fix-cart" });
      const found = `${place?.seq} ${place?.time.toISOString()} ${place?.string()}`;
      throw new Error(`${error}\n${heir.said()}\nthe place: ${found}`);
    });
    expect(claimed - killed).toBeLessThan(leaseSeconds * 1000 + leaderMs);
    await scene.hears(isReady, 60_000);
    expect(pick(await scene.log(), "TURN_ENDED").map(({ payload }) => payload.outcome)).toEqual([
      "host-lost",
    ]);
    await expectWhole(scene);
  });
});
