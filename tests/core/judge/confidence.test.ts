// The advisory score: from evidence on the record, and never from silence.
import { describe, expect, it } from "vitest";
import { findScore } from "../../../src/core/judge/confidence.ts";
import { metricNames } from "../../../src/core/model/program.ts";
import type { State } from "../../../src/core/model/state.ts";
import {
  findingOf,
  gatesOf,
  resultOf,
  reviewOf,
  roundOf,
  type Scene,
  stateOf,
  taskOf,
  treeOf,
} from "../task-scene.ts";

const weighing = (metrics: Record<string, number>, threshold = 0.8) =>
  taskOf({ confidence: { threshold, metrics } });

/** One metric alone: its value, and where it comes from. */
function measured(name: string, more: Partial<State> = {}, scene: Scene = {}) {
  const score = findScore(stateOf({ ...scene, task: weighing({ [name]: 1 }) }, more));
  return { value: score?.metrics[0]?.value, evidence: score?.metrics[0]?.evidence };
}

describe("the score", () => {
  it("is given only where a task asks for it and something was handed over", () => {
    expect(findScore(stateOf())).toBeUndefined();
    const { tree: _tree, ...before } = stateOf({ task: weighing({ size: 1 }) });
    expect(findScore(before)).toBeUndefined();
  });

  it("is the weighted mean of its metrics, rounded to four digits", () => {
    const task = weighing({ gates: 2, review: 1, size: 1 }, 0.5);
    const state = stateOf({ task }, { ...gatesOf(resultOf("test")), tree: treeOf({ added: 1000 }) });
    expect(findScore(state)).toMatchObject({
      task: "design",
      tree: "T1",
      score: 0.6563,
      threshold: 0.5,
      met: true,
    });
    expect(findScore(state)?.metrics.map(({ name, weight, value }) => [name, weight, value])).toEqual([
      ["gates", 2, 1],
      ["review", 1, 0],
      ["size", 1, 0.625],
    ]);
  });

  it("is met exactly from its threshold on", () => {
    const big = { tree: treeOf({ added: 1000 }) };
    expect(findScore(stateOf({ task: weighing({ size: 3 }, 0.625) }, big))?.met).toBe(true);
    expect(findScore(stateOf({ task: weighing({ size: 3 }, 0.626) }, big))?.met).toBe(false);
  });

  it("is 0 with every metric but scope and size when nothing is known", () => {
    for (const name of metricNames.filter((one) => one !== "scope" && one !== "size")) {
      const { value, evidence } = measured(name);
      expect(value, name).toBe(0);
      expect(evidence, name).toMatch(/\S/);
    }
    expect(metricNames).toEqual(["gates", "coverage", "review", "findings", "scope", "size", "judge"]);
  });

  it("counts a word that is no metric as nothing", () => {
    for (const name of ["beauty", "toString"])
      expect(measured(name)).toEqual({ value: 0, evidence: `no metric is called ${name}` });
  });
});

describe("gates", () => {
  it("are the share that is green, required ones counted double", () => {
    const some = gatesOf(resultOf("test"), resultOf("lint", { required: false, status: "failed" }));
    expect(measured("gates", some)).toEqual({
      value: 0.6667,
      evidence: "1 of 2 gates are green on this tree",
    });
  });

  it("count nothing from another tree, from a run that changed files, or skipped", () => {
    const ran = gatesOf(resultOf("test"));
    const of = (gates: Partial<NonNullable<State["gates"]>>): Partial<State> =>
      ran.gates ? { ...ran, gates: { ...ran.gates, ...gates } } : {};
    expect(measured("gates", of({})).value).toBe(1);
    expect(measured("gates", of({ tree: "T0" }))).toEqual({ value: 0, evidence: "no gate ran" });
    expect(measured("gates", of({ void: true })).value).toBe(0);
    expect(measured("gates", of({ results: [resultOf("test", { status: "skipped" })] })).value).toBe(0);
  });

  it("miss the one that did not run, and take no waiver for evidence", () => {
    const both = gatesOf(resultOf("test"), resultOf("build"));
    const ran = both.gates && { ...both.gates, results: [resultOf("test")] };
    expect(measured("gates", { ...both, ...(ran ? { gates: ran } : {}) }).value).toBe(0.5);
    const red = gatesOf(resultOf("test", { status: "failed" }));
    expect(measured("gates", { ...red, waivedGates: ["test"] }).value).toBe(0);
  });
});

