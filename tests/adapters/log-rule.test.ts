// The rule by which file order decides, on bytes made by hand: which lines count, and what is said about the others.
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EventLog, emptyHead, type Head } from "../../src/ports/record/log.ts";
import { buildMessages, getMessageText, readAll } from "../../src/testing/messages.ts";
import { bytesOf, logIn, scratch, transcriptIn } from "./rigs.ts";

let folder: ReturnType<typeof scratch>;
let log: EventLog;
let path: string;

beforeEach(() => {
  folder = scratch();
  log = logIn(folder.root);
  path = transcriptIn(folder.root);
});
afterEach(() => folder.remove());

async function append(head: Head, batch: string, ...texts: string[]): Promise<Head> {
  const done = await log.append("b1", head, buildMessages("b1", head, batch, texts));
  expect(done.ok).toBe(true);
  return done.head;
}

const line = (head: Head, batch: string, ...texts: string[]) =>
  bytesOf(head, buildMessages("b1", head, batch, texts));

/** What reading says after a line was added by hand behind the message "a". */
async function verdictOn(bytes: (head: Head) => Buffer | string) {
  const head = await append(emptyHead, "c1", "a");
  appendFileSync(path, bytes(head));
  const { envelopes, skipped, trouble } = await readAll(log, "b1");
  return { counted: envelopes.map(getMessageText), skipped, trouble, head };
}

const otherPast = { seq: 1, token: `0:0:${"0".repeat(64)}:1` };

test.each([
  ["text", () => "hello\n", /cannot be read/],
  ["another JSON value", () => "[1,2]\n", /no line of this log/],
  [
    "a seq that leaves a gap",
    (h: Head) => line({ ...h, seq: 7 }, "c2", "x"),
    /builds on line 7 .* 1 is the newest/,
  ],
  ["a line behind another past", () => line(otherPast, "c2", "x"), /builds on another line 1/],
  [
    "another bubble's line",
    (h: Head) => line(h, "c2", "x").toString().replace('"b1"', '"b2"'),
    /another bubble/,
  ],
  [
    "a payload no referee wrote",
    (h: Head) => line(h, "c2", "x").toString().replace('"code":"test.note"', '"code":7'),
    /no line of this log \(WARNING code/,
  ],
  ["a version that is none", (h: Head) => line(h, "c2", "x").toString().replace('"v":1', '"v":"1"'), /v: /],
  ["a line too long to count", () => `${"x".repeat(600_000)}\n`, /cannot be read/],
  ["a line too long to keep", () => `${"x".repeat(2_000_000)}\n`, /cannot be read/],
  [
    "the second half of a batch",
    (h: Head) => line(h, "c2", "x", "y").toString().split("\n").slice(1).join("\n"),
    /without the parts before it/,
  ],
  [
    "a line whose newline was changed",
    (h: Head) => `${line(h, "c2", "x").toString().trimEnd()}*`,
    /lost its newline/,
  ],
] as const)("%s is damage: it does not count, and nothing is appended", async (_what, bytes, reason) => {
  const { counted, trouble, head } = await verdictOn(bytes);
  expect(counted).toEqual(["a"]);
  expect(trouble).toMatchObject({ kind: "damaged", line: 2, reason: expect.stringMatching(reason) });
  const next = log.append("b1", head, buildMessages("b1", head, "c9", ["z"]));
  await expect(next).rejects.toMatchObject({ code: "log.damaged", retryable: false });
});

test.each([
  ["a later version", (text: string) => text.replace('"v":1', '"v":2'), "format version 2"],
  [
    "a later version that chains otherwise",
    (text: string) => text.replace('"v":1', '"v":3').replace('"prev"', '"parents"'),
    "format version 3",
  ],
  ["an unknown type", (text: string) => text.replace("WARNING", "OMEN"), 'unknown type "OMEN"'],
  ["a field nobody knows yet", (text: string) => text.replace('"code"', '"mood":1,"code"'), /^WARNING mood/],
] as const)(
  "%s is newer, not damage: it does not count, and nothing is appended",
  async (_what, change, reason) => {
    const { counted, trouble, head } = await verdictOn((h) => change(line(h, "c2", "x").toString()));
    expect(counted).toEqual(["a"]);
    expect(trouble).toEqual({ kind: "newer", line: 2, reason: expect.stringMatching(reason) });
    const next = log.append("b1", head, buildMessages("b1", head, "c9", ["z"]));
    await expect(next).rejects.toMatchObject({ code: "log.newer", retryable: false });
  },
);

test("a line that says it is newer, and that the next one does not build on, was changed", async () => {
  const head = await append(emptyHead, "c1", "a");
  await append(await append(head, "c2", "b"), "c3", "c");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.map((one, at) => (at === 1 ? one.replace('"v":1', '"v":3') : one)).join("\n"));
  expect((await readAll(log, "b1")).trouble).toMatchObject({ kind: "damaged", line: 2 });
});

test("a losing line of a newer version is a loser like any other", async () => {
  const head = await append(emptyHead, "c1", "a");
  const loser = line(head, "w2", "x").toString().replace("WARNING", "OMEN");
  await append(head, "c2", "b");
  appendFileSync(path, loser);
  const { envelopes, trouble } = await readAll(log, "b1");
  expect([envelopes.map(getMessageText), trouble]).toEqual([["a", "b"], undefined]);
});

