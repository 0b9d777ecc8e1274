// Before a turn of a pair starts, what the pair rests on is looked at; what does not hold goes to a human.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { State } from "../../../src/core/model/state.ts";
import { getCurrentTask } from "../../../src/core/state/workflow-position.ts";
import { handle } from "../../../src/engine/handle/command.ts";
import { checkPairState, isPairSound, renewPairSession } from "../../../src/engine/views/pair-integrity.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { agrees, coding, designing, hands, objects } from "../pair-session-scene.ts";
import { type Disk, disk } from "../pair-session-world.ts";

let place: Disk;
beforeEach(() => {
  place = disk();
});
afterEach(() => place.close());

const file = "pair-sessions/design-l1.json";
const twoRounds = () => objects(hands(objects(hands(designing(), "T1", "first try")), "T2", "second try"));
const problem = async (state?: State) => {
  const now = state ?? (await place.state());
  const task = getCurrentTask(now);
  return task && checkPairState(place.world, now, task);
};
const salvaged = (name = "pair-sessions/design-l1.salvaged.json") =>
  JSON.parse(readFileSync(place.artifact(name), "utf8"));

/** Replaces words of the transcript by others of the same length: the offsets stay, the hashes do not. */
function rewrite(from: string, to: string): void {
  expect(to).toHaveLength(from.length);
  const text = readFileSync(place.transcript, "utf8");
  expect(text).toContain(from);
  writeFileSync(place.transcript, text.replace(from, to));
}

it("finds nothing wrong with a pair that was left alone, before its first view and after", async () => {
  const begun = designing();
  await place.plays(begun);
  expect(await problem()).toBeUndefined();
  place.close();
  place = disk();
  await place.plays(twoRounds());
  expect(await problem()).toBeUndefined();
  expect(await isPairSound(place.world, await place.state(), "d1")).toBe(true);
});

it("asks nobody about tasks that are no pairs", async () => {
  const state = await place.plays(objects(hands(coding(), "T1")));
  rewrite("made T1", "fake T1");
  expect(await problem(state)).toBeUndefined();
});

it("a record that does not verify in the pair's range stops the pair, and nothing is written behind the damage", async () => {
  const state = await place.plays(twoRounds());
  rewrite("second try", "forged try");
  const text = readFileSync(place.transcript, "utf8");
  await expect(isPairSound(place.world, state, "d1")).rejects.toMatchObject({
    code: "log.damaged",
    hint: "pairflow bubble salvage --id cart",
  });
  expect(readFileSync(place.transcript, "utf8")).toBe(text);
});

it("a transcript that was cut off is seen by what the cache knows", async () => {
  const state = await place.plays(twoRounds());
  const lines = readFileSync(place.transcript, "utf8").trimEnd().split("\n");
  writeFileSync(place.transcript, `${lines.slice(0, -3).join("\n")}\n`);
  expect(await problem(state)).toMatch(
    /^the pair's state differs from the fold of the transcript at message \d+$/,
  );
  await expect(place.state()).rejects.toMatchObject({ code: "log.damaged" });
});

it("lines that lost a race or were torn are no damage", async () => {
  await place.plays(twoRounds());
  const [first = ""] = readFileSync(place.transcript, "utf8").split("\n");
  writeFileSync(place.transcript, `${first}\n{"torn":`, { flag: "a" });
  expect(await problem()).toBeUndefined();
});

it("a view that was changed during a turn is looked at before it is written anew", async () => {
  await place.plays(twoRounds());
  const forged = readFileSync(place.artifact(file), "utf8").replaceAll("first try", "forged try");
  writeFileSync(place.artifact(file), forged);
  const before = await place.state();
  const key = getCurrentTask(before)?.key ?? "";
  await renewPairSession(place.world, before, key, "d1");
  const asked = await place.state();
  expect(asked.lifecycle).toBe("WAITING_HUMAN");
  expect(asked.questions[0]?.text).toContain(`${file} was changed after it was written`);
  expect(readFileSync(place.artifact(file.replace(".json", ".changed.json")), "utf8")).toBe(forged);
  expect(readFileSync(place.artifact(file), "utf8")).not.toContain("forged try");
  await renewPairSession(place.world, asked, key, "d1");
  expect((await place.state()).questions).toHaveLength(1);
});

it("a view that was changed goes to a human; answered, it is written anew and the pair continues", async () => {
  await place.plays(twoRounds());
  const whole = readFileSync(place.artifact(file), "utf8");
  const forged = whole.replaceAll('"challenger_approved": false', '"challenger_approved": true');
  writeFileSync(place.artifact(file), forged);
  expect(await isPairSound(place.world, await place.state(), "d1")).toBe(false);
  expect((await place.state()).questions[0]?.text).toContain(`${file} was changed after it was written`);
  expect(salvaged().history).toMatchObject([
    { iteration: 1, driver_output_summary: "first try" },
    { iteration: 2, driver_output_summary: "second try", challenger_approved: false },
  ]);
  await handle(place.world, "cart", {
    type: "reply",
    actor: operator,
    message: "continue",
    choice: "continue",
  });
  expect(await isPairSound(place.world, await place.state(), "d1")).toBe(true);
  expect(readFileSync(place.artifact(file), "utf8")).toBe(whole);
  // The same forgery once more is another one.
  writeFileSync(place.artifact(file), forged);
  expect(await isPairSound(place.world, await place.state(), "d1")).toBe(false);
  expect(salvaged("pair-sessions/design-l1.salvaged-2.json").problem).not.toBe(salvaged().problem);
});

it("a view that was deleted is no damage: it is written anew", async () => {
  await place.plays(twoRounds());
  const whole = readFileSync(place.artifact(file), "utf8");
  rmSync(place.artifact(file));
  expect(await problem()).toBeUndefined();
  expect(await isPairSound(place.world, await place.state(), "d1")).toBe(true);
  expect(readFileSync(place.artifact(file), "utf8")).toBe(whole);
});

it("a view that was written this moment and is not on the record yet is no damage", async () => {
  await place.plays(twoRounds());
  const state = await place.state();
  const known = state.tasks?.["design-l1"];
  if (!known?.view) throw new Error("there is a view");
  const old = {
    ...state,
    tasks: { "design-l1": { ...known, view: { ...known.view, sha256: "0".repeat(64) } } },
  };
  expect(await problem(old)).toBeUndefined();
});

it("iteration, history and approval that disagree go to a human, once", async () => {
  await place.plays(twoRounds());
  const state = await place.state();
  const known = state.tasks?.["design-l1"];
  if (!known) throw new Error("the task has begun");
  const odd: State = {
    ...state,
    tasks: { "design-l1": { ...known, history: known.history.map((round) => ({ ...round, iteration: 1 })) } },
  };
  expect(await problem(odd)).toBe("the history has iteration 1 where iteration 2 belongs");
  expect(await isPairSound(place.world, odd, "d1")).toBe(false);
  expect((await place.state()).questions[0]?.text).toContain("iteration 1 where iteration 2 belongs");
  expect(await problem(odd)).toBeUndefined();
});

it("a pair that came to its end in order has nothing wrong with it", async () => {
  await place.plays(agrees(hands(twoRounds(), "T3")));
  expect(await problem()).toBeUndefined();
});
