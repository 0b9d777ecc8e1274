// Gates first: a critic is never asked about a tree whose required gates fail, and evidence counts only for its tree.
import { describe, expect, it } from "vitest";
import { listRedGates } from "../../../src/core/judge/convergence.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import { driver, operator, wholePackage } from "../../../src/testing/scenario-actors.ts";
import { p1, pair, testGate, underReview } from "../pair.ts";

const lint = { name: "lint", command: "biome check", required: false, timeout_seconds: 60 };
const handed = (options = {}) => pair(options).started().implementerPasses().handsOver("T1");
const reply = { type: "reply", actor: operator, message: "" } as const;

describe("green gates", () => {
  it("send the tree to the critic", () => {
    handed()
      .gatesPass()
      .has({ round: 1, turn: { role: "reviewer", agent: "bob" }, position: { step: "review" } });
  });

  it("are due once for a tree, under a key that a replay gives again", () => {
    const scene = handed();
    expect(scene.owes("gates")).toMatchObject({ kind: "gates", tree: "T1" });
    scene.gatesPass().owesNo("gates");
  });

  it("of an optional gate are not needed", () => {
    const gates = [testGate, lint];
    const scene = handed({ gates });
    scene.does(scene.gateRun({ lint: "failed" })).has({ turn: { role: "reviewer" } });
  });

  it("are reported for another tree in vain", () => {
    const scene = handed();
    scene.tries({ ...scene.gateRun({}), tree: "T0" } as never).refuses("driver.not-due");
  });

  it("are reported twice in vain", () => {
    const scene = handed();
    const ran = scene.gateRun({});
    scene.does(ran).tries(ran).refuses("driver.not-due");
  });
});

describe("a red required gate", () => {
  it.each(["failed", "timeout"] as const)(
    "(%s) goes back to the producer with the round spent; the critic is not asked",
    (status) => {
      const scene = handed();
      const red = scene.does(scene.gateRun({ test: status }));
      red.has({
        round: 2,
        turn: {
          role: "implementer",
          agent: "alice",
          why: /test failed on this tree; the reviewer was not asked/,
        },
        lifecycle: "RUNNING",
      });
      expect(red.log.filter((envelope) => envelope.type === "TURN_STARTED")).toHaveLength(1);
    },
  );

  it("that has no result at all counts as red", () => {
    const scene = handed();
    scene.does(scene.gateRun({}, { results: [] })).has({ turn: { role: "implementer" }, round: 2 });
  });

  it("of the repository's own hooks counts as well", () => {
    const scene = handed();
    const hook = {
      name: "hook:pre-commit",
      command: "git hook run pre-commit",
      required: true,
      status: "failed" as const,
      exit_code: 1,
      duration_ms: 5,
      excerpt: "no",
    };
    const green = {
      name: "test",
      command: "npm test",
      required: true,
      status: "passed" as const,
      exit_code: 0,
      duration_ms: 5,
      excerpt: "",
    };
    const sentBack = scene.does(scene.gateRun({}, { results: [green, hook] }));
    sentBack.has({ turn: { role: "implementer", why: /hook:pre-commit failed/ } });
    // A screen that lists only the gates of the profile would show nothing but green.
    const { list } = buildStatusView(sentBack.state, { now: sentBack.state.lastAt }).gates;
    expect(list.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "test passed",
      "hook:pre-commit failed",
    ]);
  });

  it("is run once more when the same tree is handed over again, and then a human is asked by its name", () => {
    const again = handed()
      .gatesFail()
      .implementerPasses({ noChange: "it is flaky", package: wholePackage })
      .handsOver("T1");
    again.has({ round: 2, position: { step: "gates" } });
    again.gatesFail().has({
      lifecycle: "WAITING_HUMAN",
      round: 2,
      questions: [
        { kind: "gates", text: /test failed again on the same tree .*it is flaky/, gates: ["test"] },
      ],
    });
  });
});

