// Minutes are those in which an agent had the turn and nobody waited for a human.
import { describe, expect, it } from "vitest";
import { sumWorkedMinutes } from "../../../src/core/limits/budget.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { pair } from "../pair.ts";

const atWork = () => pair().started().atWork();
/** To the minute: each command of a scenario takes a second. */
const minutes = (scene: Scenario) => Math.round(sumWorkedMinutes(scene.state, scene.at));

describe("the minutes agents worked", () => {
  it("are those of all their attempts, the running one included", () => {
    const scene = atWork();
    expect(minutes(scene.minutesLater(10))).toBe(10);
    const second = scene.minutesLater(10).turnEnds().minutesLater(30).turnStarts();
    expect(minutes(second.minutesLater(5))).toBe(15);
    const passing = second.minutesLater(5);
    expect(minutes(passing.does(passing.pass()).minutesLater(60))).toBe(15);
  });

  it("do not continue while a human is asked", () => {
    const asked = atWork().minutesLater(10).asks("Which?");
    expect(minutes(asked.minutesLater(600))).toBe(10);
    const answered = asked.minutesLater(600).replies({ message: "the first" });
    expect(minutes(answered.minutesLater(5))).toBe(15);
    expect(minutes(asked.minutesLater(600).resumes().minutesLater(5))).toBe(15);
  });

  it("do not continue between two answers of several", () => {
    const asked = atWork()
      .minutesLater(10)
      .asks("Which?", { others: [{ id: "b", question: "And then?" }] });
    const once = asked.minutesLater(100).replies({ message: "the first" });
    expect(minutes(once.minutesLater(100))).toBe(10);
    const all = once.minutesLater(100).replies({ message: "stop" });
    expect(minutes(all.minutesLater(5))).toBe(15);
  });

  it("are counted once when the watchdog asked and the agent spoke after all", () => {
    const silent = atWork().minutesLater(6).does({ type: "watchdog", actor: driver }).minutesLater(4);
    expect(minutes(silent)).toBe(6);
    expect(minutes(silent.does(silent.pass()))).toBe(6);
    expect(minutes(silent.asks("Which?"))).toBe(6);
  });

  it("are not those of a process that continued while the human was asked", () => {
    const gone = atWork().minutesLater(10).asks("Which?").minutesLater(60).turnEnds("asked");
    expect(minutes(gone)).toBe(10);
  });

  it("are nobody's while gates run or a turn is only due", () => {
    const gates = atWork().implementerPasses().handsOver("T1");
    expect(minutes(gates.minutesLater(30).gatesPass().minutesLater(30))).toBe(0);
  });
});
