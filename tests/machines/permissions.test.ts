// What a worker's key cannot do, with the permissions that `pairflow server init` writes: a decision of a person is refused by the
// server, and what gets past the server by detours does not count.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, headers, type NatsConnection, nkeyAuthenticator } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainLines } from "../../src/adapters/log/line.ts";
import { nameLogSubjects } from "../../src/adapters/log/nats/subjects.ts";
import { findPublicKey, nameInbox } from "../../src/adapters/nats/users.ts";
import { openNatsStore, type SharedStore } from "../../src/app/store/nats-store.ts";
import { writeServer } from "../../src/app/store/server-init.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { emptyHead, type Head } from "../../src/ports/record/log.ts";
import { assertFailsWith } from "../../src/testing/contracts/contract.ts";
import { buildMessages, readAll } from "../../src/testing/messages.ts";
import { natsMissing } from "../helpers/nats-server.ts";
import { type ConfiguredServer, findFreePort, startConfiguredServer } from "./server.ts";

const bubble = "fix-cart";
const approval = (seq: number) =>
  ({
    ...{
      v: 1,
      id: `msg_20260102_00${seq}`,
      ts: "2026-01-02T03:04:05.678Z",
      bubble_id: bubble,
      round: 1,
      seq,
    },
    ...{ sender: "human", recipient: "orchestrator", type: "APPROVAL_DECISION", refs: [] },
    payload: { decision: "approve", digest: "d", message: "", via: "operator-key" },
    batch: { id: `forged-${seq}`, i: 0, n: 1 },
  }) as unknown as Omit<Envelope, "prev">;