describe("gate results of a tree", () => {
  it("are used again when the same tree comes back", () => {
    const disputed = underReview()
      .reviews({ findings: [p1] })
      .implementerPasses({ disputes: [{ id: "F1", reason: "net" }] })
      .handsOver("T1");
    disputed.has({ turn: { role: "reviewer" } });
    expect(disputed.log.filter((envelope) => envelope.type === "GATES_RESULT")).toHaveLength(1);
  });

  it("do not count for another tree", () => {
    const changed = underReview()
      .reviews({ findings: [p1] })
      .implementerPasses()
      .handsOver("T2");
    expect(listRedGates(changed.state)).toEqual(["test"]);
    changed.owes("gates");
  });
});

describe("gates that change the tree they judge", () => {
  const changing = (scene = handed()) => scene.does(scene.gateRun({}, { changed: ["src/cart.ts"] }));

  it("are void once and run again", () => {
    const once = changing();
    once.has({ lifecycle: "RUNNING", gates: { void: true, attempt: 1 }, position: { step: "gates" } });
    expect(once.owes("gates").key).not.toBe(handed().owes("gates").key);
    once.gatesPass().has({ turn: { role: "reviewer" } });
  });

  it("and do it twice are a human's business", () => {
    changing(changing()).has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "gates", text: /changes files of the tree .*\(src\/cart\.ts\)/ }],
    });
  });

  it("may be run again when the human has mended them", () => {
    const mended = changing(changing()).replies({ message: "formatter is off now" });
    mended.has({ lifecycle: "RUNNING" });
    mended.gatesPass().has({ turn: { role: "reviewer" } });
  });

  it("but only left new files behind, which were put back, stand", () => {
    const scene = handed();
    scene
      .does(scene.gateRun({}, { put_back: ["coverage/index.html"] }))
      .has({ turn: { role: "reviewer" }, gates: { void: false } });
  });
});

describe("a required gate that cannot run", () => {
  const broken = () => {
    const scene = handed();
    const run = scene.gateRun({ test: "error" });
    return scene.does(run);
  };

  it("is never a pass and never the producer's fault: a human is asked", () => {
    broken().has({
      lifecycle: "WAITING_HUMAN",
      round: 1,
      questions: [{ kind: "gates", text: /cannot run \(test/ }],
    });
  });

  it("runs again on the same tree after an answer, plain words included", () => {
    const answered = broken().does({ ...reply, message: "installed it" });
    answered.has({ lifecycle: "RUNNING", position: { step: "gates", outcome: "retry" } });
    answered.gatesPass().has({ turn: { role: "reviewer" } });
  });

  it("runs again after a plain resume: the bubble is not left without anything to do", () => {
    const resumed = broken().resumes();
    resumed.has({ lifecycle: "RUNNING" });
    resumed.gatesPass().has({ turn: { role: "reviewer" } });
  });

  it("is not waived by a reply", () => {
    broken()
      .tries({ ...reply, choice: "again", waiveGates: ["test"] })
      .refuses("reply.waive-gate");
  });

  it("only matters when it is required", () => {
    const scene = handed({ gates: [testGate, lint] });
    scene.does(scene.gateRun({ lint: "error" })).has({ turn: { role: "reviewer" } });
  });
});

describe("a gate result", () => {
  it("that arrives while a human is asked does not move the bubble", () => {
    const scene = handed();
    const run = scene.gateRun({});
    const asked = scene.does({
      type: "tree-changed",
      actor: driver,
      expected: "T1",
      found: "T9",
      files: ["notes.txt"],
    });
    asked.tries(run).refuses("driver.not-due");
    asked
      .resumes({ tree: { putBack: "p.patch" } })
      .gatesPass()
      .has({ turn: { role: "reviewer" } });
  });

  it("keeps its output within what a line holds, whatever the gates print", () => {
    const gates = Array.from({ length: 12 }, (_, i) => ({ ...testGate, name: `gate-${i}` }));
    const scene = handed({ gates });
    const run = scene.gateRun({});
    const results = gates.map(({ name, command }) => ({
      name,
      command,
      required: true,
      status: "failed" as const,
      exit_code: 1,
      duration_ms: 1,
      excerpt: `start${"é".repeat(7980)}end`,
    }));
    const red = scene.does({ ...run, results } as never);
    const line = red.last("GATES_RESULT");
    expect(new TextEncoder().encode(JSON.stringify(line)).length).toBeLessThan(60_000);
    expect(line.payload.results.every((result) => result.excerpt.endsWith("end"))).toBe(true);
  });
});
