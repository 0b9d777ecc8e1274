// What every store of conventions must keep: the promises are the sentences of ports/record/conventions.ts.
import assert from "node:assert/strict";
import { countConvention, type LearnedConventions, nothingLearned } from "../../core/knowledge/learning.ts";
import type { Conventions } from "../../ports/record/conventions.ts";
import { assertFailsWith, defineContract, requireAbility } from "./contract.ts";

export interface ConventionsRig {
  readonly conventions: Conventions;
  /** The store as another process gets it: same storage, no memory. */
  again(): Conventions;
  /** The store as a process gets it that dies when the first of the two files is written. */
  dying?(): Conventions;
  /** Makes what was learned unreadable; returns a look at what is stored now. */
  damage?(): () => string;
  /** How often something was written. */
  writes?(): number;
  close(): Promise<void>;
}

const N1 =
  "N1 what was changed is there after a crash, and each file is whole: as before the change or as after it";
const N2 =
  "N2 changes come one after the other, whichever processes make them: each sees what the one before it left";
const N3 = "N3 a change that changes nothing writes nothing";
const N4 = "N4 what cannot be read is told as a failure and never overwritten";

/** The cases for one adapter. */
export const buildConventionsContract = defineContract<ConventionsRig>([
  [N1, "both parts are there for another process", checkBothThere],
  [N1, "cut off between them, each is whole and the change can be made again", cutOff],
  [N2, "of forty that count at once every one is counted", checkFortyAtOnce],
  [N2, "a change that throws leaves the way free", checkThrowing],
  [N3, "the same again", checkSameAgain],
  [N4, "neither read nor changed", checkUnreadable],
]);

const line = '{"name":"A","pattern":"p","applies_to":"*"}\n';

function noticeIn(learned: LearnedConventions, bubble: string): LearnedConventions {
  const pattern = { name: "Timeouts", pattern: "handlers time out", applies_to: "src/**" };
  const at = "2026-03-01T00:00:00.000Z";
  const bubbles = [{ bubble, noticed: [{ bubble, agent: "claude", tree: "t", at, pattern }] }];
  return countConvention(learned, [], bubbles).learned;
}

const readCount = (store: Conventions, bubble: string, file?: string) =>
  store.change((kept) => ({
    kept: { learned: noticeIn(kept.learned, bubble), file: file ?? kept.file },
    result: bubble,
  }));

async function checkBothThere(rig: ConventionsRig): Promise<void> {
  assert.deepEqual(await rig.conventions.read(), { learned: nothingLearned, file: "" });
  assert.equal(await readCount(rig.conventions, "b1", line), "b1");
  assert.deepEqual(await rig.again().read(), { learned: noticeIn(nothingLearned, "b1"), file: line });
}

async function cutOff(rig: ConventionsRig): Promise<void> {
  await assert.rejects(readCount(requireAbility(rig.dying)(), "b1", line));
  assert.deepEqual(await rig.again().read(), { learned: noticeIn(nothingLearned, "b1"), file: "" });
  await readCount(rig.again(), "b1", line);
  assert.deepEqual(await rig.again().read(), { learned: noticeIn(nothingLearned, "b1"), file: line });
}

async function checkFortyAtOnce(rig: ConventionsRig): Promise<void> {
  const bubbles = Array.from({ length: 40 }, (_, i) => `b${i}`);
  await Promise.all(bubbles.map((bubble) => readCount(rig.again(), bubble)));
  const { learned } = await rig.again().read();
  assert.deepEqual([...learned.counted].sort(), [...bubbles].sort());
  assert.equal(learned.candidates[0]?.evidence.length, 40);
}

async function checkThrowing(rig: ConventionsRig): Promise<void> {
  const broken = rig.conventions.change(() => {
    throw new Error("no");
  });
  await assert.rejects(broken, /^Error: no$/);
  await readCount(rig.again(), "b1");
  assert.deepEqual((await rig.again().read()).learned.counted, ["b1"]);
}

async function checkSameAgain(rig: ConventionsRig): Promise<void> {
  await rig.conventions.change((kept) => ({ kept, result: undefined }));
  await readCount(rig.conventions, "b1", line);
  const before = requireAbility(rig.writes)();
  await readCount(rig.conventions, "b1", line);
  assert.equal(requireAbility(rig.writes)(), before);
}

async function checkUnreadable(rig: ConventionsRig): Promise<void> {
  await readCount(rig.conventions, "b1");
  const stored = requireAbility(rig.damage)();
  const before = stored();
  await assertFailsWith("conventions.unreadable", () => rig.again().read());
  await assertFailsWith("conventions.unreadable", () => readCount(rig.again(), "b2"));
  assert.equal(stored(), before);
}
