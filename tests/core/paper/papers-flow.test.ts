// A paper on its way through a run: handed in, judged in a tree of its own, told to later steps, and never signed alone.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { listRedGates } from "../../../src/core/judge/convergence.ts";
import { buildFacts } from "../../../src/core/judge/facts.ts";
import { getCodeCommit, getCodeTree, hasMade } from "../../../src/core/state/code-tree.ts";
import { getValueAt } from "../../../src/core/workflow/path.ts";
import { fillText } from "../../../src/core/workflow/template.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { exampleOf } from "../paper-scene.ts";
import { building, builtIn, handsIn, objects, passes, planned, running, twoPhases } from "../phase-scene.ts";

const step = (scene: Scenario) => scene.state.position.step;
const authored = (scene: Scenario) => {
  const ready = scene.turnStarts();
  return ready.does(ready.pass({ paper: exampleOf("plan") }));
};
const planFile = { path: ".pairflow/papers/plan.json", status: "added", added: 9, removed: 0 } as const;

describe("a paper that is handed in", () => {
  it("stands in a tree of its own, on top of the worktree's", () => {
    const scene = handsIn(running(twoPhases()), "plan", {}, "P1");
    expect(scene.state.tree).toMatchObject({ id: "P1", paper: { kind: "plan", code: "T0", commit: "base" } });
    expect(getCodeTree(scene.state)).toBe("T0");
    expect(getCodeCommit(scene.state)).toBe("base");
    expect(hasMade(scene.state)).toBe(false);
    expect(scene.state.papers?.plan).toMatchObject({
      agent: "pat",
      tree: "P1",
      value: { title: exampleOf("plan").title },
    });
  });

  it("does not count when its author changed files", () => {
    const scene = authored(running(twoPhases())).handsOver("P1", {
      files: [planFile],
      put_back: "round-001.put-back.patch",
    });
    expect([step(scene), scene.turn.agent]).toEqual(["draft", "pat"]);
    expect(scene.state.papers).toBeUndefined();
    expect(scene.state.tree).toBeUndefined();
    expect(scene.state.position.why).toContain(
      "files changed during the turn of pat (planner): unknown; its paper does not count",
    );
  });

  it("counts when its author only left new files behind, which were put back", () => {
    const scene = authored(running(twoPhases())).handsOver("P1", {
      files: [planFile],
      put_back: "round-001.put-back.patch",
      paper: { kind: "plan", code: "T0" },
    });
    expect(step(scene)).toBe("plan_review");
    expect(scene.state.papers).toHaveProperty("plan");
  });

  it("that is refused three times in a row is a person's to look at", () => {
    let scene = running(twoPhases());
    for (let i = 0; i < 3; i++) scene = authored(scene).handsOver("P1", { files: [planFile] });
    expect(scene.state.questions[0]?.kind).toBe("refused");
  });

  it("once more takes the place of the one before", () => {
    const scene = handsIn(
      objects(handsIn(running(twoPhases()), "plan", {}, "P1")),
      "plan",
      { title: "Smaller" },
      "P2",
    );
    expect(scene.state.papers?.plan).toMatchObject({ tree: "P2", value: { title: "Smaller" } });
    expect(scene.state.tree?.paper).toEqual({ kind: "plan", code: "T0", commit: "base" });
  });
});

describe("the critics of a paper", () => {
  it("judge the tree that holds it, and no gate does", () => {
    const scene = handsIn(running(twoPhases()), "plan", {}, "P1");
    expect(listRedGates(scene.state)).toEqual([]);
    expect(listDueEffects(scene.state).map(({ kind }) => kind)).not.toContain("gates");
    expect(scene.atWork().turn.tree).toBe("P1");
    expect(passes(scene).state.reviews).toMatchObject([{ tree: "P1", clean: true }]);
  });

  it("change files in vain", () => {
    const scene = handsIn(running(twoPhases()), "plan", {}, "P1").atWork();
    const judged = scene.does(scene.pass({ noFindings: true })).handsOver("T9", {
      files: [{ path: "src/cart.ts", status: "modified", added: 1, removed: 0 }],
    });
    expect(step(judged)).toBe("plan_review");
    expect(judged.state.reviews).toEqual([]);
  });
});

