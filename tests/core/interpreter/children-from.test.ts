// The tasks of a paper as children, in waves: what depends on others or shares their files waits, what failed is told, and
// a child that was routed is reported for by whoever took its place.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import type { CommandOf } from "../../../src/core/model/command.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, wholePackage } from "../../../src/testing/scenario-actors.ts";
import { builtIn, running } from "../phase-scene.ts";

const cast = {
  planner: "pat",
  "plan-reviewer": "ann",
  integrator: "wim",
  reviewer: "cleo",
  developer: "wim",
};

interface Task {
  readonly id: string;
  readonly files?: readonly string[];
  readonly depends_on?: readonly string[];
}
const plan = {
  title: "Totals with tax",
  mission: "The cart tells totals.\n\nSuccess criteria:\n- it does",
  constraints: { in: ["src/**"], out: ["no new dependencies"], do_not_touch: ["README.md"] },
};
const task = ({ id, files = [`src/${id}.ts`], depends_on = [] }: Task) => ({
  id,
  description: `Do ${id}\nand nothing else`,
  files,
  // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
  criteria: [{ given: "a cart", when: id, then: "it holds" }],
  depends_on,
});

/** `auto` with a committed plan and these tasks: its children are opened. */
const executing = (...tasks: Task[]): Scenario =>
  running(builtIn("auto"), {
    payload: { slug: "totals", plan_slug: "totals", papers: { plan, tasks: { tasks: tasks.map(task) } } },
    config: { agents: cast },
  });

const opened = (scene: Scenario) => scene.state.children?.each.map(({ child }) => child.key);
const owed = (scene: Scenario) =>
  listDueEffects(scene.state).flatMap((effect) => (effect.kind === "child" ? [effect.child.key] : []));
const step = (scene: Scenario) => scene.state.position.step;

type Report = Partial<Omit<CommandOf<"child-reported">, "type" | "actor">>;

const starts = (scene: Scenario, key: string, bubble = `run-${key}`) =>
  scene.does({ type: "child-started", actor: driver, key, bubble });

const report = (key: string, more: Report = {}): CommandOf<"child-reported"> => ({
  type: "child-reported",
  actor: driver,
  key,
  bubble: `run-${key}`,
  status: "completed",
  tree: `tree-${key}`,
  commit: `commit-${key}`,
  why: "it is over",
  spent: { input: 10, output: 1 },
  minutes: 1,
  ...more,
});

const reports = (scene: Scenario, key: string, more: Report = {}) => scene.does(report(key, more));
const finishes = (scene: Scenario, key: string, more: Report = {}) => reports(starts(scene, key), key, more);

function joins(scene: Scenario, tree: string, conflicts: string[] = []): Scenario {
  scene.owes("join");
  return scene.does({
    type: "joined",
    actor: driver,
    tree,
    commit: `commit-of-${tree}`,
    ref: "r",
    files: [{ path: "src/t1.ts", status: "added", added: 1, removed: 0 }],
    touched: [],
    children: [],
    conflicts,
  });
}

