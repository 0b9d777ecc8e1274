// What every list of offers must keep: the promises are the sentences of ports/record/offers.ts.
import assert from "node:assert/strict";
import type { Offer, Offers, WorkingHost } from "../../ports/record/offers.ts";
import { defineContract } from "./contract.ts";

export interface OffersRig {
  /** Two machines. */
  readonly one: Offers;
  readonly other: Offers;
  /** How long a machine may say nothing of an offer that it was handed. */
  readonly leaseMs: number;
  /** A driver takes the bubble's place and is not heard of again; returns when the place has run out. */
  loseDriver(bubble: string): Promise<void>;
  close(): Promise<void>;
}

const O1 =
  "O1 an offer is a hint: the driver's place alone decides who drives, so one that is lost or doubled costs time and nothing else";
const O2 = "O2 a bubble has one open offer for the same needs, however often it is wanted";
const O3 = "O3 an offer goes to one machine at a time, and only to one that has every label it needs";
const O4 = "O4 a driver's place that ran out is told to every machine that listens";

/** The cases for one adapter. */
export const buildOffersContract = defineContract<OffersRig>([
  [O1, "a machine that took one and says nothing more", checkLost],
  [O1, "one that was taken, and is gone", checkDone],
  [O2, "wanted three times by two machines", checkOnce],
  [O3, "two machines at once, and one that gives it back", checkOneAtATime],
  [O3, "labels that a machine lacks", checkLabels],
  [O3, "one that is handed to another machine does not keep the next one back", checkNext],
  [O4, "two machines listen, one stops", checkTold],
  [O4, "machines come, say more of themselves, and go", checkHosts],
]);

const soonMs = 300;
const take = (offers: Offers, labels: readonly string[] = [], waitMs = soonMs) => offers.take(labels, waitMs);

async function takeFor(offers: Offers, waitMs: number, labels: readonly string[] = []): Promise<Offer> {
  for (const end = Date.now() + waitMs; ; ) {
    const offer = await take(offers, labels);
    if (offer) return offer;
    assert.ok(Date.now() < end, `no offer came within ${waitMs} ms`);
  }
}

async function checkLost({ one, other, leaseMs }: OffersRig): Promise<void> {
  await one.want("b1", []);
  assert.equal((await takeFor(one, 5000)).bubble, "b1");
  assert.equal((await takeFor(other, leaseMs + 5000)).bubble, "b1");
}

async function checkDone({ one, other, leaseMs }: OffersRig): Promise<void> {
  await one.want("b1", []);
  await (await takeFor(one, 5000)).done();
  assert.equal(await take(other, [], leaseMs + soonMs), undefined);
  await other.want("b1", []);
  assert.equal((await takeFor(one, 5000)).bubble, "b1");
}

async function checkOnce({ one, other }: OffersRig): Promise<void> {
  await one.want("b1", []);
  await one.want("b1", []);
  await other.want("b1", []);
  await (await takeFor(one, 5000)).done();
  assert.equal(await take(one), undefined);
}

async function checkOneAtATime({ one, other }: OffersRig): Promise<void> {
  await one.want("b1", []);
  const offer = await takeFor(one, 5000);
  assert.equal(await take(other), undefined);
  await offer.giveBack(0);
  assert.equal((await takeFor(other, 5000)).bubble, "b1");
}

async function checkLabels({ one, other }: OffersRig): Promise<void> {
  await one.want("b1", ["gpu", "eu"]);
  assert.equal(await take(one), undefined);
  assert.equal(await take(one, ["gpu", "us"]), undefined);
  assert.equal((await takeFor(other, 5000, ["us", "eu", "gpu"])).bubble, "b1");
}

async function checkNext({ one, other }: OffersRig): Promise<void> {
  await one.want("b1", []);
  await takeFor(one, 5000);
  await one.want("b2", ["gpu"]);
  assert.equal((await takeFor(other, 5000, ["gpu"])).bubble, "b2");
}

async function checkTold({ one, other, loseDriver }: OffersRig): Promise<void> {
  const ears = [one, other].map((offers) => {
    const [heard, signal] = [[] as string[], new AbortController()];
    return { heard, signal, over: offers.listen((bubble) => heard.push(bubble), signal.signal) };
  });
  await loseDriver("b1");
  await waitFor(() => ears.every(({ heard }) => heard.includes("b1")));
  ears[0]?.signal.abort();
  await ears[0]?.over;
  await loseDriver("b2");
  await waitFor(() => ears[1]?.heard.includes("b2") ?? false);
  ears[1]?.signal.abort();
  await ears[1]?.over;
  assert.deepEqual(
    ears.map(({ heard }) => [...new Set(heard)]),
    [["b1"], ["b1", "b2"]],
  );
}

async function checkHosts({ one, other }: OffersRig): Promise<void> {
  const host = (name: string, concurrency: number): WorkingHost => ({
    ...{ host: name, labels: ["gpu"], concurrency, driving: [], version: "1", pid: 1 },
    startedAt: "2026-01-01T00:00:00.000Z",
  });
  await one.announce(host("a~1", 1));
  await other.announce(host("b~2", 1));
  await one.announce(host("a~1", 4));
  const known = async () => (await other.hosts()).map(({ host: name, concurrency }) => [name, concurrency]);
  assert.deepEqual(await known(), [
    ["a~1", 4],
    ["b~2", 1],
  ]);
  await one.withdraw("a~1");
  assert.deepEqual(await known(), [["b~2", 1]]);
}

async function waitFor(wanted: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !wanted(); await new Promise((resolve) => setTimeout(resolve, 20)))
    assert.ok(Date.now() < end, "it was never told");
}
