// Gates that are flaky, killed or write: each has a reaction of its own, and each reaction has an end.
import { describe, expect, it } from "vitest";
import { listRedGates } from "../../../src/core/judge/convergence.ts";
import { mustWatchEachGate, selectGatesToRun } from "../../../src/core/judge/gate-runs/repeated.ts";
import type { GateResult } from "../../../src/core/model/gate.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { pair, testGate } from "../pair.ts";

const lint = { name: "lint", command: "biome check", required: true, timeout_seconds: 60 };
const handed = (options = {}) => pair(options).started().implementerPasses().handsOver("T1");
const unchanged = (scene: Scenario) =>
  scene.implementerPasses({ noChange: "it is not mine" }).handsOver("T1");
const result = (name: string, more: Partial<GateResult> = {}): GateResult => ({
  name,
  command: name,
  required: true,
  status: "passed",
  exit_code: 0,
  duration_ms: 5,
  excerpt: "",
  ...more,
});
const killed = { status: "error", exit_code: null, signal: "SIGKILL", hint: "killed by SIGKILL" } as const;
const runs = (scene: Scenario, ...results: GateResult[]) => scene.does(scene.gateRun({}, { results }));
const lines = (scene: Scenario) => explain(scene.log).map(({ text }) => text);

describe("a flaky gate", () => {
  const flaky = () => unchanged(handed({ gates: [testGate, lint] }).gatesFail("test"));

  it("is run alone, once more, when the producer says that nothing needs to change", () => {
    expect(selectGatesToRun(flaky().state)).toEqual(new Set(["test"]));
  });

  it("that is green then continues, in the same round, and is called flaky", () => {
    const green = runs(flaky(), result("test"));
    green.has({
      round: 2,
      turn: { role: "reviewer" },
      gates: { results: [{ name: "test", flaky: true }, { name: "lint" }] },
    });
    expect(lines(green).join("\n")).toMatch(/test is flaky: it failed and then passed on the same tree/);
  });

  it("stays named when its tree is judged for approval", () => {
    expect(runs(flaky(), result("test")).state.gates?.results[0]?.flaky).toBe(true);
  });

  it("that is red again asks a human, with answers that are all accepted", () => {
    const asked = runs(flaky(), result("test", { status: "failed", exit_code: 1 }));
    const keys = asked.state.questions[0]?.options?.map(({ key }) => key);
    expect(keys).toEqual(["again", "waive", "rework", "reject"]);
    asked
      .replies({ choice: "again" })
      .has({ lifecycle: "RUNNING", position: { step: "gates" } })
      .owes("gates");
    asked
      .replies({ choice: "rework", message: "look at the clock" })
      .has({ round: 3, turn: { role: "implementer" } });
    asked.replies({ choice: "reject", message: "no" }).has({ lifecycle: "CANCELLED" });
    asked
      .replies({ choice: "waive", message: "it needs a network that CI has" })
      .has({ lifecycle: "RUNNING", turn: { role: "reviewer" } });
  });

  it("is waived only with a reason", () => {
    const asked = runs(flaky(), result("test", { status: "failed", exit_code: 1 }));
    asked.tries({ type: "reply", actor: operator, choice: "waive", message: "" }).refuses("reply.no-reason");
  });

  it("that a human runs again and that is green then is flaky too", () => {
    const asked = runs(flaky(), result("test", { status: "failed", exit_code: 1 }));
    runs(asked.replies({ choice: "again" }), result("test")).has({
      turn: { role: "reviewer" },
      gates: {
        results: [
          { name: "test", flaky: true },
          { name: "lint", status: "passed" },
        ],
      },
    });
  });
});