describe("children from a paper", () => {
  it("begin side by side where their files do not meet, as many at once as the step says", () => {
    const scene = executing({ id: "t1" }, { id: "t2" }, { id: "t3" });
    expect(opened(scene)).toEqual(["t1", "t2", "t3"]);
    expect(scene.state.children?.maxConcurrent).toBe(2);
    expect(owed(scene)).toEqual(["t1", "t2"]);
    expect(owed(finishes(scene, "t1"))).toEqual(["t2", "t3"]);
  });

  it("are told their part of the plan, and may change what the plan allows", () => {
    const [first] = executing({ id: "t1" }).state.children?.each ?? [];
    expect(first?.child).toMatchObject({
      key: "t1",
      workflow: "plan-and-execute",
      brief: { title: "Do t1", criteria: ["Given a cart, when t1, then it holds"] },
      payload: { task_id: "totals.t1", plan_slug: "totals", task_description: "Do t1\nand nothing else" },
      scope: { in: ["src/**"], out: [], do_not_touch: ["README.md", "README.md/**"] },
    });
    expect(first?.child.brief?.text).toContain("no new dependencies");
    expect(first?.child.payload).not.toHaveProperty("papers");
  });

  it("wait for those they depend on, and begin from what those have made", () => {
    const first = executing({ id: "t1" }, { id: "t2", depends_on: ["t1"] });
    expect(opened(first)).toEqual(["t1"]);
    expect(first.state.children?.from).toBe("base");
    const second = joins(finishes(first, "t1"), "J1");
    expect(opened(second)).toEqual(["t2"]);
    expect(second.state.children?.from).toBe("commit-of-J1");
    const done = joins(finishes(second, "t2"), "J2");
    expect(step(done)).toBe("gates");
    expect(done.state.steps?.work?.output).toEqual({ completed: ["t1", "t2"], failed: [] });
    expect(done.state.parts).toEqual({
      t1: { status: "completed", bubble: "run-t1" },
      t2: { status: "completed", bubble: "run-t2" },
    });
  });

  it("that could change the same file come one after the other", () => {
    const shared = ["src/cart.ts"];
    const first = executing(
      { id: "t1", files: shared },
      { id: "t2", files: ["src/**"] },
      { id: "t3", files: ["docs/a.md"] },
    );
    expect(opened(first)).toEqual(["t1", "t3"]);
    expect(opened(joins(finishes(finishes(first, "t1"), "t3"), "J1"))).toEqual(["t2"]);
  });

  it("are put together, judged as a whole and signed once", () => {
    const whole = joins(finishes(executing({ id: "t1" }), "t1"), "J1").gatesPass();
    expect([whole.turn.agent, whole.turn.role]).toEqual(["cleo", "reviewer"]);
    const opinion = {
      dialect: "verdict",
      decision: "approve",
      confidence: 0.9,
      sop_review: [],
      patterns: [],
    } as const;
    const signed = whole.judges({ opinion: { ...opinion, sop_review: [], patterns: [] } });
    expect(step(signed)).toBe("approval");
    expect(signed.packageWritten().approves().commits().state.lifecycle).toBe("DONE");
    const back = signed.packageWritten().reworks("the receipt too");
    expect([step(back), back.turn.agent]).toEqual(["mend", "wim"]);
  });

  it("hand on the packages of all groups, each part under the name of its task", () => {
    const tell = (what: string) => ({ package: { ...wholePackage, what, commit_message: `feat: ${what}` } });
    const first = joins(
      finishes(executing({ id: "t1" }, { id: "t2", depends_on: ["t1"] }), "t1", tell("one")),
      "J1",
    );
    const both = joins(finishes(first, "t2", tell("two")), "J2");
    expect(both.state.package?.what).toBe("t1: one\nt2: two");
    expect(both.state.package?.commit_message).toBe("Totals with tax\n\n- t1: feat: one\n- t2: feat: two");
  });

  it("whose trees do not fit together are a person's to decide about, and continue afterwards", () => {
    const first = executing({ id: "t1" }, { id: "t2" }, { id: "t3", depends_on: ["t1"] });
    const torn = joins(finishes(finishes(first, "t1"), "t2"), "J1", ["src/t1.ts"]);
    expect(step(torn)).toBe("conflict");
    const mended = torn.replies({ choice: "turn" }).hands("J2");
    expect(opened(mended)).toEqual(["t3"]);
    expect(mended.state.children?.from).toBe("commit-of-J2");
    expect(mended.state.package?.what).toBeDefined();
  });
});

