// A critic that says that no producer can fix the work here: the question tells what it said and what can be typed.
import { describe, expect, it } from "vitest";
import type { State } from "../../../src/core/model/state.ts";
import { questions } from "../../../src/core/questions/questions.ts";
import { stateOf } from "../task-scene.ts";

type Route = NonNullable<State["reviews"][number]["route"]>;

function stuckBy(route: Route | undefined, payload?: Readonly<Record<string, unknown>>): string {
  const state = stateOf();
  const review = { agent: "bob", round: 1, seq: 9, tree: "T1", clean: false, byOperator: false, openIds: [] };
  const asked = questions.stuck?.({
    ...state,
    task: { ...state.task, title: "Tom's cart" },
    program: { ...state.program, ...(payload ? { payload } : {}) },
    position: { ...state.position, why: "bob says so" },
    reviews: [{ ...review, ...(route ? { route } : {}) }],
    lastReview: { agent: "bob", tree: "T1", seq: 9, approved: false, feedback: "It needs the ledger too." },
  });
  return asked?.text ?? "";
}

describe("the question about work that is stuck", () => {
  it("is short when its producer could fix it", () => {
    for (const route of [undefined, "fixable", "unknown"] as const)
      expect(stuckBy(route)).toBe("The loop is stuck: bob says so. How shall this end?");
  });

  it.each([
    ["misscoped", ["pairflow plan 'Tom'\\''s cart'", "pairflow execute toms-cart"]],
    ["architectural", ["pairflow explore 'Tom'\\''s cart'", "pairflow promote toms-cart"]],
    ["too_big", ["pairflow auto 'Tom'\\''s cart'"]],
  ] as const)("(%s) tells what the critic says and what can be typed", (route, commands) => {
    const text = stuckBy(route);
    expect(text).toContain("What bob says:\n\nIt needs the ledger too.");
    expect(text).toContain("choose reject here and type:");
    const lines = text.split("\n").filter((line) => line.startsWith("  "));
    expect(lines).toEqual(commands.map((command) => `  ${command}`));
  });

  it("of a plan's work names the plan", () => {
    expect(stuckBy("too_big", { plan_slug: "totals" })).toContain(
      "  pairflow plan 'Tom'\\''s cart' --supersede totals\n  pairflow plan show totals",
    );
  });
});
