// The ten states and every transition between them.
import { describe, expect, it } from "vitest";
import { isFinal, mayMove, transitions } from "../../../src/core/bubble/lifecycle.ts";
import type { Command } from "../../../src/core/model/command.ts";
import { type Lifecycle, lifecycleStates } from "../../../src/core/model/state.ts";
import { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { afterSwap, pair, readyForApproval } from "../pair.ts";
import { wildSteps } from "../walk-steps.ts";
import { loaded } from "../workflow-written.ts";

const done = () => readyForApproval().approves().commits();
const fail: Command = { type: "fail", actor: driver, code: "disk.full", message: "the disk is full" };
const stop: Command = { type: "stop", actor: operator, reason: "enough" };
const reply: Command = { type: "reply", actor: operator, message: "yes" };

/** One bubble in each state. */
const scenes: Record<Lifecycle, () => Scenario> = {
  CREATED: () => pair(),
  PREPARING_WORKSPACE: () => pair().does({ type: "start", actor: operator, seat: "process" }),
  RUNNING: () => pair().started().atWork(),
  WAITING_HUMAN: () => pair().started().asks("Keep the old route?"),
  READY_FOR_APPROVAL: () => readyForApproval(),
  APPROVED_FOR_COMMIT: () => readyForApproval().approves(),
  COMMITTED: () => new Scenario(done().log.slice(0, -1), done().at),
  DONE: done,
  FAILED: () => scenes.RUNNING().does(fail),
  CANCELLED: () => scenes.RUNNING().does(stop),
};

const workspaceReady: Command = {
  type: "workspace-ready",
  actor: driver,
  path: "/w",
  branch: "b",
  tree: "T0",
  notes: [],
};

/** A run that makes nothing has nothing to sign: it is done when its last step is. */
function afterWait(): Scenario {
  const steps = [
    { name: "rest", kind: "wait", seconds: 30, on: { done: "sign" } },
    { name: "sign", kind: "approval", on: {} },
  ];
  const resting = pair({ program: loaded({ id: "rests", start: "rest", steps }).program }).started();
  const { what, entered } = resting.has({ lifecycle: "RUNNING" }).owes("clock");
  return resting.minutesLater(1).does({ type: "time-up", actor: driver, what, entered });
}

/** A real command for every arrow of the table. */
const arrows: [Lifecycle, Lifecycle, (scene: Scenario) => Scenario][] = [
  ["CREATED", "PREPARING_WORKSPACE", (scene) => scene.does({ type: "start", actor: operator, seat: "tmux" })],
  ["PREPARING_WORKSPACE", "RUNNING", (scene) => scene.does(workspaceReady)],
  ["RUNNING", "WAITING_HUMAN", (scene) => scene.asks("Which one?")],
  ["RUNNING", "DONE", afterWait],
  ["RUNNING", "READY_FOR_APPROVAL", () => afterSwap().reviewerConverges().handsOver().packageWritten()],
  ["WAITING_HUMAN", "RUNNING", (scene) => scene.does(reply)],
  ["READY_FOR_APPROVAL", "APPROVED_FOR_COMMIT", (scene) => scene.approves()],
  ["READY_FOR_APPROVAL", "RUNNING", (scene) => scene.reworks("rename it")],
  ["APPROVED_FOR_COMMIT", "COMMITTED", (scene) => new Scenario(scene.commits().log.slice(0, -1), scene.at)],
  ["COMMITTED", "DONE", (scene) => scene.does({ type: "finish", actor: driver })],
  ...lifecycleStates.flatMap((from) =>
    (["FAILED", "CANCELLED"] as const)
      .filter((to) => mayMove(from, to))
      .map((to): [Lifecycle, Lifecycle, (scene: Scenario) => Scenario] => [
        from,
        to,
        (scene) => scene.does(to === "FAILED" ? fail : stop),
      ]),
  ),
];

describe("the table", () => {
  it.each(lifecycleStates)("has a bubble in %s", (state) => {
    expect(scenes[state]().state.lifecycle).toBe(state);
  });

  it.each(arrows)("%s → %s happens by a command", (from, to, act) => {
    expect(act(scenes[from]()).state.lifecycle).toBe(to);
  });

  it("has no arrow that no command takes", () => {
    const listed = lifecycleStates.flatMap((from) => transitions[from].map((to) => `${from} → ${to}`));
    expect(arrows.map(([from, to]) => `${from} → ${to}`).sort()).toEqual(listed.sort());
  });

  it("knows three final states", () => {
    expect(lifecycleStates.filter(isFinal)).toEqual(["DONE", "FAILED", "CANCELLED"]);
  });

  it("a bubble that was never started cannot fail", () => {
    pair().tries(fail).refuses("fail.wrong-state");
  });
});

/** Everything that can be said, whoever says it and whether or not it fits. */
const everything = (scene: Scenario): Command[] => {
  const { state } = scene;
  const turn = state.turn ?? state.lastTurn;
  const who = { turn: turn?.id ?? "t1", attempt: turn?.attempt ?? 1 };
  const agent = { kind: "agent", ...who, capability: turn?.capability ?? "" } as const;
  const tree = state.tree?.id ?? "T0";
  const handoff = { tree, commit: "c", ref: "r", files: [], problems: [], touched: [] };
  return [
    { type: "configure", actor: operator, config: state.config },
    { type: "start", actor: operator, seat: "process" },
    workspaceReady,
    { type: "workspace-failed", actor: driver, code: "git.failed", message: "no" },
    { type: "claim-driver", actor: driver, pid: 2, host: "here", seat: "process" },
    {
      type: "turn-started",
      actor: driver,
      ...who,
      capability: "c",
      session: "s",
      fresh: true,
      tree,
      prompt: "p",
      output: "o",
      seat: "process",
      sandboxed: true,
    },
    { type: "turn-spawned", actor: driver, ...who, pid: 7 },
    { type: "turn-ended", actor: driver, ...who, outcome: "crashed", detail: "exit 1" },
    { type: "pass", actor: agent, summary: "s", digest: "d" },
    { type: "converged", actor: agent, summary: "s", digest: "d" },
    { type: "ask-human", actor: agent, question: "q", digest: "d" },
    { type: "handoff", actor: driver, ...who, ...handoff },
    { type: "gates-ran", actor: driver, tree, results: [], changed: [], put_back: [], output: "o" },
    { type: "package-written", actor: driver, tree, artifact: "a", sha256: "s", digest: "d" },
    { type: "delivered", actor: driver, message: 1, turn: who.turn, status: "sent" },
    reply,
    { type: "resume", actor: operator, message: "" },
    { type: "resume", actor: operator, message: "", tree: "keep" },
    { type: "resume", actor: operator, message: "", tree: { putBack: "p.patch" } },
    { type: "override-scope", actor: operator, paths: ["x"], reason: "r" },
    { type: "approve", actor: operator, digest: "other", tree, message: "" },
    { type: "request-rework", actor: operator, message: "m", reject: false },
    { type: "commit", actor: operator, commit: "c", tree: "other", branch: "b" },
    { type: "finish", actor: driver },
    { type: "tree-changed", actor: driver, expected: "T0", found: "T9", files: ["x"] },
    { type: "watchdog", actor: driver },
    ...wildSteps(state, driver, { a: 1, b: 1 }),
    ...wildSteps(state, driver, { a: 2, b: 2 }),
  ];
};

describe("anything not in the table", () => {
  it.each(lifecycleStates)("is refused in %s", (from) => {
    const scene = scenes[from]();
    for (const command of everything(scene)) {
      const outcome = scene.tries(command);
      const to = scene.after(outcome).state.lifecycle;
      const reached =
        to === from || mayMove(from, to) || transitions[from].some((between) => mayMove(between, to));
      expect(reached, `${from} → ${to} by ${command.type}`).toBe(true);
    }
  });

  it.each(["DONE", "FAILED", "CANCELLED"] as const)("is refused in %s, whatever it is", (final) => {
    const scene = scenes[final]();
    for (const command of [...everything(scene), fail, stop]) {
      // A child that was stopped with its parent may still tell what it used; of any other nothing is heard.
      const code = command.type === "child-reported" ? "child.reported" : "bubble.ended";
      expect(scene.tries(command).refuses(code).written, command.type).toEqual([]);
    }
  });
});

describe("stop", () => {
  it.each(lifecycleStates.filter((state) => !isFinal(state)))("ends a bubble in %s as CANCELLED", (from) => {
    scenes[from]()
      .tries(stop)
      .then([{ type: "CANCELLED", sender: "human", payload: { reason: "enough", via: "terminal" } }])
      .state({ lifecycle: "CANCELLED", questions: [] });
  });

  it("owes nothing afterwards but closing the panes", () => {
    const owed = scenes.CANCELLED().owes("close");
    expect(owed.key).toBe("close");
    scenes.CANCELLED().owesNo("watch-turn").owesNo("notify");
  });
});

describe("the workspace", () => {
  it("is tried three times, then the bubble has failed", () => {
    const failing: Command = {
      type: "workspace-failed",
      actor: driver,
      code: "git.failed",
      message: "no space",
    };
    const scene = scenes.PREPARING_WORKSPACE();
    expect(scene.owes("prepare").key).toBe("prepare.0");
    const twice = scene.does(failing).does(failing).has({ lifecycle: "PREPARING_WORKSPACE" });
    expect(twice.owes("prepare").key).toBe("prepare.2");
    twice
      .tries(failing)
      .then([
        { type: "WORKSPACE_FAILED" },
        { type: "FAILED", payload: { code: "git.failed", message: /no space/ } },
      ]);
    twice.does(failing).owes("notify");
  });

  it("that is ready sends the task and begins round 1", () => {
    scenes
      .PREPARING_WORKSPACE()
      .tries(workspaceReady)
      .then([
        { type: "WORKSPACE_READY" },
        {
          type: "TASK",
          sender: "orchestrator",
          recipient: "alice",
          payload: { title: "Fix cart totals", gates: ["test: npm test"] },
        },
        { type: "STEP_ADVANCED", round: 1, payload: { to: "implement" } },
      ])
      .state({ roundRoleHistory: [{ round: 1, implementer: "alice", reviewer: "bob" }] });
  });
});
