// What every log must keep. The promises are the sentences of ports/record/log.ts; a fake that breaks one of them proves nothing.
import assert from "node:assert/strict";
import { emptyHead, type Head } from "../../ports/record/log.ts";
import { assertFailsWith, defineContract, requireAbility } from "../contracts/contract.ts";
import { buildMessages, getMessageText, readAll } from "../messages.ts";
import { append, type LogRig, readTexts } from "./rig.ts";
import { subscribeScenarios } from "./subscribe.ts";

const L1 = "L1 append is all-or-nothing; envelopes get seq expected+1…+n, dense, no gap, immutable";
const L2 = "L2 for one expected head exactly one append wins, across processes and pauses";
const L3 = "L3 ok means durable: the lines survive kill -9 of any process and a power cut";
const L4 =
  "L4 repeating the same append (same batch id) after a failure returns ok with the first lines, never a second copy";
const L5 =
  "L5 read yields in order, gap-free, and sees every append acknowledged before it began; a torn or losing line is skipped, never counted";

const L7 =
  "L7 damage and lines of a newer version are reported, never skipped: nothing counts behind them, nothing is appended";

/** The cases for one log adapter. */
export const logContract = defineContract<LogRig>([
  [L1, "two commands give one dense chain", checkDenseChain],
  [L1, "what was appended reads the same for ever", checkImmutable],
  [L1, "a batch whose end is torn off counts for nothing", checkTornBatch],
  [L1, "an envelope that is too large is refused and leaves nothing", checkTooLarge],
  [L2, "of twenty appends to one head one wins", checkOneWins],
  [L2, "an append to an old head is told the new one", checkOldHead],
  [L2, "writers that try again all get in, each once", checkEverybodyGetsIn],
  [L3, "killed anywhere, an append counts whole or not at all and blocks nobody", checkKilled],
  [L4, "the same append again, also after others continued", checkRepeated],
  [L4, "the first answer was lost", answerLost],
  [L5, "reading continues from any head", checkFromAnyHead],
  [L5, "others read at once what was acknowledged", checkReadAtOnce],
  [L5, "a bubble nobody wrote to is empty", checkEmptyLog],
  [L5, "a torn line is set aside, and the next line takes its place", checkTornLine],
  [L5, "a line torn at its newline counts once the next writer comes", checkTornAtNewline],
  [L5, "a head that the log no longer holds is lost, not guessed", checkLostHead],
  ...subscribeScenarios,
  [L7, "a line is gone from the middle", checkGoneFromMiddle],
  [L7, "a line is of a type that nobody knows yet", checkOfNewerType],
]);

async function checkDenseChain({ log, again }: LogRig): Promise<void> {
  const head = await append(log, emptyHead, "c1", "a", "b", "c");
  assert.equal(head.seq, 3);
  await append(log, head, "c2", "d", "e");
  const { envelopes } = await readAll(again(), "b1");
  assert.deepEqual(
    envelopes.map((one) => one.seq),
    [1, 2, 3, 4, 5],
  );
  assert.equal(envelopes[0]?.prev, "");
  assert.equal(new Set(envelopes.map((one) => one.prev)).size, 5);
  assert.match(envelopes[4]?.prev ?? "", /^[0-9a-f]{64}$/);
}

async function checkImmutable({ log, again }: LogRig): Promise<void> {
  const head = await append(log, emptyHead, "c1", "a", "ü\u2028\n\ud83d\ude00");
  const before = await readAll(log, "b1");
  await append(log, head, "c2", "c");
  const after = await readAll(again(), "b1");
  assert.deepEqual(after.envelopes.slice(0, 2), before.envelopes);
}

async function checkTornBatch(rig: LogRig): Promise<void> {
  const { log, again } = rig;
  const head = await append(log, emptyHead, "c1", "a");
  await requireAbility(rig.tear)("b1", head, buildMessages("b1", head, "c2", ["x", "y", "z"]), 20);
  assert.deepEqual(await readTexts(again()), ["a"]);
  await append(again(), head, "c3", "b", "c");
  const { envelopes, skipped } = await readAll(again(), "b1");
  assert.deepEqual(envelopes.map(getMessageText), ["a", "b", "c"]);
  assert.deepEqual(
    skipped.map((one) => one.line),
    [2, 3, 4],
  );
}

async function checkTooLarge({ log }: LogRig): Promise<void> {
  const [envelope] = buildMessages("b1", emptyHead, "c1", ["x"]);
  assert.ok(envelope);
  const long = (refs: number) => Array.from({ length: refs }, () => "x".repeat(1000));
  const said = { ...envelope, sender: "codex", refs: long(70) };
  const found = { ...envelope, sender: "orchestrator", refs: long(600) };
  for (const big of [said, found])
    await assertFailsWith("log.envelope-too-large", () => log.append("b1", emptyHead, [big]));
  assert.deepEqual(await readTexts(log), []);
}

