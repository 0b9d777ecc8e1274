// A workflow as a graph: its steps and ways, where a bubble stands in it, and how often it came along.
import { describe, expect, it } from "vitest";
import { buildGraphView, buildProgramGraph, type GraphView } from "../../../../src/core/views/page/graph.ts";
import { describeCondition } from "../../../../src/core/workflow/condition/words.ts";
import type { Scenario } from "../../../../src/testing/scenario.ts";
import { operator } from "../../../../src/testing/scenario-actors.ts";
import { configOf, p1, pair, pairProgram, readyForApproval, underReview } from "../../pair.ts";

const graph = ({ state, log }: Scenario): GraphView => buildGraphView(state, log);
const node = (view: GraphView, id: string) => view.nodes.find((one) => one.id === id);
const way = (view: GraphView, from: string, outcome: string) =>
  view.edges.find((edge) => edge.from === from && edge.outcome === outcome);
const lit = (view: GraphView) => view.nodes.filter(({ state }) => state === "now").map(({ id }) => id);

describe("the graph of a bubble", () => {
  it("lights the step where it stands and leaves grey what nobody came to", () => {
    const view = graph(underReview());
    expect(lit(view)).toEqual(["review"]);
    expect(node(view, "implement")).toMatchObject({ state: "been", visits: 1, about: "implementer · alice" });
    expect(node(view, "review")?.since).not.toBeNull();
    expect(node(view, "stuck")).toMatchObject({ state: "ahead", visits: 0, about: "asks a human" });
    expect(node(view, "$commit")).toMatchObject({ state: "ahead", name: "commit" });
  });

  it("counts visits and the ways that were taken, with what changes on them", () => {
    const view = graph(
      underReview()
        .reviews({ findings: [p1] })
        .implements("T2"),
    );
    expect(node(view, "implement")?.visits).toBe(2);
    expect(way(view, "judge", "revise")).toMatchObject({ to: "implement", taken: 1, marks: ["new round"] });
    expect(way(view, "gates", "success")?.taken).toBe(2);
    expect(way(view, "judge", "swap")).toMatchObject({ taken: 0, marks: ["new round", "roles swap"] });
    expect(node(view, "implement")?.spent_ms).toBeGreaterThan(0);
  });

  it("draws a way that only a person can take, once it was taken", () => {
    const scene = readyForApproval();
    expect(way(graph(scene), "approval", "revise")).toBeUndefined();
    const sent = scene.does({ type: "request-rework", actor: operator, message: "Not yet", reject: false });
    expect(way(graph(sent), "approval", "revise")).toMatchObject({ to: "implement", taken: 1 });
  });

  it("lights nothing when it is over, and shows the end it came to", () => {
    const view = graph(underReview().does({ type: "stop", actor: operator, reason: "no more" }));
    expect(lit(view)).toEqual([]);
    expect(node(view, "$cancel")).toMatchObject({ state: "been", name: "cancelled" });
    expect(node(view, "$commit")?.state).toBe("ahead");
  });

  it("is the workflow alone before the start: every step grey, every route there", () => {
    const program = pairProgram(configOf());
    const view = buildProgramGraph(program);
    expect(graph(pair()).edges).toEqual(view.edges);
    expect(new Set(view.nodes.map(({ state }) => state))).toEqual(new Set(["ahead"]));
    const routes = program.steps.reduce((sum, { on }) => sum + Object.keys(on).length, 0);
    expect(view.edges).toHaveLength(routes + 1);
    const ids = new Set(view.nodes.map(({ id }) => id));
    expect(view.edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
    expect(node(view, "exhausted")?.condition).toBe("all rounds are used");
  });
});

describe("conditions in words", () => {
  it.each([
    ['steps.reviewer.output.verdict == "approved"', "verdict of reviewer is approved"],
    [
      "execution.iteration < 3 and run.attempt >= 2",
      "iteration of the execution is below 3 and attempt of the run is at least 2",
    ],
    ['papers.plan.title != ""', "title of the paper plan is there"],
    ["not producer.promised == true", "not (promised of the producer is true)"],
    ['steps.a.output.kind in ["x", "y"]', "kind of a is one of x, y"],
    ["this is = not read", "this is = not read"],
  ])("%s", (written, said) => {
    expect(describeCondition(written)).toBe(said);
  });
});
