// The gates on the untouched base: when they are owed, and what each result leads to before any agent is started.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { isBaseRunDue, isBelowDot, listRedOnBase } from "../../../src/core/judge/gate-runs/base.ts";
import type { GateResult } from "../../../src/core/model/gate.ts";
import { listSentencesBeforeSigning } from "../../../src/core/package/list.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair, testGate } from "../pair.ts";

const owed = ({ state }: Scenario) => listDueEffects(state).map(({ kind }) => kind);
const begun = (options: Parameters<typeof pair>[0] = {}) => pair(options).startedOnBase();
const knownBefore = (state: Scenario["state"]) => listSentencesBeforeSigning(state).map(({ text }) => text);
const question = ({ state }: Scenario) => state.questions.at(-1);
const ran = (statuses: Parameters<Scenario["baseGates"]>[0] = {}, more = {}) => {
  const scene = begun();
  return scene.does(scene.baseGates(statuses, more));
};
const result = (more: Partial<GateResult>): GateResult => ({
  name: "test",
  command: "npm test",
  required: true,
  status: "error",
  exit_code: 127,
  duration_ms: 1,
  excerpt: "",
  ...more,
});

describe("before the first agent is started", () => {
  it("the gates run on the base, once", () => {
    expect(owed(begun())).toEqual(["base-gates"]);
    expect(owed(ran())).toEqual(["start-turn"]);
    ran()
      .tries({ ...begun().baseGates(), tree: "B0" } as never)
      .refuses("driver.not-due");
  });

  it.each([
    ["where somebody switched it off", { config: { base_gates: "off" as const } }],
    ["without gates", { gates: [] }],
    ["for the checks of a document, which is not written yet", { config: { kind: "document" as const } }],
  ])("nothing runs %s", (_name, options) => {
    expect(owed(begun(options))).toEqual(["start-turn"]);
  });

  it("nothing runs in bubbles of older records, which name no tree of their base", () => {
    expect(owed(pair().started())).toEqual(["start-turn"]);
  });

  it("nothing runs once an agent was started, whatever gates come in later", () => {
    const late = pair({ config: { base_gates: "off" } })
      .startedOnBase()
      .turnStarts()
      .turnEnds();
    expect(owed(late)).toEqual(["start-turn"]);
    const { base_gates: _off, ...config } = late.state.config;
    expect(isBaseRunDue({ ...late.state, config })).toBe(false);
  });

  it("a run of another tree is refused", () => {
    begun()
      .tries({ ...begun().baseGates(), tree: "T9" } as never)
      .refuses("driver.not-due");
  });
});

it("what it takes counts for no time limit of a step", () => {
  const scene = begun().minutesLater(30);
  expect(owed(scene)).toEqual(["base-gates"]);
  expect(scene.does(scene.baseGates()).state.position.at).toBe(scene.at);
});

describe("a red base", () => {
  it("stops nothing, and counts as no evidence about the work", () => {
    const red = ran({ test: "failed" });
    expect(owed(red)).toEqual(["start-turn"]);
    expect(red.state.gates).toBeUndefined();
    expect(listRedOnBase(red.state)).toEqual(["test"]);
    expect(red.state.round).toBe(begun().state.round);
  });

  it("is said in the status, with where the result is from", () => {
    const kept = ran({ test: "failed" }, { base: { ran_at: "2026-01-01T00:00:00.000Z" } });
    const { gates } = buildStatusView(kept.state, { now: kept.at });
    expect(gates.base).toEqual({
      red: ["test"],
      ran_at: "2026-01-01T00:00:00.000Z",
      from_cache: true,
      problem: null,
    });
  });

  it.each([
    ["no test was found there", { hint: "no tests ran" }],
    ["a script of the repository is not there yet", { missing: "./check.sh" }],
  ])("is one too where %s: that may be the task", (_name, more) => {
    const red = ran({}, { results: [result(more)] });
    expect(owed(red)).toEqual(["start-turn"]);
    expect(listRedOnBase(red.state)).toEqual(["test"]);
  });
});