describe("a waiver", () => {
  const waived = () =>
    runs(unchanged(handed().gatesFail()), result("test", { status: "failed" })).replies({
      choice: "waive",
      message: "known",
    });

  it("given at the question holds for later trees", () => {
    const later = waived()
      .reviews({
        findings: [
          {
            severity: "P1",
            area: "correctness",
            title: "wrong",
            file: "src/cart.ts",
            line: 1,
            evidence: "x",
          },
        ],
      })
      .implementerPasses()
      .handsOver("T2");
    expect(listRedGates(later.state)).toEqual([]);
    runs(later, result("test", { status: "failed" })).has({ turn: { role: "reviewer" } });
  });

  it("of a gate that cannot run holds when its tree comes back", () => {
    const broken = runs(handed(), result("test", { status: "error", hint: "no tool" })).replies({
      choice: "waive",
      message: "no such tool here",
    });
    broken.has({ turn: { role: "reviewer" } });
    expect(selectGatesToRun(broken.state)).toBeUndefined();
  });

  it("by command answers the open question about the gate", () => {
    const asked = runs(handed(), result("test", { status: "error", hint: "no tool" }));
    asked.has({ lifecycle: "WAITING_HUMAN" });
    asked
      .does({ type: "waive", actor: operator, gates: ["test"], reason: "no such tool here" })
      .has({ lifecycle: "RUNNING", turn: { role: "reviewer" }, questions: [] });
  });

  it("of the commit-msg hook holds while another message is not judged yet", () => {
    const hooked = handed();
    const hook = result("hook:commit-msg", { status: "failed" });
    const red = hooked.does(hooked.gateRun({}, { results: [result("test"), hook], commit_message: "one" }));
    const signed = red.does({
      type: "waive",
      actor: operator,
      gates: ["hook:commit-msg"],
      reason: "by hand",
    });
    expect(
      listRedGates({ ...signed.state, package: { ...signed.state.package, commit_message: "two" } } as never),
    ).toEqual(["test"]);
  });
});

describe("a gate that was killed", () => {
  it("is run once more without a round, alone, and nobody is asked", () => {
    const once = runs(handed({ gates: [testGate, lint] }), result("test", killed), result("lint"));
    once.has({ lifecycle: "RUNNING", round: 1, position: { step: "gates" } });
    expect(selectGatesToRun(once.state)).toEqual(new Set(["test"]));
    runs(once, result("test")).has({ round: 1, turn: { role: "reviewer" } });
    expect(lines(once).join("\n")).toMatch(/test was killed by SIGKILL, and is run once more/);
  });

  it("twice goes to a human who is told the signal", () => {
    const once = runs(handed(), result("test", killed));
    runs(once, result("test", killed)).has({
      lifecycle: "WAITING_HUMAN",
      round: 1,
      questions: [{ kind: "gates", text: /test: killed by SIGKILL/, gates: ["test"] }],
    });
  });

  it("and is only optional stops nothing", () => {
    const scene = handed({ gates: [testGate, { ...lint, required: false }] });
    runs(scene, result("test"), result("lint", { ...killed, required: false })).has({
      turn: { role: "reviewer" },
    });
  });

  it("beside one that failed leaves the failure to the producer", () => {
    const both = runs(
      handed({ gates: [testGate, lint] }),
      result("test", killed),
      result("lint", { status: "failed" }),
    );
    runs(both, result("test")).has({ round: 2, turn: { role: "implementer", why: /lint failed/ } });
  });
});

describe("a gate that writes", () => {
  const wrote: Partial<GateResult> = {
    status: "failed",
    wrote: ["src/cart.ts"],
    patch: "round-001.gates-lint.patch",
  };
  const voided = () => {
    const scene = handed({ gates: [testGate, lint] });
    return scene.does(scene.gateRun({}, { changed: ["src/cart.ts"] }));
  };

  it("is looked for in the next run", () => {
    expect(mustWatchEachGate(handed().state)).toBe(false);
    expect(mustWatchEachGate(voided().state)).toBe(true);
  });

  it("is the producer's to answer once, while the other gates count", () => {
    runs(voided(), result("test"), result("lint", wrote)).has({
      round: 2,
      turn: { role: "implementer", why: /lint failed on this tree/ },
    });
  });

  it("and writes into the next tree too is a human's business", () => {
    const offered = runs(voided(), result("test"), result("lint", wrote)).implementerPasses().handsOver("T2");
    runs(offered, result("test"), result("lint", wrote)).has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "gates", text: /lint changes the files it judges/, gates: ["lint"] }],
    });
  });

  it("and is waived stops nothing any more, on this tree and the next", () => {
    const offered = runs(voided(), result("test"), result("lint", wrote)).implementerPasses().handsOver("T2");
    const asked = runs(offered, result("test"), result("lint", wrote));
    const signed = asked.replies({ choice: "waive", message: "it formats on purpose" });
    signed.has({ lifecycle: "RUNNING", turn: { role: "reviewer" } });
    expect(listRedGates(signed.state)).toEqual([]);
  });
});

describe("rounds that end with red gates", () => {
  it("ask with the names of the gates, and say what accepting needs", () => {
    let scene = handed({ config: { max_rounds: 2 } }).gatesFail();
    scene = scene.implementerPasses().handsOver("T2").gatesFail();
    scene.has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "exhausted", text: /not green on this tree: test, so nobody has reviewed it/ }],
    });
    const accept = scene.state.questions[0]?.options?.find(({ key }) => key === "accept");
    expect(accept?.does).toContain("--waive-gate test");
  });
});