test("a seq that was had before does not count", async () => {
  const { counted, skipped, trouble } = await verdictOn(() => line(emptyHead, "c2", "x"));
  expect([counted, trouble]).toEqual([["a"], undefined]);
  expect(skipped).toEqual([{ line: 2, reason: "seq 1 where 2 is due" }]);
});

test("the loser of a race is skipped, whole batches at a time", async () => {
  const head = await append(emptyHead, "c1", "a");
  appendFileSync(
    path,
    Buffer.concat([line(head, "w1", "b", "c"), line(head, "w2", "x", "y"), line(head, "w3", "x")]),
  );
  const { envelopes, skipped } = await readAll(log, "b1");
  expect(envelopes.map(getMessageText)).toEqual(["a", "b", "c"]);
  expect(skipped.map((one) => one.line)).toEqual([4, 5, 6]);
});

test("a batch that was cut off and written again counts once", async () => {
  const head = await append(emptyHead, "c1", "a");
  const whole = line(head, "w1", "b", "c", "d");
  const firstTwo = `${whole.toString().split("\n").slice(0, 2).join("\n")}\n`;
  appendFileSync(path, firstTwo);
  await append(head, "w1", "b", "c", "d");
  const { envelopes, skipped } = await readAll(log, "b1");
  expect(envelopes.map(getMessageText)).toEqual(["a", "b", "c", "d"]);
  expect(skipped.map((one) => one.line)).toEqual([2, 3]);
});

test("two writers that set the same torn line apart leave an empty line and no complaint about it", async () => {
  const head = await append(emptyHead, "c1", "a");
  appendFileSync(path, Buffer.concat([Buffer.from('{"torn\n\n'), line(head, "w1", "b")]));
  const { envelopes, skipped } = await readAll(log, "b1");
  expect(envelopes.map(getMessageText)).toEqual(["a", "b"]);
  expect(skipped).toEqual([{ line: 2, reason: "not JSON" }]);
});

test("a write that lands behind a line torn in that very moment is made again", async () => {
  const head = await append(emptyHead, "c1", "a");
  let torn = 0;
  const unlucky = logIn(folder.root, (point) => {
    if (point === "log.before-write" && torn++ < 2) appendFileSync(path, '{"torn');
  });
  const done = await unlucky.append("b1", head, buildMessages("b1", head, "c2", ["b", "c"]));
  expect(done).toMatchObject({ ok: true, head: { seq: 3 } });
  expect((await readAll(log, "b1")).envelopes.map(getMessageText)).toEqual(["a", "b", "c"]);
});

test("line numbers are the file's own, wherever reading starts", async () => {
  const head = await append(emptyHead, "c1", "a", "b");
  appendFileSync(path, "rubbish");
  const next = await append(head, "c2", "c");
  appendFileSync(path, "more rubbish");
  expect((await readAll(log, "b1", head)).skipped.map((one) => one.line)).toEqual([3, 5]);
  expect((await readAll(log, "b1", next)).skipped.map((one) => one.line)).toEqual([5]);
});

test("a rewritten past is noticed by whoever stood on it", async () => {
  const head = await append(emptyHead, "c1", "a");
  writeFileSync(path, readFileSync(path, "utf8").replace('"message":"a"', '"message":"b"'));
  await expect(readAll(log, "b1", head)).rejects.toMatchObject({ code: "log.head-lost" });
  const whole = await readAll(log, "b1");
  expect(whole.head).not.toEqual(head);
});

test("pieces of a long file make one log", async () => {
  const texts = Array.from({ length: 2000 }, (_, i) => "ü".repeat((i * 13) % 700));
  let head: Head = emptyHead;
  for (let i = 0; i < texts.length; i += 40) head = await append(head, `c${i}`, ...texts.slice(i, i + 40));
  const heads: number[] = [];
  for await (const batch of log.read("b1")) heads.push(batch.head.seq);
  expect(heads.length).toBeGreaterThan(3);
  expect((await readAll(log, "b1")).envelopes.map(getMessageText)).toEqual(texts);
});

test("cut at any byte, the file holds a prefix of its commands, and the next command follows", async () => {
  const commands = [["a"], ["b", "ß"], ["c", "d", "e"], ["f"]];
  let head: Head = emptyHead;
  const ends = [0];
  for (const [i, texts] of commands.entries()) {
    head = await append(head, `c${i}`, ...texts);
    ends.push(Number(head.token.split(":")[0]));
  }
  const whole = readFileSync(path);
  const check = async (cut: number) => {
    writeFileSync(path, whole);
    truncateSync(path, cut);
    const left = await readAll(log, "b1");
    const kept = commands.slice(0, ends.filter((end) => end > 0 && end <= cut).length).flat();
    expect(left.envelopes.map(getMessageText)).toEqual(kept);
    const next = await log.append("b1", left.head, buildMessages("b1", left.head, "next", ["next"]));
    const after = await readAll(log, "b1");
    // Only a line that lacked nothing but its newline may have been completed by the next writer.
    const completed = ends.includes(cut + 1) ? commands[ends.indexOf(cut + 1) - 1] : undefined;
    expect(after.envelopes.map(getMessageText)).toEqual([...kept, ...(completed ?? ["next"])]);
    expect(next.ok).toBe(completed === undefined);
  };
  for (const end of ends.slice(1)) await check(end - 1);
  await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), check), { numRuns: 150 });
});