async function checkOneWins({ log, again }: LogRig): Promise<void> {
  const head = await append(log, emptyHead, "c0", "start");
  const names = Array.from({ length: 20 }, (_, i) => `w${i}`);
  const done = await Promise.all(
    names.map((name) => again().append("b1", head, buildMessages("b1", head, name, [name, name]))),
  );
  const winners = names.filter((_, i) => done[i]?.ok);
  assert.equal(winners.length, 1);
  assert.ok(done.every((one) => one.head.seq === 3));
  assert.deepEqual(await readTexts(log), ["start", winners[0], winners[0]]);
}

async function checkOldHead({ log, again }: LogRig): Promise<void> {
  const first = await append(log, emptyHead, "c1", "a");
  const newest = await append(log, first, "c2", "b", "c");
  assert.deepEqual(await again().append("b1", first, buildMessages("b1", first, "late", ["x"])), {
    ok: false,
    head: newest,
  });
  assert.deepEqual(await again().append("b1", emptyHead, buildMessages("b1", emptyHead, "later", ["x"])), {
    ok: false,
    head: newest,
  });
}

async function checkEverybodyGetsIn({ again }: LogRig): Promise<void> {
  const writer = async (name: string) => {
    const log = again();
    let head: Head = emptyHead;
    let done = 0;
    for (let tries = 0; done < 10 && tries < 1000; tries += 1) {
      const batch = `${name}-${done}`;
      const answer = await log.append("b1", head, buildMessages("b1", head, batch, [batch]));
      head = answer.head;
      if (answer.ok) done += 1;
    }
  };
  await Promise.all(["a", "b", "c", "d"].map(writer));
  const all = await readAll(again(), "b1");
  assert.equal(all.head.seq, 40);
  assert.equal(new Set(all.envelopes.map(getMessageText)).size, 40);
}

async function checkKilled(rig: LogRig): Promise<void> {
  let head = await append(rig.log, emptyHead, "start", "start");
  for (const [point, isWritten] of Object.entries(requireAbility(rig.crashPoints))) {
    const batch = buildMessages("b1", head, point, [point, point]);
    await requireAbility(rig.appendAndDie)("b1", head, batch, point);
    const left = await readAll(rig.again(), "b1", head);
    const texts = left.envelopes.map(getMessageText);
    if (isWritten !== "no" && (isWritten === "yes" || texts.length > 0))
      assert.deepEqual(texts, [point, point]);
    else assert.deepEqual(texts, []);
    const started = performance.now();
    if (isWritten === "either") head = (await repeat(rig, head, batch)).head;
    else head = await append(rig.again(), left.head, `after ${point}`, "next");
    assert.ok(performance.now() - started < 1000, "a dead writer blocks the next one");
  }
}

/** A caller that does not know whether its append counted repeats it, and then knows. */
async function repeat({ again }: LogRig, head: Head, batch: ReturnType<typeof buildMessages>) {
  const done = await again().append("b1", head, batch);
  assert.ok(done.ok);
  const { envelopes } = await readAll(again(), "b1", head);
  assert.deepEqual(envelopes, done.envelopes);
  return done;
}

async function checkRepeated({ log, again }: LogRig): Promise<void> {
  const batch = buildMessages("b1", emptyHead, "c1", ["a", "b"]);
  const first = await log.append("b1", emptyHead, batch);
  assert.ok(first.ok);
  assert.deepEqual(await again().append("b1", emptyHead, batch), first);
  await append(log, first.head, "c2", "c");
  assert.deepEqual(await again().append("b1", emptyHead, batch), first);
  assert.deepEqual(await readTexts(log), ["a", "b", "c"]);
}

async function answerLost(rig: LogRig): Promise<void> {
  const batch = buildMessages("b1", emptyHead, "c1", ["a", "b"]);
  await assertFailsWith("log.write-failed", () =>
    requireAbility(rig.forgetful)().append("b1", emptyHead, batch),
  );
  const second = await rig.log.append("b1", emptyHead, batch);
  assert.ok(second.ok);
  assert.deepEqual(second.envelopes.map(getMessageText), ["a", "b"]);
  assert.deepEqual(await readTexts(rig.log), ["a", "b"]);
}

