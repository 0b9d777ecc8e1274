// One bubble on two hosts that share a server: what the referee decides on one of them is the other one's state.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecordWorld } from "../../src/app/record/world.ts";
import { openNatsStore, type SharedStore } from "../../src/app/store/nats-store.ts";
import { handle, load } from "../../src/engine/handle/command.ts";
import type { RecordWorld } from "../../src/engine/world/world.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { play } from "../helpers/play.ts";
import { scratch } from "./rigs.ts";

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  let server: RunningServer;
  const stores: SharedStore[] = [];
  const folder = scratch();
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await server.close();
    folder.remove();
  });

  async function openHost(host: string): Promise<RecordWorld> {
    const root = join(folder.root, host);
    const options = { url: server.url, project: "shop", root, host, replicas: 1, leaseMs: 30_000 } as const;
    const store = await openNatsStore(options);
    stores.push(store);
    const { log, records, runtime } = store;
    return { ...createRecordWorld(root), log, records, runtime };
  }

  test("a bubble is made and worked on by one host, and read, listed and answered by two", async () => {
    const [a, b] = [await openHost("host-a"), await openHost("host-b")];
    const cart = await play({ world: a, repo: "/repo", wait: () => {} }, "fix-cart");
    await cart.starts();
    await cart.turnStarts();
    await cart.says({ type: "ask-human", question: "Keep the old route?" });
    expect((await load(b, "fix-cart")).state).toEqual(await cart.state());
    expect(await b.records.summaries()).toMatchObject([
      { id: "fix-cart", stale: false, summary: { inbox: 1 } },
    ]);
    expect(Buffer.from((await b.records.get("fix-cart", "task.md")) ?? []).toString()).toBe(
      "# Fix cart totals\n",
    );

    const reply = { type: "reply", actor: { kind: "operator", via: "terminal" }, message: "yes" } as const;
    const answers = await Promise.all([a, b].map((world) => handle(world, "fix-cart", reply)));
    expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);
    const [onA, onB] = await Promise.all([a, b].map((world) => load(world, "fix-cart")));
    expect(onB?.state).toEqual(onA?.state);
    expect(onB?.head).toEqual(onA?.head);

    await b.records.archive("fix-cart");
    expect([await a.records.exists("fix-cart"), (await load(a, "fix-cart")).state]).toEqual([
      false,
      undefined,
    ]);
  });

  test("a server that is not there is told within its time", async () => {
    const nobody = {
      url: "nats://127.0.0.1:1",
      project: "shop",
      root: folder.root,
      host: "h",
      replicas: 1,
      leaseMs: 1000,
    } as const;
    await assertFailsWith("store.unreachable", () => openNatsStore(nobody));
  });
});
