// What children and successors of a bubble are made of: where they begin, what they are told, what they may change and what
// is left to spend.
import { describe, expect, it } from "vitest";
import { nodeHash } from "../../src/adapters/clock/node.ts";
import { buildChildBubble, buildStartedBubble } from "../../src/app/making/children.ts";
import type { DerivedBubble } from "../../src/app/making/wanted.ts";
import type { Child } from "../../src/core/model/program.ts";
import type { State } from "../../src/core/model/state.ts";
import { findScopeViolations } from "../../src/core/permission/scope.ts";
import type { World } from "../../src/engine/world/world.ts";
import { configOf, stateOf, treeOf } from "../core/task-scene.ts";

/** A world in which nothing is on disk: the project says nothing, and no artifact is there. */
const world = {
  clock: { now: () => "2026-02-21T10:00:00.000Z" },
  hash: nodeHash,
  records: {
    get: async () => undefined,
    path: (bubble: string, name: string) => `/records/${bubble}/${name}`,
  },
  workspace: { fileAt: async () => undefined },
  repo: configOf().repo_path,
} as unknown as World;

const agents = {
  implementer: "alice",
  reviewer: "bob",
  developer: "alice",
  planner: "pat",
  "plan-reviewer": "ann",
};
const before = {
  original_task_id: "totals.t1",
  plan_slug: "totals",
  plan_title: "Totals",
  plan_mission: "Tell them.",
};

const bubbleOf = (more: Partial<State> = {}, config: Parameters<typeof configOf>[0] = {}): State => {
  const state = stateOf({}, more);
  return {
    ...state,
    bubbleId: "work",
    config: configOf({ id: "work", agents, workflow: "plan-and-execute", ...config }),
    program: {
      ...state.program,
      id: "plan-and-execute",
      payload: { ...before, papers: { plan: { title: "x" } } },
      ...more.program,
    },
  };
};

const start = (
  parent: State,
  payload: Record<string, unknown> = {},
  workflow = "plan-refinement",
): Promise<DerivedBubble> => buildStartedBubble(world, { parent, workflow, payload, id: "work-2", by: "it" });

const review = (approved: boolean, tree = "T1") =>
  ({ agent: "bob", tree, seq: 30, approved, feedback: "" }) satisfies State["lastReview"];

describe("the document that a bubble implements", () => {
  const text = "# Cart\n";
  const document = { bubble: "prd", path: "docs/cart.md", tree: "D1" };
  const pinned = { ...document, artifact: "implements.md", sha256: nodeHash.sha256(text) };
  const wish = {
    parent: bubbleOf({ document: pinned }),
    workflow: "pair",
    payload: {},
    id: "work-2",
    by: "it",
  };
  const holding = (bytes: Uint8Array | undefined) =>
    ({
      ...world,
      records: {
        ...world.records,
        get: async (_: string, name: string) => (name === pinned.artifact ? bytes : undefined),
      },
    }) as unknown as World;

  it("is also that of whoever continues in its place", async () => {
    const made = await buildStartedBubble(holding(new TextEncoder().encode(text)), wish);
    expect(made.document).toEqual({ ...document, text });
  });

  it("is handed on as it was pinned, or not at all", async () => {
    for (const bytes of [undefined, new TextEncoder().encode("# Another cart\n")])
      await expect(buildStartedBubble(holding(bytes), wish)).rejects.toMatchObject({
        code: "document.damaged",
      });
  });
});

