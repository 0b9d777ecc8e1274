// The gate run that an approval rests on: when it is owed, and what each result leads to.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { afterSwap, beforeFinalGates } from "../pair.ts";

const owed = ({ state }: Scenario) => listDueEffects(state).map(({ kind }) => kind);
const red = (scene: Scenario) => scene.does(scene.finalGates({ test: "failed" }));
const question = ({ state }: Scenario) => state.questions.at(-1);
const keys = (scene: Scenario) => question(scene)?.options?.map(({ key }) => key);

describe("before anybody is asked to approve", () => {
  it("the gates run on a clean checkout, and the package is refused until they have", () => {
    const scene = beforeFinalGates();
    expect(owed(scene)).toEqual(["final-gates"]);
    scene
      .tries({
        type: "package-written",
        actor: { kind: "driver", id: "d1" },
        tree: scene.state.tree?.id ?? "",
        artifact: "a",
        sha256: "s",
        digest: "d",
      })
      .refuses("driver.not-due");
    expect(owed(scene.finallyGreen())).toEqual(["package"]);
  });

  it("a run of another tree is refused", () => {
    const scene = beforeFinalGates();
    scene.tries({ ...scene.finalGates(), tree: "T9" } as never).refuses("driver.not-due");
  });

  it("nothing more is owed where somebody switched it off", () => {
    expect(owed(beforeFinalGates({ config: { final_gates: "worktree" } }))).toEqual(["package"]);
  });
});

describe("a red final run", () => {
  it("goes to the producer with a new round, and its reviews count no more on the new tree", () => {
    const before = beforeFinalGates();
    const scene = red(before);
    expect(scene.state.round).toBe(before.state.round + 1);
    expect(scene.state.turn).toMatchObject({ role: "implementer", status: "due" });
    expect(scene.state.turn?.why).toContain("test failed on a clean checkout of exactly this tree");
    expect(scene.implements("T2").state.reviews).toEqual([]);
  });

  it("on the same tree again is a human's question, which names the gate", () => {
    const once = red(beforeFinalGates()).implementerPasses({ noChange: "it is green here" }).handsOver("T1");
    const again = red(once.gatesPass());
    expect(again.state.lifecycle).toBe("WAITING_HUMAN");
    expect(question(again)).toMatchObject({ kind: "final-gates", gates: ["test"] });
    expect(keys(again)).toEqual(["again", "waive", "rework", "reject"]);
  });

  it("of accepted work asks whoever accepted it, and sends nobody back to work", () => {
    const exhausted = afterSwap({ config: { max_rounds: 2 } }).reviews({
      findings: [{ severity: "P1", title: "Total is wrong", file: "src/cart.ts", line: 1, evidence: "x" }],
    });
    const accepted = exhausted.replies({ choice: "accept", message: "good enough" });
    expect(red(accepted).state.lifecycle).toBe("WAITING_HUMAN");
  });

  it("uses up the rounds like any other", () => {
    const scene = red(beforeFinalGates({ config: { max_rounds: 2 } }));
    expect(scene.state.position.step).toBe("exhausted");
  });
});

describe("the answers to its question", () => {
  const asked = (config: object = {}) => {
    const scene = beforeFinalGates({ config });
    return scene.does(
      scene.finalGates({}, { results: [], clean: { included: [], problem: "setup failed" } }),
    );
  };

  it("again runs it again", () => {
    expect(owed(asked().replies({ choice: "again", message: "" }))).toEqual(["final-gates"]);
  });

  it("waive needs a reason, and then the package is owed", () => {
    asked()
      .tries({ type: "reply", actor: { kind: "operator", via: "terminal" }, choice: "waive", message: "" })
      .refuses("reply.no-reason");
    const scene = asked().replies({ choice: "waive", message: "known" });
    expect(owed(scene)).toEqual(["package"]);
    expect(scene.state.gateWaivers).toEqual({ test: "known" });
  });

  it("rework begins a round of the producer", () => {
    expect(asked().replies({ choice: "rework", message: "fix it" }).state.turn?.role).toBe("implementer");
  });

  it("rework grants a round where all are used", () => {
    const { state } = asked({ max_rounds: 2 }).replies({ choice: "rework", message: "fix it" });
    expect(state).toMatchObject({ round: 3, extraRounds: 1, turn: { role: "implementer" } });
  });

  it("reject ends the bubble", () => {
    expect(asked().replies({ choice: "reject", message: "no" }).state.lifecycle).toBe("CANCELLED");
  });
});

it("gates that change what they judge there are a question", () => {
  const scene = beforeFinalGates();
  const changed = scene.does(scene.finalGates({}, { changed: ["src/cart.ts"] }));
  expect(question(changed)?.text).toContain("src/cart.ts");
});
