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
    await expect
      .poll(() => b.records.summaries())
      .toMatchObject([{ id: "fix-cart", stale: false, summary: { inbox: 1 } }]);
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

    // Under the same id another host begins again; what this one still has in its folder is of the record before.
    const again = await play({ world: b, repo: "/repo", wait: () => {} }, "fix-cart", "Another one");
    const { state, trouble } = await load(a, "fix-cart");
    expect([state?.seq, state?.task.title, trouble]).toEqual([1, "Another one", undefined]);
    await again.starts();
    await again.turnStarts();
    const asked = await again.says({ type: "ask-human", question: "And now?" });
    const answered = await handle(a, "fix-cart", reply);
    expect([answered.refusal, answered.envelopes[0]?.seq]).toEqual([undefined, (asked.at(-1)?.seq ?? 0) + 1]);
    expect((await load(b, "fix-cart")).state).toEqual(answered.state);
  });

  test("a message asks the server once and stores two things; its summary follows", async () => {
    const world = await openHost("host-c");
    const cart = await play({ world, repo: "/repo", wait: () => {} }, "count-cart");
    await cart.starts();
    await cart.turnStarts();
    await expect.poll(async () => (await world.records.summaries()).every(({ stale }) => !stale)).toBe(true);
    const sent: string[] = [];
    const listener = await server.connect();
    listener.subscribe(">", { callback: (_, { subject }) => void sent.push(subject) });
    await listener.flush();
    const { turn } = await cart.state();
    const { id, attempt = 0, capability = "" } = turn ?? {};
    const actor = { kind: "agent", turn: id ?? "", attempt, capability } as const;
    sent.length = 0;
    await cart.does({ type: "ask-human", actor, question: "Keep the old route?", digest: "d" });
    const kinds = () => sent.flatMap((subject) => nameKind(subject) ?? []);
    await expect.poll(kinds).toContain("summary");
    expect(kinds()).toEqual(["how far is the log", "artifact", "line", "summary"]);
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

/** What a message to the server is there for; undefined for answers and notices. */
function nameKind(subject: string): string | undefined {
  if (/^(_INBOX|pf\.bell|\$JS\.EVENT)\./.test(subject)) return undefined;
  if (subject === "$JS.API.STREAM.MSG.GET.pf-log-shop") return "how far is the log";
  if (subject.startsWith("pf.log.")) return "line";
  return /^\$KV\.pf-records-shop\.(artifact|summary)\./.exec(subject)?.[1] ?? subject;
}
