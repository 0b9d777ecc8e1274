// Real processes on one file: killed, paused and racing. What is promised across processes is proved across them.
import type { ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyHead, type Head } from "../../src/ports/record/log.ts";
import { buildMessages, getMessageText, readAll } from "../../src/testing/messages.ts";
import { ended, locksIn, logIn, marks, scratch, startWorker, workerFile } from "./rigs.ts";

let folder: ReturnType<typeof scratch>;
const patient = 10_000;
const started = new Set<ChildProcess>();

beforeEach(async () => {
  folder = scratch();
  await workerFile();
});
afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  started.clear();
  folder.remove();
});

const lockOf = (bubble: string) => join(folder.root, ".pairflow", "locks", `${bubble}.lock`);

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  return { result: await work(), ms: performance.now() - began };
}

/** A worker that stops itself at a point of its append; resolves when it has stopped. */
async function pausedAt(at: string, expected: Head, name: string): Promise<ChildProcess> {
  const envelopes = buildMessages("b1", expected, name, [name]);
  const child = await startWorker({
    root: folder.root,
    job: "append",
    bubble: "b1",
    expected,
    envelopes,
    signal: "SIGSTOP",
    at,
  });
  started.add(child);
  while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, "utf8"))) await pause(5);
  return child;
}

test.each([
  { how: "with the lock", alone: false, forMs: 3000 },
  { how: "by the order of the file alone", alone: true, forMs: 2500 },
])(
  "eight processes hammer one bubble, killed and paused, $how: nothing lost, nothing doubled, dense",
  async (run) => {
    const { how, alone, forMs } = run;
    const end = Date.now() + forMs;
    const acks: string[] = [];
    const slot = async (name: string) => {
      for (let life = 0; Date.now() < end - 300; life += 1) {
        const file = join(folder.root, `acks-${name}-${life}`);
        acks.push(file);
        const orders = {
          root: folder.root,
          job: "hammer",
          bubble: "b1",
          name: `${name}${life}`,
          acks: file,
          alone,
        } as const;
        const child = await startWorker({ ...orders, forMs: end - Date.now() });
        started.add(child);
        const gone = ended(child);
        await Promise.race([gone, harass(child, end)]);
        await gone;
      }
    };
    await Promise.all(["a", "b", "c", "d", "e", "f", "g", "h"].map(slot));

    const { envelopes, head, skipped } = await readAll(logIn(folder.root), "b1");
    expect(envelopes.map((one) => one.seq)).toEqual(Array.from({ length: head.seq }, (_, i) => i + 1));
    const lastSeq = new Map<string, number>();
    for (const one of envelopes) {
      if (one.batch.i === 0) expect(lastSeq.has(one.batch.id), `${one.batch.id} twice`).toBe(false);
      lastSeq.set(one.batch.id, one.seq);
    }
    const acknowledged = acks
      .filter((file) => existsSync(file))
      .flatMap((file) => readFileSync(file, "utf8").split("\n").filter(Boolean))
      .map((text) => text.split(" "));
    for (const [batch, seq] of acknowledged) expect(lastSeq.get(batch ?? ""), batch).toBe(Number(seq));
    // How many depends on the machine and on what else it does; that there were some does not.
    expect(acknowledged.length).toBeGreaterThan(8);
    console.log(
      `8 processes ${how}, ${acks.length} lives: ${acknowledged.length} commands and ${head.seq} messages in ${forMs} ms, ${skipped.length} lines set aside`,
    );
  },
);

/** Lets a worker live a while, pauses it now and then, kills it sometimes. */
async function harass(child: ChildProcess, end: number): Promise<void> {
  await pause(150 + Math.random() * 500);
  while (child.exitCode === null && child.signalCode === null && Date.now() < end - 400) {
    const dice = Math.random();
    if (dice < 0.35) return void child.kill("SIGKILL");
    if (dice < 0.7) {
      child.kill("SIGSTOP");
      await pause(100 + Math.random() * 500);
      child.kill("SIGCONT");
    }
    await pause(100 + Math.random() * 300);
  }
}

test("a paused lock holder delays the next append by less than a second, and its own late line loses", async () => {
  const log = logIn(folder.root);
  const first = await log.append("b1", emptyHead, buildMessages("b1", emptyHead, "c1", ["a"]));
  const sleeper = await pausedAt("log.before-write", first.head, "sleeper");
  const { result, ms } = await timed(() =>
    log.append("b1", first.head, buildMessages("b1", first.head, "c2", ["b"])),
  );
  expect(result.ok).toBe(true);
  expect(ms).toBeLessThan(1000);
  sleeper.kill("SIGCONT");
  expect(await ended(sleeper)).toEqual([{ result: { ok: false, head: result.head } }]);
  const all = await readAll(log, "b1");
  expect(all.envelopes.map(getMessageText)).toEqual(["a", "b"]);
  expect(all.skipped).toHaveLength(1);
});

test("a holder paused behind its write has won; it learns so when it wakes", async () => {
  const log = logIn(folder.root);
  const sleeper = await pausedAt("log.after-write", emptyHead, "sleeper");
  const late = await log.append("b1", emptyHead, buildMessages("b1", emptyHead, "c2", ["b"]));
  expect(late).toMatchObject({ ok: false, head: { seq: 1 } });
  await log.append("b1", late.head, buildMessages("b1", late.head, "c2", ["b"]));
  sleeper.kill("SIGCONT");
  expect(await ended(sleeper)).toMatchObject([{ result: { ok: true, head: { seq: 1 } } }]);
  expect((await readAll(log, "b1")).envelopes.map(getMessageText)).toEqual(["sleeper", "b"]);
});

test("the lock of a killed process is broken at once", async () => {
  const child = await pausedAt("log.locked", emptyHead, "victim");
  child.kill("SIGKILL");
  await ended(child);
  expect(readlinkSync(lockOf("b1"))).toMatch(new RegExp(`^${child.pid} `));
  const { result, ms } = await timed(() => locksIn(folder.root, patient).take("b1"));
  expect(ms).toBeLessThan(patient / 4);
  result?.();
  expect(readdirSync(dirname(lockOf("b1")))).toEqual([]);
});

test.each([
  [
    "a pid that belongs to another process now",
    () => symlinkSync(`${process.pid} 1 ${marks.of(process.pid).host} 1`, lockOf("b1")),
  ],
  ["nobody's name", () => writeFileSync(lockOf("b1"), "")],
])("a lock with %s on it is broken at once", async (_what, leave) => {
  mkdirSync(join(folder.root, ".pairflow", "locks"), { recursive: true });
  leave();
  const { result, ms } = await timed(() => locksIn(folder.root, patient).take("b1"));
  expect(result).toBeDefined();
  expect(ms).toBeLessThan(patient / 4);
});

test("a living holder is waited for up to the limit, then everybody continues without", async () => {
  const release = await locksIn(folder.root).take("b1");
  const waiting = timed(() => locksIn(folder.root, 150).take("b1"));
  const { result, ms } = await waiting;
  expect(result).toBeUndefined();
  expect(ms).toBeGreaterThan(140);
  const next = locksIn(folder.root, patient).take("b1");
  release?.();
  expect(await next).toBeDefined();
});
