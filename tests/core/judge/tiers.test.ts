// Risk tiers: what each wants of a task's work, and when a human must sign.
import { describe, expect, it } from "vitest";
import { checkPolicy, findNeededSignOff, lacksReview } from "../../../src/core/judge/tiers.ts";
import type { StepRecord } from "../../../src/core/model/run.ts";
import type { State } from "../../../src/core/model/state.ts";
import { at, findingOf, gatesOf, resultOf, reviewOf, stateOf, taskOf, treeOf } from "../task-scene.ts";

type Tier = "T0" | "T1" | "T2";
const green = gatesOf(resultOf("test"));
const loop = taskOf().loop;
const { critic: _critic, ...alone } = loop;

const tier = (name: Tier, more: Partial<State> = {}, task: Parameters<typeof taskOf>[0] = {}) =>
  stateOf({ task: taskOf({ policy: { tier: name }, ...task }) }, { ...green, ...more });

describe.each(["T0", "T1", "T2"] as const)("%s", (name) => {
  const reviewed = { reviews: [reviewOf()] };

  it("wants green gates on this tree and nothing blocking open", () => {
    expect(checkPolicy(tier(name, reviewed))).toEqual([]);
    expect(
      checkPolicy(tier(name, { ...reviewed, ...gatesOf(resultOf("test", { status: "failed" })) })),
    ).toEqual(["gates not green on this tree: test"]);
    expect(checkPolicy(tier(name, { ...reviewed, findings: [findingOf("F1", "P1")] }))).toEqual([
      "open and blocking: F1 (P1, Defect F1)",
    ]);
    expect(checkPolicy(tier(name, { ...reviewed, findings: [findingOf("F1", "P3")] }))).toEqual([]);
  });
});

describe("an independent review", () => {
  const missing = ["no agent but the author has found this tree clean"];

  it("is not asked for by T0, nor where no tier is named", () => {
    expect(checkPolicy(tier("T0"))).toEqual([]);
    expect(checkPolicy(stateOf({}, green))).toEqual([]);
  });

  it("is asked for by T1, and by T2 where there is a critic", () => {
    expect(checkPolicy(tier("T1"))).toEqual(missing);
    expect(checkPolicy(tier("T2"))).toEqual(missing);
    expect(checkPolicy(tier("T2", {}, { loop: alone }))).toEqual([]);
    expect(checkPolicy(tier("T1", {}, { loop: alone }))).toEqual(missing);
  });

  it.each([
    ["of another tree", { tree: "T0" }],
    ["by the author", { agent: "alice" }],
    ["by the operator", { byOperator: true }],
    ["that found something", { clean: false }],
    ["from before the task", { seq: 9 }],
  ])("is none: a review %s", (_what, more) => {
    expect(checkPolicy(tier("T1", { reviews: [reviewOf(more)] }))).toEqual(missing);
  });

  it("is missing alone only when all else is as it must be and the critic can give it", () => {
    expect(lacksReview(tier("T1"))).toBe(true);
    expect(lacksReview(tier("T1", { reviews: [reviewOf()] }))).toBe(false);
    expect(lacksReview(tier("T0"))).toBe(false);
    expect(lacksReview(tier("T1", gatesOf(resultOf("test", { status: "failed" }))))).toBe(false);
    expect(lacksReview(tier("T1", { findings: [findingOf("F1", "P0")] }))).toBe(false);
    expect(lacksReview(tier("T1", {}, { loop: alone }))).toBe(false);
    expect(lacksReview(tier("T1", { tree: treeOf({ by: "bob" }) }))).toBe(false);
  });
});

describe("a human's signature", () => {
  const signed = (outcome: string, tree: string): { steps: Record<string, StepRecord> } => ({
    steps: { "design/sign-off": { outcome, seq: 39, at, visits: 1, output: { tree } } },
  });
  const always = "risk tier T2 always ends with a human sign-off";
  const asked = (enabled: boolean) => ({ hil: { enabled, requires_human: true } });

  it("is always asked for by T2, whatever is switched off", () => {
    expect(findNeededSignOff(tier("T2"))).toBe(always);
    expect(
      findNeededSignOff(tier("T2", {}, { hil: { enabled: false, requires_human: false }, loop: alone })),
    ).toBe(always);
    expect(findNeededSignOff(tier("T1"))).toBeUndefined();
  });

  it("is asked for by requires_human, unless humans are switched off", () => {
    expect(findNeededSignOff(tier("T0", {}, asked(true)))).toBe(
      "this task requires a human (hil.requires_human)",
    );
    expect(findNeededSignOff(tier("T0", {}, asked(false)))).toBeUndefined();
  });

  it("is for one tree", () => {
    expect(findNeededSignOff(tier("T2", signed("approve", "T1")))).toBeUndefined();
    expect(findNeededSignOff(tier("T2", signed("approve", "T0")))).toBe(always);
    expect(findNeededSignOff(tier("T2", signed("reject", "T1")))).toBe(always);
  });

  it("without a tree signs nothing", () => {
    const { tree: _tree, ...before } = tier("T2", {
      steps: { "design/sign-off": { outcome: "approve", seq: 3, at, visits: 1 } },
    });
    expect(findNeededSignOff(before)).toBe(always);
    expect(checkPolicy(before)).toContain("nothing has been handed over");
  });

  it("is nobody's business outside of a task", () => {
    expect(
      findNeededSignOff({ ...tier("T2"), position: { ...tier("T2").position, step: "elsewhere" } }),
    ).toBeUndefined();
  });
});
