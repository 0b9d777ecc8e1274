// Why a maker has the turn behind a step that says nothing of its own.
import { describe, expect, it } from "vitest";
import { chooseTurnReason } from "../../../src/core/interpreter/turn-reason.ts";
import type { Step } from "../../../src/core/model/program.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { p1, pair, underReview } from "../pair.ts";

const event = { kind: "emit" } as Step;
const making = { kind: "turn", answer: "handoff" } as Step;
const reviewing = { kind: "turn", answer: "findings" } as Step;
const why = "workflow.events is on the record";
const reason = ({ state }: Scenario, from: Step | undefined = event, to = making) =>
  chooseTurnReason(state, from, to, why);

const rejected = () => underReview().reviews({ summary: "The total is three\nand more", findings: [p1] });
const red = () => rejected().implementerPasses().handsOver("T2").gatesFail();

describe("behind an event or a branch without words", () => {
  it("is the rejection, in its critic's own words", () => {
    expect(reason(rejected())).toBe("bob rejected it: The total is three");
    expect(reason(rejected(), { kind: "branch" } as Step)).toBe("bob rejected it: The total is three");
  });

  it("is what is red, where gates have judged a newer tree", () => {
    expect(reason(red())).toBe("red on this tree: test");
  });

  it("is what the step says, where nothing was rejected", () => {
    expect(reason(pair().started())).toBe(why);
    expect(reason(underReview())).toBe(why);
  });
});

it("stays what a step says that has words of its own, and what a critic is told", () => {
  expect(reason(rejected(), { kind: "branch", say: { yes: "a", no: "b" } } as Step)).toBe(why);
  expect(reason(rejected(), { kind: "check" } as Step)).toBe(why);
  expect(reason(rejected(), event, reviewing)).toBe(why);
});