describe("a workflow that continues", () => {
  it("begins where the work began when that was rejected", async () => {
    const made = await start(bubbleOf({ lastReview: review(false) }));
    expect(made.baseCommit).toBe("base");
    expect(made.task.text).toContain("artifact://work/round-001.diff");
  });

  it("begins with the work when nobody has rejected it", async () => {
    expect((await start(bubbleOf({ lastReview: review(true) }))).baseCommit).toBe("c1");
    expect((await start(bubbleOf({}))).baseCommit).toBe("c1");
    expect((await start(bubbleOf({ lastReview: review(false, "T0") }))).baseCommit).toBe("c1");
  });

  it("begins with the files below a paper, and never with the paper", async () => {
    const tree = treeOf({
      id: "P1",
      commit: "paper-commit",
      paper: { kind: "refinement", code: "T0", commit: "base" },
    });
    const approved = bubbleOf({ tree, lastReview: review(true, "P1") });
    expect((await start(approved, {}, "plan-and-execute")).baseCommit).toBe("base");
    const onWork = { ...tree, paper: { kind: "refinement", code: "T1", commit: "c1" } };
    expect((await start(bubbleOf({ tree: onWork, lastReview: review(true, "P1") }))).baseCommit).toBe("c1");
    expect((await start(bubbleOf({ tree: onWork, lastReview: review(false, "P1") }))).baseCommit).toBe(
      "base",
    );
  });

  it("knows what the run was started with, and what it is handed; papers are not handed on", async () => {
    const { workflow } = await start(bubbleOf(), { feedback: "too big", plan_slug: "other" });
    expect(workflow?.program.payload).toMatchObject({
      original_task_id: "totals.t1",
      feedback: "too big",
      plan_slug: "other",
    });
    expect(workflow?.program.payload).not.toHaveProperty("papers");
  });

  it("takes a task that is handed on instead of the old one, with the refinement's constraints", async () => {
    const task = {
      description: "Round totals",
      files: ["src/cart.ts"],
      // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
      criteria: [{ given: "g", when: "w", then: "t" }],
    };
    const constraints = { in: ["src/cart.ts"], out: ["no new dependencies"], do_not_touch: [] };
    const made = await start(
      bubbleOf(),
      { task, constraints, diagnosis: "It was cut wrongly" },
      "plan-and-execute",
    );
    expect(made.task).toMatchObject({ title: "Round totals", criteria: ["Given g, when w, then t"] });
    expect(made.task.text).toContain("It was cut wrongly");
    expect(made.task.text).toContain("no new dependencies");
    expect(made.workflow?.program.payload).toMatchObject({
      task_description: "Round totals",
      plan_title: "Totals",
      plan_constraints: constraints,
    });
    expect(made.workflow?.program.payload).not.toHaveProperty("task");
    expect(String(made.workflow?.program.payload?.constraints)).toContain("no new dependencies");
  });

  it("may change less than before, never more", async () => {
    const parent = bubbleOf({}, { scope: { in: ["src/**"], out: ["src/gen/**"], do_not_touch: [".env"] } });
    const constraints = { in: ["docs/**", "src/cart.ts"], out: [], do_not_touch: ["src/tax.ts"] };
    const { config } = await start(parent, { constraints });
    const allowed = (path: string) => findScopeViolations([path], config.scope, []).length === 0;
    expect(
      ["src/cart.ts", "docs/a.md", "src/other.ts", "src/gen/a.ts", ".env", "src/tax.ts"].filter(allowed),
    ).toEqual(["src/cart.ts"]);
    expect((await start(parent, { constraints: "words" })).config.scope).toEqual(parent.config.scope);
  });

  it("has a lineage, and stands for its predecessor with the bubble that waits", async () => {
    const lineage = [{ bubble: "old", workflow: "plan-and-execute" }];
    const waiting = { bubble: "all", key: "t1", depth: 1 };
    const made = await start(bubbleOf({ lineage, parent: waiting }));
    expect(made.lineage).toEqual([...lineage, { bubble: "work", workflow: "plan-and-execute" }]);
    expect(made.parent).toEqual(waiting);
    expect((await start(bubbleOf())).parent).toBeUndefined();
  });

  it("has what is left to spend", async () => {
    const spent = { ...bubbleOf().spent, total: { input: 300, output: 100 } };
    const { config } = await start(bubbleOf({ spent }, { budget: { max_tokens: 1000 } }));
    expect(config.budget).toEqual({ max_tokens: 600 });
    const all = { ...spent, total: { input: 3000, output: 0 } };
    expect(
      (await start(bubbleOf({ spent: all }, { budget: { max_tokens: 1000 } }))).config.budget.max_tokens,
    ).toBeLessThan(1);
  });

  it("has a place and a branch of its own, and the profile of its predecessor", async () => {
    const parent = bubbleOf();
    const made = await start(parent);
    expect(made.config).toMatchObject({
      id: "work-2",
      bubble_branch: "bubble/work-2",
      workflow: "plan-refinement",
    });
    expect(made.profile).toEqual(parent.profile);
  });
});

describe("a child", () => {
  const child: Child = {
    key: "t1",
    workflow: "plan-and-execute",
    payload: { task_description: "Do t1" },
    brief: { title: "Do t1", text: "# Do t1\n", criteria: ["C"] },
    scope: { in: ["**/cart.ts"], out: [], do_not_touch: ["README.md"] },
  };
  const made = (parent: State) =>
    buildChildBubble(world, { parent, child, from: "from-here", id: "work-t1" });

  it("begins where it is told, with its own task, and knows whose it is", async () => {
    const { baseCommit, task, parent, config } = await made(bubbleOf());
    expect({ baseCommit, task, parent }).toEqual({
      baseCommit: "from-here",
      task: child.brief,
      parent: { bubble: "work", key: "t1", depth: 1 },
    });
    expect(config.workflow).toBe("plan-and-execute");
  });

  it("has no budget of its own: its parent's holds for all children together", async () => {
    expect((await made(bubbleOf({}, { budget: { max_tokens: 1000 } }))).config.budget).toEqual({});
  });

  it("may change what the plan and the project allow", async () => {
    const { config } = await made(bubbleOf({}, { scope: { in: ["src/**"], out: [], do_not_touch: [] } }));
    const refused = (path: string) => findScopeViolations([path], config.scope, []);
    expect(refused("src/cart.ts")).toEqual([]);
    expect(refused("docs/cart.ts")).toHaveLength(1);
    expect(refused("src/tax.ts")).toHaveLength(1);
    expect(refused("README.md")).toHaveLength(1);
  });

  it("of a child is deeper, and what is locked stays locked", async () => {
    const locks = [{ path: "api.md", sha256: "ab", decidedBy: "bob", at: "", seq: 3 }];
    const { parent } = await made(bubbleOf({ parent: { bubble: "top", key: "k", depth: 1 }, locks }));
    expect(parent).toEqual({
      bubble: "work",
      key: "t1",
      depth: 2,
      locks: [{ path: "api.md", sha256: "ab", decided_by: "bob" }],
    });
  });
});
