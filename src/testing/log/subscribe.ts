// The scenarios of L6: a subscriber of a log hears everything, however slowly it listens.
import assert from "node:assert/strict";
import { type EventLog, emptyHead, type Head } from "../../ports/record/log.ts";
import type { ContractScenario } from "../contracts/contract.ts";
import { getMessageText } from "../messages.ts";
import { append, type LogRig } from "./rig.ts";

const L6 = "L6 subscribe is at least once, ordered per bubble, resumable from a head, and misses nothing";

export const subscribeScenarios: readonly ContractScenario<LogRig>[] = [
  [L6, "what is there, then what comes, in order", subscribeAll],
  [L6, "a subscription made before the bubble, read by somebody slow", subscribeEarly],
  [L6, "continuing from a head repeats nothing and misses nothing", subscribeFromHead],
];

async function subscribeAll({ log, again }: LogRig): Promise<void> {
  const head = await append(log, emptyHead, "c1", "a", "b");
  const reader = listen(again(), emptyHead, 4);
  await pause(50);
  await append(log, await append(log, head, "c2", "c"), "c3", "d");
  assert.deepEqual(await reader.texts, ["a", "b", "c", "d"]);
}

async function subscribeEarly({ log, again }: LogRig): Promise<void> {
  const reader = listen(again(), emptyHead, 12, 20);
  let head: Head = emptyHead;
  for (let i = 0; i < 12; i += 1) {
    head = await append(log, head, `c${i}`, String(i));
    await pause(i % 3);
  }
  assert.deepEqual(
    await reader.texts,
    Array.from({ length: 12 }, (_, i) => String(i)),
  );
}

async function subscribeFromHead({ log, again }: LogRig): Promise<void> {
  const head = await append(log, emptyHead, "c1", "a", "b");
  const reader = listen(again(), head, 1);
  await append(log, head, "c2", "c");
  assert.deepEqual(await reader.texts, ["c"]);
  const stop = new AbortController();
  stop.abort();
  for await (const batch of log.subscribe("b1", emptyHead, stop.signal))
    assert.fail(`after the end: ${batch.head.seq}`);
}

/** Subscribes until `count` envelopes came, then stops; the subscription must end by itself. */
function listen(log: EventLog, from: Head, count: number, slowMs = 0): { readonly texts: Promise<string[]> } {
  const stop = new AbortController();
  const heard = async () => {
    const found: string[] = [];
    for await (const batch of log.subscribe("b1", from, stop.signal)) {
      found.push(...batch.envelopes.map(getMessageText));
      if (found.length >= count) stop.abort();
      await pause(slowMs);
    }
    return found;
  };
  return { texts: heard() };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