describe("what papers say", () => {
  it("is there for conditions and texts", () => {
    const scene = handsIn(running(twoPhases()), "plan", { title: "Codes" });
    const facts = buildFacts(scene.state);
    expect(getValueAt(facts, "papers.plan.title")).toBe("Codes");
    expect(getValueAt(facts, "steps.draft.output.paper.title")).toBe("Codes");
    expect(fillText("${papers.plan.title}, ${papers.tasks.tasks.0.id:-none}", facts).text).toBe(
      "Codes, none",
    );
    expect(planned(running(twoPhases())).state.questions[0]?.text).toBe(`${exampleOf("plan").title}?`);
  });

  it("is known from the beginning where the run was started with it", () => {
    const scene = running(twoPhases(), { payload: { papers: { plan: { title: "Given" } } } });
    expect(step(scene)).toBe("sign");
    expect(scene.state.papers?.plan).toMatchObject({ agent: "human", value: { title: "Given" } });
    expect(scene.state.questions[0]?.text).toBe("Given?");
    expect(scene.replies({ choice: "approve" }).turn.agent).toBe("wim");
  });

  it.each([["nothing"], [7], [null], [["a"]]])("%j are no papers, and nothing breaks", (papers) => {
    expect(step(running(twoPhases(), { payload: { papers } }))).toBe("draft");
  });
});

describe("a tree with a paper", () => {
  it("is left behind by the first files: gates and critics judge those", () => {
    const scene = building().hands("T1");
    expect(scene.state.tree?.paper).toBeUndefined();
    expect(hasMade(scene.state)).toBe(true);
    expect([getCodeTree(scene.state), getCodeCommit(scene.state)]).toEqual(["T1", "commit-of-T1"]);
  });

  it("on top of work remembers that work", () => {
    const work = building().hands("T1");
    const back = work.does({
      type: "redo",
      actor: { kind: "operator", via: "terminal" },
      step: "draft",
      reason: "r",
    });
    const again = handsIn(back, "plan", {}, "P9");
    expect(again.state.tree?.paper).toEqual({ kind: "plan", code: "T1", commit: "commit-of-T1" });
    expect([getCodeTree(again.state), getCodeCommit(again.state)]).toEqual(["T1", "commit-of-T1"]);
    expect(hasMade(again.state)).toBe(true);
  });

  it("is never signed by itself: the run is over", () => {
    const explored = handsIn(
      running(builtIn("explore"), {
        payload: { topic: "Codes", slug: "codes" },
        config: { agents: { planner: "pat" } },
      }),
      "plan",
    );
    const kept = explored.does({
      type: "plan-kept",
      actor: driver,
      step: "save",
      act: "save",
      slug: "codes",
    });
    expect(kept.state.lifecycle).toBe("DONE");
    expect(kept.types).not.toContain("APPROVAL_REQUEST");
    expect(kept.state.result).toMatchObject({ result: "completed" });
  });

  it("that cannot be kept is a person's to decide about", () => {
    const explored = handsIn(
      running(builtIn("explore"), {
        payload: { topic: "Codes", slug: "codes" },
        config: { agents: { planner: "pat" } },
      }),
      "plan",
    );
    const refused = explored.does({
      type: "plan-kept",
      actor: driver,
      step: "save",
      act: "save",
      slug: "codes",
      problem: "the plan is committed",
    });
    expect(refused.state.questions[0]?.text).toContain("the plan is committed");
    const again = refused.replies({ choice: "continue" });
    expect(listDueEffects(again.state).map(({ kind }) => kind)).toContain("keep-plan");
  });
});