describe.skipIf(natsMissing)(`a worker's key${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "pf-permissions-"));
  const { all, of, end, stream } = nameLogSubjects("shop");
  let server: ConfiguredServer;
  let url: string;
  let person: SharedStore;
  let worker: SharedStore;
  let forger: NatsConnection;
  let head: Head;

  const seedOf = (name: string) => readFileSync(join(folder, "keys", "shop", `${name}.nk`));
  const open = (name: string) =>
    openNatsStore({
      ...{ url, project: "shop", root: join(folder, name), host: name, replicas: 1, leaseMs: 2000 },
      credentials: seedOf(name),
    });
  /** The worker's own connection, without our client between it and the server. */
  const connectRaw = (name: string) => {
    const seed = seedOf(name).toString().trim();
    return connect({
      servers: url,
      authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
      inboxPrefix: nameInbox(findPublicKey(seed) ?? ""),
    });
  };
  const lineOf = (envelope: Omit<Envelope, "prev">): Buffer => {
    const [line] = chainLines([envelope], head.seq, person.log.hashOf(head));
    return Buffer.from(`${line?.bytes}\n`);
  };

  beforeAll(async () => {
    const port = await findFreePort();
    const users = { people: ["anna"], workers: ["host-a"] };
    const { confs } = writeServer({ folder, project: "shop", listen: [`127.0.0.1:${port}`], ...users });
    url = `nats://127.0.0.1:${port}`;
    server = await startConfiguredServer(confs[0] ?? "", port);
  });
  afterAll(async () => {
    await Promise.allSettled([person?.close(), worker?.close(), forger?.close()]);
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test("makes nothing on a fresh server, and says who does", async () => {
    await assertFailsWith("store.not-ready", () => open("host-a"));
    person = await open("anna");
    worker = await open("host-a");
    forger = await connectRaw("host-a");
  });

  test("writes lines of machines, keeps artifacts and places, and reads everything", async () => {
    const first = await worker.log.append(bubble, emptyHead, buildMessages(bubble, emptyHead, "c1", ["a"]));
    head = first.head;
    await worker.records.create(bubble);
    await worker.records.put(bubble, "notes.md", Buffer.from("x".repeat(200_000)));
    await worker.offers.want(bubble, []);
    const offer = await worker.offers.take([], 2000);
    expect(offer?.bubble).toBe(bubble);
    await offer?.done();
    await worker.offers.announce({
      ...{ host: "host-a", labels: [], concurrency: 1, driving: [], version: "1", pid: 1, startedAt: "" },
    });
    const at = new Date().toISOString();
    const beat = {
      driver: "d1",
      pid: process.pid,
      host: "host-a",
      startedAt: at,
      at,
      seat: "process" as const,
    };
    expect((await worker.runtime.claim(bubble, beat)).ok).toBe(true);
    await worker.runtime.release(bubble, "d1");
    const notes = await person.records.get(bubble, "notes.md");
    expect(notes?.length).toBe(200_000);
    expect((await worker.describeServer()).isDurable).toBe(true);
  });

  test("cannot approve: the server refuses it", async () => {
    await assertFailsWith("store.forbidden", () => worker.log.append(bubble, head, [approval(2)]));
    expect((await readAll(person.log, bubble)).envelopes).toHaveLength(1);
  });

  test("cannot approve through the machines' side: the fold does not count it", async () => {
    await jetstream(forger).publish(of(bubble, "w"), lineOf(approval(2)));
    const read = await readAll(person.log, bubble);
    expect(read.envelopes).toHaveLength(1);
    expect(read.skipped.at(-1)?.reason).toContain("did not come from a person");
  });

  test("cannot make the server pass an approval on to the people's side, by any answer or delivery", async () => {
    const before = (await readAll(person.log, bubble)).skipped.length;
    const js = jetstream(forger);
    const kept = await js.publish("$KV.pf-hosts-shop.forged", lineOf(approval(2)));
    const ask = JSON.stringify({ seq: kept.seq });
    const [h, e] = [of(bubble, "h"), end(bubble)];
    // The answer to a question goes wherever who asks wants it, and is kept by the stream that listens there.
    forger.publish("$JS.API.DIRECT.GET.KV_pf-hosts-shop", ask, { reply: h });
    forger.publish("$JS.API.STREAM.MSG.GET.KV_pf-hosts-shop", ask, { reply: h });
    forger.publish("$JS.API.DIRECT.GET.KV_pf-hosts-shop", ask, { reply: e });
    const push = { name: "forger", deliver_subject: h, ack_policy: "none", deliver_policy: "all" };
    const order = { stream_name: "KV_pf-hosts-shop", config: push };
    await forger
      .request("$JS.API.CONSUMER.CREATE.KV_pf-hosts-shop.forger", JSON.stringify(order))
      .catch(() => {});
    await forger.flush();
    // The same with the expectation that our messages carry: where it is kept, the server compares it first.
    const expecting = headers();
    expecting.set("Nats-Expected-Last-Subject-Sequence", "1");
    expecting.set("Nats-Expected-Last-Subject-Sequence-Subject", all(bubble));
    await expect(
      js.publish("$KV.pf-hosts-shop.other", lineOf(approval(2)), { headers: expecting }),
    ).rejects.toThrow();

    const jsm = await jetstreamManager(forger);
    await expect.poll(async () => (await jsm.streams.info(stream)).state.messages).toBeGreaterThanOrEqual(5);
    const read = await readAll(person.log, bubble);
    expect(read.envelopes.map(({ type }) => type)).not.toContain("APPROVAL_DECISION");
    expect(read.trouble).toBeUndefined();
    expect(read.skipped.length).toBeGreaterThan(before);
    // And nobody is held up by it.
    const next = await person.log.append(bubble, head, [approval(2)]);
    expect(next).toMatchObject({ ok: true, head: { seq: 2 } });
    expect((await readAll(worker.log, bubble)).envelopes.at(-1)?.type).toBe("APPROVAL_DECISION");
  });

  test("takes nothing away, makes no stream and reads no answers to others", async () => {
    const raw = jetstreamManager(forger).then((jsm) => jsm);
    const jsm = await raw;
    await expect(jsm.streams.delete(stream)).rejects.toThrow(/permissions violation/i);
    await expect(jsm.streams.purge(stream)).rejects.toThrow(/permissions violation/i);
    await expect(jsm.streams.update(stream, { max_age: 1_000_000_000 })).rejects.toThrow(
      /permissions violation/i,
    );
    const relay = { name: "relay", subjects: ["x"], republish: { src: "x", dest: of(bubble, "h") } };
    await expect(jsm.streams.add(relay)).rejects.toThrow(/permissions violation/i);
    const heard = forger.subscribe("_INBOX_*.>");
    await expect(heard.closed).resolves.toBeInstanceOf(Error);
  });

  test("nobody but the admin takes away what is on the record", async () => {
    const anna = await connectRaw("anna");
    const jsm = await jetstreamManager(anna);
    await expect(jsm.streams.delete(stream)).rejects.toThrow(/permissions violation/i);
    await anna.close();
  });
});
