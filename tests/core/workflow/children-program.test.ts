// What a child bubble runs and what it reports: one task of a program by itself, and an end that never flatters.
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { Program, type Step } from "../../../src/core/model/program.ts";
import type { State } from "../../../src/core/model/state.ts";
import { selectTaskProgram } from "../../../src/core/workflow/task-subset.ts";
import { findReport } from "../../../src/engine/steps/report.ts";
import { pair } from "../pair.ts";

const loop = (exhausted: string) => ({
  producer: "agent",
  max_rounds: 3,
  clean_passes: 1,
  role_switch: "never",
  exhausted,
});

const task = (key: string, more: object = {}) => ({
  key,
  first: key,
  roles: { agent: key },
  loop: loop(`${key}/exhausted`),
  ...more,
});

const turn = (name: string) => ({
  name,
  task: name,
  kind: "turn",
  role: "agent",
  session: "resumed",
  answer: "handoff",
  on: { success: { to: `${name}/done` }, refused: { to: name } },
});

const done = (key: string) => ({
  name: `${key}/done`,
  task: key,
  kind: "done",
  status: "completed",
  on: { next: { to: "$next" } },
});

const exhausted = (key: string) => ({
  name: `${key}/exhausted`,
  task: key,
  kind: "question",
  ask: "exhausted",
  on: { accept: { to: `${key}/done` }, continue: { to: "$resume" }, reject: { to: "apology" } },
});

const emits = (name: string, to: string) => ({ name, kind: "emit", event: name, on: { done: { to } } });

const program = v.parse(Program, {
  id: "two",
  name: "Two",
  version: "1",
  start: "cart",
  loop: loop("cart/exhausted"),
  max_concurrent: 2,
  timeout_s: 60,
  payload: { slug: "x" },
  tasks: [task("cart"), task("shop", { depends_on: ["cart"], title: "Shop" }), task("join", { joins: true })],
  steps: [
    ...["cart", "shop", "join"].flatMap((key) => [turn(key), done(key), exhausted(key)]),
    {
      name: "children",
      kind: "children",
      on: { joined: { to: "join" }, conflict: { to: "join" }, failed: { to: "join" } },
    },
    emits("apology", "sorry"),
    emits("sorry", "approval"),
    emits("unrelated", "approval"),
    { name: "approval", kind: "approval", on: {} },
  ],
});

const names = (steps: readonly Step[]) => steps.map(({ name }) => name);

describe("one task of a program by itself", () => {
  const child = selectTaskProgram(program, "shop");

  it("begins with the task, in its own loop, and waits for nothing", () => {
    expect(child.start).toBe("shop");
    expect(child.loop).toEqual(program.tasks?.[1]?.loop);
    expect(child.tasks).toEqual([{ ...program.tasks?.[1], depends_on: [] }]);
  });

  it("keeps its steps, what they lead to, and the end of every run; no other task, and no children", () => {
    expect(names(child.steps)).toEqual([
      "shop",
      "shop/done",
      "shop/exhausted",
      "apology",
      "sorry",
      "approval",
    ]);
  });

  it("keeps what the run was started with, and runs nothing side by side", () => {
    expect(child).toMatchObject({ id: "two", payload: { slug: "x" }, timeout_s: 60 });
    expect(child.max_concurrent).toBeUndefined();
    expect(v.parse(Program, child)).toEqual(child);
  });

  it("is a mistake for a task that there is not", () => {
    expect(() => selectTaskProgram(program, "cellar")).toThrow("no task cellar");
  });
});

const ended = (more: Partial<State>) =>
  findReport({
    ...pair().state,
    bubbleId: "all-shop",
    parent: { bubble: "all", key: "shop", depth: 1 },
    lifecycle: "DONE",
    spent: { total: { input: 10, output: 2 }, byAgent: {}, unknown: 0, unpriced: 0, workedMs: 90_000 },
    ...more,
  } satisfies State);

describe("what a child reports", () => {
  it("is its tree, what it spent and what it locked", () => {
    const locks = [{ path: "a.md", sha256: "ab", decidedBy: "rex", at: "", seq: 9 }];
    const tree = { id: "t1", commit: "c1" } as State["tree"];
    expect(
      ended({
        tree,
        locks,
        result: { result: "approved", why: "every task is completed" },
      } as Partial<State>),
    ).toEqual({
      key: "shop",
      bubble: "all-shop",
      status: "completed",
      tree: "t1",
      commit: "c1",
      why: "every task is completed",
      spent: { input: 10, output: 2 },
      minutes: 1.5,
      know: expect.arrayContaining([
        { code: "review.none-on-tree", text: "no reviewer has approved exactly this tree" },
      ]),
      locks: [{ path: "a.md", sha256: "ab", decided_by: "rex" }],
    });
  });

  it.each([
    ["completed", { lifecycle: "DONE", result: { result: "accepted", why: "" } }],
    ["completed", { lifecycle: "DONE" }],
    ["exceeded", { lifecycle: "FAILED", result: { result: "exceeded", why: "" } }],
    ["exceeded", { lifecycle: "DONE", result: { result: "exceeded", why: "" } }],
    ["routed", { lifecycle: "CANCELLED", result: { result: "routed", why: "" } }],
    ["cancelled", { lifecycle: "CANCELLED", result: { result: "approved", why: "" } }],
    ["cancelled", { lifecycle: "DONE", result: { result: "rejected", why: "" } }],
    ["failed", { lifecycle: "FAILED" }],
    ["failed", { lifecycle: "FAILED", result: { result: "approved", why: "" } }],
  ] as const)("is %s for %j", (status, state) => {
    expect(ended(state as Partial<State>)?.status).toBe(status);
  });

  it("is nothing for a bubble that is nobody's child", () => {
    expect(findReport({ bubbleId: "all", lifecycle: "DONE" } as State)).toBeUndefined();
  });
});
