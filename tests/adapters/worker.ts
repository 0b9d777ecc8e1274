// A process of its own that works on the record, bundled and started by the tests: it can be killed, paused,
// starved of disk or run as somebody else. Its orders come as JSON in the first argument.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createPidLocks } from "../../src/adapters/lock/pid.ts";
import { createProcessMarks } from "../../src/adapters/lock/process-marks.ts";
import { createFileLog } from "../../src/adapters/log/file.ts";
import { createFileRecords } from "../../src/adapters/records/file.ts";
import { createFileRuntime } from "../../src/adapters/runtime/file.ts";
import { emptyHead, type Head } from "../../src/ports/record/log.ts";
import { buildMessages } from "../../src/testing/messages.ts";

type Unchained = ReturnType<typeof buildMessages>[number];

export type Orders = { root: string } & (
  | {
      job: "append";
      bubble: string;
      expected: Head;
      envelopes: readonly Unchained[];
      signal?: NodeJS.Signals;
      at?: string;
    }
  | { job: "hammer"; bubble: string; name: string; acks: string; forMs: number; alone: boolean }
  | { job: "fill"; bubble: string; size: number }
  | { job: "put"; bubble: string }
  | { job: "claim"; bubbles: readonly string[]; name: string; startAt: number }
);

const orders = JSON.parse(process.argv[2] ?? "") as Orders;
const marks = createProcessMarks();
const locks = createPidLocks({ folder: join(orders.root, ".pairflow", "locks"), marks });

async function work(): Promise<unknown> {
  switch (orders.job) {
    case "append":
      return appendOnce(orders);
    case "hammer":
      return hammer(orders);
    case "fill":
      return fill(orders);
    case "put":
      return put(orders);
    case "claim":
      return claim(orders);
  }
}

/** One append; at the place `at` the process sends itself `signal`. */
async function appendOnce({ root, bubble, expected, envelopes, signal, at }: Orders & { job: "append" }) {
  const crashPoint = (point: string) => {
    if (point === at && signal) process.kill(process.pid, signal);
  };
  return createFileLog({ root, locks, crashPoint }).append(bubble, expected, envelopes);
}

/** Appends as fast as it can, `alone` without the lock; writes down what was acknowledged, after it was. */
async function hammer({ root, bubble, name, acks, forMs, alone }: Orders & { job: "hammer" }) {
  const log = createFileLog({ root, locks: alone ? { take: async () => undefined } : locks });
  const end = Date.now() + forMs;
  let head: Head = emptyHead;
  for (let i = 0; Date.now() < end; ) {
    const batch = `${name}-${i}`;
    const texts = Array.from({ length: 1 + (i % 3) }, () => "x".repeat((i * 37) % 900));
    const done = await log.append(bubble, head, buildMessages(bubble, head, batch, texts));
    head = done.head;
    if (!done.ok) continue;
    appendFileSync(acks, `${batch} ${head.seq}\n`);
    i += 1;
  }
}

/** Appends messages of `size` characters until the disk refuses. */
async function fill({ root, bubble, size }: Orders & { job: "fill" }) {
  const log = createFileLog({ root, locks });
  let head: Head = emptyHead;
  for (let i = 0; i < 1000; i += 1) {
    const done = await log.append(bubble, head, buildMessages(bubble, head, `f${i}`, ["x".repeat(size)]));
    head = done.head;
    process.stdout.write(`${JSON.stringify({ acknowledged: head.seq })}\n`);
  }
}

/** What a reader without the right to write meets: the cache is optional, an artifact is not. */
async function put({ root, bubble }: Orders & { job: "put" }) {
  const records = createFileRecords({ root });
  const snapshot = await records.load(bubble);
  await records.view(bubble, "inbox.ndjson", "[]\n");
  return records.put(bubble, "note.md", `seen ${snapshot?.state.seq}`);
}

/** Wants the driver's place of each bubble, from the same moment on as others; then lives until its input ends. */
async function claim({ root, bubbles, name, startAt }: Orders & { job: "claim" }) {
  const runtime = createFileRuntime({ root, marks, locks });
  const { pid } = process;
  const got: string[] = [];
  process.stdin.resume();
  while (Date.now() < startAt);
  for (const bubble of bubbles) {
    const at = new Date().toISOString();
    const beat = {
      driver: name,
      pid,
      host: marks.of(pid).host,
      startedAt: at,
      at,
      seat: "process",
      session: `pf-${bubble}`,
    };
    if ((await runtime.claim(bubble, beat)).ok) got.push(bubble);
  }
  return got;
}

work().then(
  (result) => process.stdout.write(`${JSON.stringify({ result })}\n`),
  ({ code, hint, message, retryable }) => {
    process.stdout.write(`${JSON.stringify({ failure: { code, hint, message, retryable } })}\n`);
  },
);
