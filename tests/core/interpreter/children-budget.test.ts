// The budget of a bubble holds for all its children together, and every bubble of the tree is counted once.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { listSpentBudgets } from "../../../src/core/limits/budget.ts";
import type { CommandOf } from "../../../src/core/model/command.ts";
import type { State } from "../../../src/core/model/state.ts";
import { findOverspent, findOverspentAbove, isHeldBack } from "../../../src/engine/watch/tree-budget.ts";
import type { World } from "../../../src/engine/world/world.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { stateOf } from "../task-scene.ts";
import { playing } from "../tasks-play.ts";

const document = (wait = "all") => `
name: Side by side
version: 1.0.0
loop: {producer: implementer, critic: reviewer, max_rounds: 3, clean_passes: 1, role_switch: never, exhausted: exhausted}
start: fan
steps:
  - name: fan
    kind: children
    wait: ${wait}
    timeout: 1h
    children: [{key: a, workflow: paired}, {key: b, workflow: paired}]
    on: {joined: work, conflict: work, failed: lost}
  - {name: lost, kind: question, ask: child-failed, on: {continue: work, reject: $cancel}}
  - {name: work, kind: turn, role: implementer, session: resumed, answer: handoff, on: {success: gates, refused: work}}
  - {name: gates, kind: gates, on: {success: review, fail: {to: work, round: next}}}
  - {name: review, kind: turn, role: reviewer, session: fresh, answer: findings, on: {success: approval, refused: review}}
  - {name: exhausted, kind: question, ask: exhausted, on: {accept: approval, continue: $resume, reject: $cancel}}
  - {name: approval, kind: approval, on: {}}
`;

const budget = { max_tokens: 100, max_minutes: 60 };
const both = (wait?: string) => starts(starts(playing(document(wait), { budget }), "a"), "b");
const starts = (scene: Scenario, key: string, bubble = `b-${key}`) =>
  scene.does({ type: "child-started", actor: driver, key, bubble });

type Report = CommandOf<"child-reported">;
const report = (key: string, more: Partial<Report> = {}): Report => ({
  ...{ type: "child-reported", actor: driver, key, bubble: `b-${key}`, status: "completed" },
  ...{ why: "it is over", tree: `T${key}`, commit: `c${key}`, spent: { input: 10, output: 1 }, minutes: 1 },
  ...more,
});
const used = (input: number, minutes = 0) => ({ total: { input, output: 0 }, minutes });
const look = (input: number, minutes = 0) =>
  ({ type: "check-budget", actor: driver, children: used(input, minutes) }) as const;
const owed = ({ state }: Scenario) =>
  listDueEffects(state)
    .filter(({ kind }) => ["child", "stop-child", "join", "go-on"].includes(kind))
    .map((effect) => ("child" in effect ? `${effect.kind} ${effect.child.key}` : effect.kind));
const tokensOf = ({ state }: Scenario) => state.spent.total.input;

describe("a budget that children use up together", () => {
  it("is a question about the parent, and none of them is minded until it is answered", () => {
    const asked = both().does(look(100));
    expect(asked.state.lifecycle).toBe("WAITING_HUMAN");
    const [question] = asked.state.questions;
    expect(question).toMatchObject({ kind: "budget" });
    expect(question?.text).toContain("and its children is used up: 100 of 100 tokens");
    expect(question?.options?.map(({ key }) => key)).toEqual(["continue", "reject"]);
    expect(owed(asked)).toEqual([]);
    const granted = asked.replies({ choice: "continue" });
    expect(granted.state).toMatchObject({ lifecycle: "RUNNING", extraBudgets: 1 });
    expect(owed(granted)).toEqual(["child a", "child b"]);
    granted.tries(look(199)).refuses("driver.not-due");
    expect(granted.does(look(200)).state.lifecycle).toBe("WAITING_HUMAN");
  });

  it("counts what is on the record and what is not, each once", () => {
    const one = both().does(report("a"));
    one.tries(look(88)).refuses("driver.not-due");
    expect(one.does(look(89)).state.lifecycle).toBe("WAITING_HUMAN");
    expect(one.does(look(0, 59)).state.questions[0]?.text).toContain("60 of 60 minutes");
    expect(listSpentBudgets(one.state, one.at, undefined, used(88))).toEqual([]);
  });

  it("that ends the parent ends the children, and what they used is counted after its end", () => {
    const ended = both().does(look(100)).replies({ choice: "reject" });
    expect(ended.state.lifecycle).toBe("CANCELLED");
    expect(owed(ended)).toEqual(["stop-child a", "stop-child b"]);
    const told = ended.does(report("a", { status: "cancelled" })).does(report("b", { status: "cancelled" }));
    expect(tokensOf(told)).toBe(20);
    expect(told.state.lifecycle).toBe("CANCELLED");
    expect(owed(told)).toEqual([]);
    told.tries(report("a")).refuses("child.reported");
  });

  it("is nobody's business when no child is at work", () => {
    const joining = both().does(report("a")).does(report("b"));
    expect(owed(joining)).toEqual(["join"]);
    joining.tries(look(1000)).refuses("driver.not-due");
  });
});