describe("a base that gates cannot judge", () => {
  const missing = () => ran({}, { results: [result({ missing: "npm", hint: "npm is not installed." })] });
  const unprepared = () =>
    ran({}, { results: [], clean: { included: [], problem: "setup command failed (exit 1): npm ci" } });

  it.each([
    ["a missing tool", missing, "test: npm is not installed."],
    ["a setup that fails", unprepared, "setup command failed (exit 1): npm ci"],
    ["a gate that is killed", () => ran({}, { results: [result({ signal: "SIGKILL" })] }), "test"],
  ])("is a question for %s, before anybody is paid", (_name, scene, words) => {
    expect(scene().state.lifecycle).toBe("WAITING_HUMAN");
    expect(question(scene())).toMatchObject({ kind: "base-gates", gates: ["test"] });
    expect(question(scene())?.text).toContain(words);
    expect(question(scene())?.options?.map(({ key }) => key)).toEqual(["again", "start", "waive", "reject"]);
  });

  it("nobody is asked about an optional gate", () => {
    const scene = begun({ gates: [{ ...testGate, required: false }] });
    const results = [result({ required: false, missing: "npm" })];
    expect(owed(scene.does(scene.baseGates({}, { results })))).toEqual(["start-turn"]);
  });

  it("again runs the gates once more, and so do plain words and resume", () => {
    expect(owed(missing().replies({ choice: "again", message: "" }))).toEqual(["base-gates"]);
    expect(owed(missing().replies({ message: "npm is there now" }))).toEqual(["base-gates"]);
    expect(owed(missing().resumes())).toEqual(["base-gates"]);
  });

  it("start begins the work all the same", () => {
    expect(owed(missing().replies({ choice: "start", message: "" }))).toEqual(["start-turn"]);
  });

  it("waive needs a reason, and holds for the rounds", () => {
    missing()
      .tries({ type: "reply", actor: operator, choice: "waive", message: "" })
      .refuses("reply.no-reason");
    const scene = missing().replies({ choice: "waive", message: "not here" });
    expect(owed(scene)).toEqual(["start-turn"]);
    expect(scene.state.gateWaivers).toEqual({ test: "not here" });
  });

  it("a waiver by name answers the question too", () => {
    const scene = missing().does({ type: "waive", actor: operator, gates: ["test"], reason: "not here" });
    expect(owed(scene)).toEqual(["start-turn"]);
  });

  it("reject ends the bubble", () => {
    expect(missing().replies({ choice: "reject", message: "no" }).state.lifecycle).toBe("CANCELLED");
  });
});

describe("a worktree whose setup failed", () => {
  const failed = () => pair().startedOnBase({ problem: "setup command failed (exit 1): npm ci" });

  it("is asked about before the gates run at all", () => {
    expect(failed().state.lifecycle).toBe("WAITING_HUMAN");
    expect(question(failed())?.text).toContain("npm ci");
  });

  it("is set up once more by again; a run that comes through forgets the problem", () => {
    const again = failed().replies({ choice: "again", message: "" });
    expect(owed(again)).toEqual(["base-gates"]);
    expect(again.does(again.baseGates()).state.workspace?.problem).toBeUndefined();
  });

  it("may be worked in without it", () => {
    expect(owed(failed().replies({ choice: "start", message: "" }))).toEqual(["start-turn"]);
  });
});

describe("a gate that is red only without the network", () => {
  const needs = (more: Partial<GateResult> = { status: "failed", exit_code: 1 }) =>
    ran({}, { results: [result(more)], base: { needs_network: ["test"] } });

  it("is a question that proposes the network for it by name, to be chosen or pasted", () => {
    const scene = needs();
    expect(question(scene)).toMatchObject({ kind: "base-gates", gates: ["test"] });
    expect(question(scene)?.options?.map(({ key }) => key)).toEqual([
      ...["network", "again", "start", "waive", "reject"],
    ]);
    expect(question(scene)?.text).toContain("{ name: test, network: on }");
  });

  it("is not called unrunnable, whatever it printed", () => {
    const scene = needs({ status: "error", missing: "vite" });
    expect(question(scene)?.options?.[0]?.key).toBe("network");
  });

  it("has the network from then on, and is judged on the base once more", () => {
    const scene = needs().replies({ choice: "network", message: "" });
    expect(scene.state.profile.gates).toMatchObject([{ name: "test", network: "on" }]);
    expect(owed(scene)).toEqual(["base-gates"]);
    expect(knownBefore(scene.does(scene.baseGates()).state)).toContain(
      "gates that may reach the network: test",
    );
    expect(knownBefore(ran().state)).not.toContain("gates that may reach the network: test");
  });

  it("stops nothing where it is optional", () => {
    const scene = ran(
      {},
      { results: [result({ required: false, status: "failed" })], base: { needs_network: ["test"] } },
    );
    expect(owed(scene)).toEqual(["start-turn"]);
  });
});

describe("a gate that is red only in the worktree", () => {
  it("is a question that names the setting, to be pasted", () => {
    const scene = ran({}, { base: { red_in_worktree: ["test"] } });
    expect(question(scene)?.text).toMatch(/--worktrees \.\.\/worktrees/);
    expect(question(scene)?.text).toMatch(/defaults: \{ worktrees: \.\.\/worktrees \}/);
  });

  it.each([
    ["/home/me/.pairflow-worktrees/shop/cart", true],
    ["/home/me/worktrees/shop/cart", false],
    ["/home/me/../worktrees/cart", false],
  ])("the path %s has a dot folder: %s", (path, isBelow) => {
    expect(isBelowDot(path)).toBe(isBelow);
  });
});

it("a driver that is not due reports nothing", () => {
  pair()
    .started()
    .tries({
      type: "base-gates-ran",
      actor: driver,
      tree: "B0",
      results: [],
      changed: [],
      output: "base-gates.txt",
      clean: { included: [] },
      base: {},
    })
    .refuses("driver.not-due");
});
