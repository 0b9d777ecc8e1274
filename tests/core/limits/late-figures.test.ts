// Figures that come late, twice or again: they count once, and a stopped attempt is counted too.
import { describe, expect, it } from "vitest";
import { listSpentBudgets, sumWorkedMinutes } from "../../../src/core/limits/budget.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { pair } from "../pair.ts";

const atWork = (config = {}) => pair({ config }).started().atWork();
const few = { input: 100, output: 20 };

describe("late figures", () => {
  it("count once after the claim", () => {
    const scene = atWork();
    const late = scene.does(scene.pass()).uses(few);
    late.tries(late.usage(few)).refuses("driver.not-due");
    late.has({ spent: { total: few, unknown: 0 } });
  });

  it("count once in the next agent's turn", () => {
    const next = atWork().implements("T1").atWork().uses(few, { turn: "t1" });
    next.tries(next.usage(few, { turn: "t1" })).refuses("driver.not-due");
    next.uses(few).has({ spent: { byAgent: { alice: few, bob: few } } });
  });

  it("of an earlier attempt count once, and not at all when a later one has been counted", () => {
    const second = atWork().turnEnds().turnStarts();
    const late = second.uses(few, { attempt: 1 });
    late.tries(late.usage(few, { attempt: 1 })).refuses("driver.not-due");
    const counted = second.uses(few);
    counted.tries(counted.usage(few, { attempt: 1 })).refuses("driver.not-due");
    counted.has({ spent: { unknown: 1, total: few } });
  });

  it("of a turn that was never started count for nothing", () => {
    const due = pair().started();
    due.tries(due.usage(few)).refuses("driver.not-due");
  });
});

describe("figures that are on the record already", () => {
  it("are not weighed again when the next driver hears them once more", () => {
    const scene = atWork({ budget: { max_tokens: 200 } }).uses(few);
    expect(listSpentBudgets(scene.state, scene.at, few)).toEqual([]);
  });
});

describe("an attempt that a person stops", () => {
  it("has worked until then, and is unknown where it gave no figures", () => {
    const stopped = atWork().minutesLater(6).stops();
    expect(Math.round(sumWorkedMinutes(stopped.state, stopped.at))).toBe(6);
    stopped.has({ lifecycle: "CANCELLED", spent: { unknown: 1 } });
    atWork()
      .uses(few)
      .stops()
      .has({ spent: { unknown: 0, total: few } });
  });
});

describe("an answer", () => {
  it("of an attempt that never ran is not passed on", () => {
    const actor = { ...driver, turn: "t1", attempt: 0 };
    pair().started().tries({ type: "pass", actor, summary: "s", digest: "d" }).refuses("turn.stale");
  });
});