async function checkFromAnyHead({ log, again }: LogRig): Promise<void> {
  const heads: Head[] = [emptyHead];
  for (const text of ["a", "b", "c", "d"])
    heads.push(await append(log, heads.at(-1) ?? emptyHead, text, text));
  for (const [i, head] of heads.entries()) {
    const rest = await readAll(again(), "b1", head);
    assert.deepEqual(rest.envelopes.map(getMessageText), ["a", "b", "c", "d"].slice(i));
    assert.deepEqual(rest.head, heads[4]);
  }
}

/** A refusal and a repeat append nothing, so no expected head checks the state they were decided on: the reading must. */
async function checkReadAtOnce({ log, again }: LogRig): Promise<void> {
  const others = [again(), again(), again()];
  let head = emptyHead;
  for (let i = 1; i <= 10; i += 1) {
    const before = head;
    head = await append(log, head, `c${i}`, `text ${i}`);
    const read = await Promise.all(
      others.flatMap((other) => [readAll(other, "b1"), readAll(other, "b1", before)]),
    );
    for (const { envelopes } of read) assert.equal(envelopes.at(-1)?.seq, i);
  }
}

async function checkEmptyLog({ log }: LogRig): Promise<void> {
  assert.deepEqual(await readAll(log, "nobody"), { envelopes: [], skipped: [], head: emptyHead });
  await assertFailsWith("log.head-lost", () => readAll(log, "nobody", { seq: 3, token: "made up" }));
}

async function checkTornLine(rig: LogRig): Promise<void> {
  const head = await append(rig.log, emptyHead, "c1", "a");
  await requireAbility(rig.tear)("b1", head, buildMessages("b1", head, "c2", ["torn"]), 9);
  const torn = await readAll(rig.again(), "b1");
  assert.deepEqual([torn.envelopes.map(getMessageText), torn.head], [["a"], head]);
  assert.match(torn.skipped[0]?.reason ?? "", /^torn/);
  await append(rig.again(), head, "c3", "b");
  const after = await readAll(rig.again(), "b1");
  assert.deepEqual(after.envelopes.map(getMessageText), ["a", "b"]);
  assert.deepEqual(
    after.skipped.map((one) => one.line),
    [2],
  );
}

async function checkTornAtNewline(rig: LogRig): Promise<void> {
  const head = await append(rig.log, emptyHead, "c1", "a");
  await requireAbility(rig.tear)("b1", head, buildMessages("b1", head, "c2", ["b"]), 1);
  assert.deepEqual(await readTexts(rig.again()), ["a"]);
  const late = await rig.again().append("b1", head, buildMessages("b1", head, "c3", ["c"]));
  assert.equal(late.ok, false);
  await append(rig.again(), late.head, "c3", "c");
  assert.deepEqual(await readTexts(rig.again()), ["a", "b", "c"]);
}

async function checkLostHead(rig: LogRig): Promise<void> {
  const first = await append(rig.log, emptyHead, "c1", "a");
  const second = await append(rig.log, first, "c2", "b");
  await requireAbility(rig.loseLast)("b1");
  await assertFailsWith("log.head-lost", () => readAll(rig.again(), "b1", second));
  await assertFailsWith("log.head-lost", () =>
    rig.again().append("b1", second, buildMessages("b1", second, "c3", ["c"])),
  );
  await append(rig.again(), first, "c4", "another b");
  await assertFailsWith("log.head-lost", () => readAll(rig.again(), "b1", second));
}

async function checkGoneFromMiddle(rig: LogRig): Promise<void> {
  const first = await append(rig.log, emptyHead, "c1", "a");
  const second = await append(rig.log, first, "c2", "b");
  await append(rig.log, second, "c3", "c");
  await requireAbility(rig.edit)("b1", (lines) => lines.filter((_, at) => at !== 1));
  const { envelopes, head, trouble } = await readAll(rig.again(), "b1");
  assert.deepEqual(
    [envelopes.map(getMessageText), head, trouble?.kind, trouble?.line],
    [["a"], first, "damaged", 2],
  );
  await assertFailsWith("log.damaged", () =>
    rig.again().append("b1", first, buildMessages("b1", first, "c4", ["d"])),
  );
}

async function checkOfNewerType(rig: LogRig): Promise<void> {
  const first = await append(rig.log, emptyHead, "c1", "a");
  await append(rig.log, first, "c2", "b");
  await requireAbility(rig.edit)("b1", (lines) =>
    lines.map((line, at) => (at === 1 ? line.replace("WARNING", "OMEN") : line)),
  );
  const { envelopes, trouble } = await readAll(rig.again(), "b1");
  assert.deepEqual([envelopes.map(getMessageText), trouble?.kind, trouble?.line], [["a"], "newer", 2]);
  await assertFailsWith("log.newer", () =>
    rig.again().append("b1", first, buildMessages("b1", first, "c4", ["d"])),
  );
}