describe("coverage", () => {
  it("is measured against its threshold, the poorest of several, never more than 1", () => {
    const covered = (coverage: number) => resultOf(`cov${coverage}`, { coverage, threshold: 80 });
    expect(measured("coverage", gatesOf(covered(60), covered(90)))).toEqual({
      value: 0.75,
      evidence: "cov60 measured 60 % of lines; 80 % are asked for",
    });
    expect(measured("coverage", gatesOf(covered(90))).value).toBe(1);
    expect(measured("coverage", gatesOf(resultOf("test"))).value).toBe(0);
  });
});

describe("review", () => {
  const said = (approved: boolean, more: object = {}) => ({
    lastReview: { agent: "bob", tree: "T1", seq: 30, approved, feedback: "", ...more },
  });
  const opinion = (confidence: number) => ({
    opinion: { dialect: "challenge", decision: "approve", confidence, sop_review: [], patterns: [] } as const,
  });

  it("is 1 for an approval, and its own confidence where it says one", () => {
    expect(measured("review", { reviews: [reviewOf()] }).value).toBe(1);
    expect(measured("review", { reviews: [reviewOf()], ...said(true, opinion(0.85)) })).toEqual({
      value: 0.85,
      evidence: "bob approves this tree and is 85 % sure",
    });
    expect(measured("review", { reviews: [reviewOf({ unsure: 0.4 })] }).value).toBe(0.4);
  });

  it("is 0 for a rejection, whatever was said before, and for a review that cannot count", () => {
    const earlier = reviewOf({ seq: 28, agent: "carol" });
    expect(measured("review", { reviews: [earlier, reviewOf({ clean: false })] }).value).toBe(0);
    expect(measured("review", { reviews: [reviewOf()], ...said(false) }).value).toBe(0);
    const invalid = said(true, { seq: 31, invalid: ["no evidence"] });
    expect(measured("review", { reviews: [reviewOf()], ...invalid }).value).toBe(0);
  });

  it("looks at this tree and this task alone", () => {
    expect(measured("review", { reviews: [reviewOf({ tree: "T0" })] }).value).toBe(0);
    expect(measured("review", { reviews: [reviewOf({ seq: 9 })] }).value).toBe(0);
  });
});

describe("findings", () => {
  const reviewed = { reviews: [reviewOf({ clean: false })] };

  it("weigh what is open by its severity, and never less than 0", () => {
    const open = (...findings: State["findings"]) => measured("findings", { ...reviewed, findings }).value;
    expect(open()).toBe(1);
    expect(open(findingOf("F1", "P1"), findingOf("F2", "P2"))).toBe(0.2);
    expect(open(findingOf("F1", "P3"))).toBe(0.95);
    expect(open(findingOf("F1", "P0"), findingOf("F2", "P1"))).toBe(0);
    expect(open({ ...findingOf("F1", "P0"), status: "fixed" })).toBe(1);
  });

  it("say nothing before anybody has looked, and something once a round was reviewed", () => {
    expect(measured("findings", { reviews: [reviewOf({ seq: 9 })] }).value).toBe(0);
    expect(measured("findings", {}, { progress: { history: [roundOf(1)] } }).value).toBe(1);
  });
});

describe("scope, size and the judge", () => {
  it("scope is halved by an override, and by what looks like a secret", () => {
    expect(measured("scope").value).toBe(1);
    expect(measured("scope", { scopeOverrides: ["ci.yml"] })).toMatchObject({ value: 0.5 });
    expect(measured("scope", { tree: treeOf({ secrets: ["a.ts:1 (key)"] }) })).toMatchObject({ value: 0.5 });
  });

  it.each([
    [400, 0, 1],
    [300, 101, 0.9994],
    [1200, 0, 0.5],
    [1000, 1000, 0],
    [9000, 0, 0],
  ])("size of +%i −%i is %d", (added, removed, value) => {
    expect(measured("size", { tree: treeOf({ added, removed }) }).value).toBe(value);
  });

  it("the judge's score counts for the tree it was given to", () => {
    const judged = (tree: string) => ({ progress: { judged: { score: 0.72, tree, agent: "carol" } } });
    expect(measured("judge", {}, judged("T1"))).toEqual({
      value: 0.72,
      evidence: "carol gives this tree 0.72",
    });
    expect(measured("judge", {}, judged("T0")).value).toBe(0);
  });
});