describe("the sum of a tree", () => {
  const routed = { status: "routed", to: "b-a-2" } as const;
  const before = [{ bubble: "b-a", spent: { input: 7, output: 0 }, minutes: 2 }];
  const successor = { bubble: "b-a-2", after: ["b-a"], before };

  it("has what a routed child used, although its successor reports first", () => {
    const scene = both().does(report("a", successor));
    expect(tokensOf(scene)).toBe(17);
    expect(scene.state.spent.workedMs).toBe(180_000);
    scene.tries(report("a", routed)).refuses("child.reported");
  });

  it("has it once when both report", () => {
    const scene = both().does(report("a", routed)).does(report("a", successor));
    expect(tokensOf(scene)).toBe(20);
  });

  it("has each of a long line once, whoever of them was heard", () => {
    const third: Partial<Report> = {
      ...{ bubble: "b-a-3", after: ["b-a", "b-a-2"] },
      before: [...before, { bubble: "b-a-2", spent: { input: 5, output: 0 } }],
    };
    expect(tokensOf(both().does(report("a", third)))).toBe(22);
    const second = { ...successor, status: "routed", to: "b-a-3" } as const;
    expect(tokensOf(both().does(report("a", second)).does(report("a", third)))).toBe(27);
  });

  it("has those nobody waits for: they are stopped before anything is put together", () => {
    const enough = both("any").does(report("b"));
    expect(owed(enough)).toEqual(["stop-child a"]);
    const gone = enough.does(report("a", { status: "routed", to: "b-a-2" }));
    expect(owed(gone)).toEqual(["stop-child a"]);
    const back = gone.does(report("a", { ...successor, status: "cancelled" }));
    expect(owed(back)).toEqual(["join"]);
    expect(tokensOf(back)).toBe(30);
  });
});

describe("children of a step that was left", () => {
  it("are stopped", () => {
    const late = both().minutesLater(61);
    const entered = late.state.position.seq;
    const left = late.does({ type: "time-up", actor: driver, what: "step", entered });
    expect(left.state.position.step).toBe("lost");
    expect(owed(left)).toEqual(["stop-child a", "stop-child b"]);
    expect(owed(left.does(report("a", { status: "cancelled" })))).toEqual(["stop-child b"]);
  });
});

/** A world that knows these bubbles and nothing else. */
const worldOf = (...states: readonly State[]): World => {
  const find = (id: string) => states.find(({ bubbleId }) => bubbleId === id);
  return {
    clock: { now: () => "2026-02-21T10:00:00.000Z" },
    records: {
      exists: async (id: string) => find(id) !== undefined,
      load: async (id: string) => ({ state: find(id), isCurrent: true }),
    },
  } as unknown as World;
};

describe("what children at work have used", () => {
  const spent = (input: number, minutes = 0) => ({
    ...stateOf().spent,
    total: { input, output: 0 },
    workedMs: minutes * 60_000,
  });
  const at = (bubble: string, counted: readonly string[] = []) => ({
    child: { key: bubble },
    bubble,
    counted,
  });
  const parent = (bubble: string, depth = 1) => ({ bubble, key: "k", depth });
  const children = (...each: readonly ReturnType<typeof at>[]): NonNullable<State["children"]> => ({
    ...{ step: "fan", seq: 3, from: "base", wait: "all", maxConcurrent: 2, each },
  });
  const turn = { id: "t1", status: "due", agent: "alice" } as NonNullable<State["turn"]>;
  const bubbleOf = (bubbleId: string, more: Partial<State>): State => {
    const state = stateOf({}, { lifecycle: "RUNNING", ...more });
    return { ...state, bubbleId };
  };
  const top = (max: number, each = children(at("a"), at("b"))): State => {
    const state = bubbleOf("top", { spent: spent(10), children: each });
    return { ...state, config: { ...state.config, budget: { max_tokens: max } } };
  };
  const a = bubbleOf("a", { parent: parent("top"), spent: spent(20), turn });
  const b = bubbleOf("b", { parent: parent("top"), spent: spent(30), children: children(at("b1")) });
  const b1 = bubbleOf("b1", { parent: parent("b", 2), spent: spent(40), turn });

  it("is the sum over the whole tree, for the bubble itself and for all below it", async () => {
    const within = worldOf(top(101), a, b, b1);
    expect(await findOverspent(within, top(101))).toBeUndefined();
    expect(await findOverspentAbove(within, b1)).toEqual([]);
    const over = worldOf(top(100), a, b, b1);
    const found = await findOverspent(over, top(100));
    expect(found).toMatchObject({
      children: used(90),
      lines: [{ name: "max_tokens", used: 100, limit: 100 }],
    });
    expect((await findOverspentAbove(over, b1)).map(({ state }) => state.bubbleId)).toEqual(["top"]);
    expect([await isHeldBack(over, a), await isHeldBack(over, b1)]).toEqual([true, true]);
    expect([await isHeldBack(within, a), await isHeldBack(over, b)]).toEqual([false, false]);
  });

  it("has the turn under way, which is on no record yet", async () => {
    const world = worldOf(top(105), a, b, b1);
    expect(await findOverspentAbove(world, a, { input: 4, output: 0 })).toEqual([]);
    expect(await findOverspentAbove(world, a, { input: 4, output: 1 })).toHaveLength(1);
  });

  it("has those whose place a child has taken, unless they have reported", async () => {
    const successor = { ...a, bubbleId: "a2", lineage: [{ bubble: "a", workflow: "w" }] };
    const unreported = top(80, children(at("a2")));
    expect(await findOverspent(worldOf(unreported, a, successor), { ...unreported })).toBeUndefined();
    const exactly = top(50, children(at("a2")));
    expect(await findOverspent(worldOf(exactly, a, successor), exactly)).toMatchObject({
      children: used(40),
    });
    const counted = top(30, children(at("a2", ["a"])));
    expect(await findOverspent(worldOf(counted, a, successor), counted)).toMatchObject({
      children: used(20),
    });
  });

  it("is nothing for a child that is gone, and nothing is read without a budget", async () => {
    expect(await findOverspent(worldOf(top(10)), top(10))).toMatchObject({ children: used(0) });
    const free = bubbleOf("top", { spent: spent(1000) });
    expect(await findOverspent(worldOf(free), free)).toBeUndefined();
  });
});