describe("a child that fails", () => {
  const failed = () =>
    finishes(
      finishes(executing({ id: "t1" }, { id: "t2" }, { id: "t3", depends_on: ["t1"] }), "t1", {
        status: "failed",
        why: "no way",
      }),
      "t2",
    );

  it.each(["failed", "cancelled", "exceeded"] as const)("(%s) is a question to a human", (status) => {
    const scene = finishes(executing({ id: "t1" }), "t1", { status, why: "no way" });
    expect(step(scene)).toBe("failed");
    expect(scene.state.questions[0]?.kind).toBe("child-failed");
    expect(scene.state.position.why).toContain(`t1 is ${status}: no way`);
  });

  it("is done without when a human says so; what depends on it is not begun", () => {
    const scene = joins(failed().replies({ choice: "continue" }), "J1");
    expect(step(scene)).toBe("gates");
    expect(scene.state.steps?.work?.output).toEqual({ completed: ["t2"], failed: ["t1", "t3"] });
    expect(scene.state.parts).toEqual({
      t1: { status: "failed", bubble: "run-t1" },
      t2: { status: "completed", bubble: "run-t2" },
    });
  });

  it("ends the run when a human says so", () => {
    expect(failed().replies({ choice: "reject", message: "no" }).state.lifecycle).toBe("CANCELLED");
  });
});

describe("a child that is routed", () => {
  const routed: Report = { status: "routed", to: "run-t1-2" };
  const successor: Report = { bubble: "run-t1-2", after: ["run-t1"] };

  it("is waited for in the bubble that took its place", () => {
    const scene = finishes(executing({ id: "t1" }), "t1", routed);
    expect(step(scene)).toBe("work");
    expect(scene.state.children?.each[0]).toMatchObject({ bubble: "run-t1-2" });
    expect(scene.state.children?.each[0]?.report).toBeUndefined();
    expect(owed(scene)).toEqual(["t1"]);
    scene.owesNo("join");
    const back = reports(scene, "t1", successor);
    expect(back.state.children?.each[0]?.report).toMatchObject({ status: "completed", bubble: "run-t1-2" });
    back.owes("join");
  });

  it("has reported by its successor, whichever of them speaks first", () => {
    const scene = starts(executing({ id: "t1" }), "t1");
    const back = reports(scene, "t1", successor);
    back.owes("join");
    expect(back.tries(report("t1", routed)).decision.refusal).toMatchObject({ code: "child.reported" });
  });

  it("twice is reported for by the last one", () => {
    const scene = finishes(executing({ id: "t1" }), "t1", routed);
    const third: Report = { bubble: "run-t1-3", after: ["run-t1", "run-t1-2"] };
    reports(scene, "t1", third).owes("join");
    const known = reports(scene, "t1", { ...successor, status: "routed", to: "run-t1-3" });
    expect(known.state.children?.each[0]?.bubble).toBe("run-t1-3");
    reports(known, "t1", third).owes("join");
  });

  it("counts once, and what it used is counted too", () => {
    const scene = reports(finishes(executing({ id: "t1" }), "t1", routed), "t1", successor);
    expect(scene.state.spent.total).toMatchObject({ input: 20, output: 2 });
    for (const late of [report("t1", routed), report("t1", successor), report("t1")])
      expect(scene.tries(late).decision.refusal).toMatchObject({ code: "child.reported" });
  });

  it("cannot be reported for by a stranger", () => {
    const scene = starts(executing({ id: "t1" }), "t1");
    const stranger = report("t1", { bubble: "other", after: ["elsewhere"] });
    expect(scene.tries(stranger).decision.refusal).toMatchObject({ code: "child.reported" });
  });

  it("and told twice that it is routed, is told once", () => {
    const scene = finishes(executing({ id: "t1" }), "t1", routed);
    expect(scene.tries(report("t1", routed)).decision.refusal).toMatchObject({ code: "child.reported" });
  });

  it("without anybody who continues is one that failed", () => {
    const scene = finishes(executing({ id: "t1" }), "t1", { status: "routed" });
    expect(step(scene)).toBe("failed");
  });
});

describe("late reports", () => {
  it("of an earlier group are refused", () => {
    const second = joins(finishes(executing({ id: "t1" }, { id: "t2", depends_on: ["t1"] }), "t1"), "J1");
    expect(second.tries(report("t1")).decision.refusal).toMatchObject({ code: "child.reported" });
    expect(second.tries(report("t9")).decision.refusal).toMatchObject({ code: "child.reported" });
  });
});
