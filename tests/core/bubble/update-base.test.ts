// The base branch moved while a bubble was at work: its newest commit is merged, and everything is judged once more.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { listRedOnBase } from "../../../src/core/judge/gate-runs/base.ts";
import type { CommandOf } from "../../../src/core/model/command.ts";
import type { GateResult } from "../../../src/core/model/gate.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { readyForApproval, underReview } from "../pair.ts";

const wanted = { type: "update-base", actor: operator, branch: "main", to: "base-2", tree: "T1" } as const;
const updated: CommandOf<"base-updated"> = {
  type: "base-updated",
  actor: driver,
  ...{ to: "base-2", tree: "T2", commit: "c2", ref: "r2" },
  files: [{ path: "src/cart.ts", status: "modified", added: 2, removed: 1 }],
  touched: [],
  conflicts: [],
};
const owed = ({ state }: Pick<Scenario, "state">) => listDueEffects(state).map(({ kind }) => kind);
const asked = () => readyForApproval().does(wanted);

describe("a base that moved", () => {
  it("is merged before anything else, and there is nothing to sign meanwhile", () => {
    const state = asked().has({ lifecycle: "RUNNING", reviews: [] }).state;
    expect(state.approval).toBeUndefined();
    expect(owed({ state })).toEqual(["update-base"]);
  });

  it("is judged like a handoff: gates first, then both agents again, in a new round", () => {
    asked()
      .tries(updated)
      .then([
        { type: "BASE_UPDATED", payload: { from: "base", to: "base-2", tree: "T2" } },
        { type: "STEP_ADVANCED", payload: { outcome: "updated", to: "gates", round: 3 } },
      ])
      .state({ baseCommit: "base-2", tree: { id: "T2", by: "alice" }, reviews: [], lifecycle: "RUNNING" });
  });

  it("where the gates were asked about the base before, they are asked about the new one before anything else", () => {
    const at = asked().does({ ...updated, base: "B2" });
    expect(owed(at)).toEqual(["base-gates"]);
    const judged = at.does(at.baseGates({ test: "failed" }));
    expect(listRedOnBase(judged.state)).toEqual(["test"]);
    expect(owed(judged)).toContain("gates");
    const results: GateResult[] = [
      { name: "test", command: "cargo test", required: true, status: "error", missing: "cargo" },
    ].map((one) => ({ exit_code: 127, duration_ms: 1, excerpt: "", ...one }) as GateResult);
    const asks = at.does(at.baseGates({}, { results })).has({ lifecycle: "WAITING_HUMAN" });
    expect(asks.state.questions.at(-1)?.text).toContain("The work waits");
    expect(owed(asks.replies({ choice: "again", message: "" }))).toEqual(["base-gates"]);
    expect(owed(asks.replies({ choice: "start", message: "" }))).toContain("gates");
  });

  it("with conflicts goes to the producer first, who is told the files", () => {
    asked()
      .tries({ ...updated, conflicts: ["src/cart.ts"] })
      .then([
        { type: "BASE_UPDATED", payload: { conflicts: ["src/cart.ts"] } },
        { type: "STEP_ADVANCED", payload: { to: "implement", why: /with conflicts in src\/cart\.ts/ } },
      ])
      .state({ turn: { role: "implementer" }, tree: { conflicts: ["src/cart.ts"] } });
  });

  it("grants a round where none is left", () => {
    const last = readyForApproval({ config: { max_rounds: 2 } }).does(wanted);
    last.does(updated).has({ round: 3, extraRounds: 1 });
  });
});

describe("refused is", () => {
  it("a base that has not moved, another tree than the reviewed one, and a bubble that asks for nothing", () => {
    const at = readyForApproval();
    at.tries({ ...wanted, to: at.state.baseCommit }).refuses("update.not-moved");
    at.tries({ ...wanted, tree: "T9" }).refuses("update.tree-changed");
    underReview().tries(wanted).refuses("update.wrong-state");
    readyForApproval().approves().tries(wanted).refuses("update.wrong-state");
  });

  it("a merge that nobody asked for, that is of another commit, or that comes twice", () => {
    readyForApproval().tries(updated).refuses("driver.not-due");
    asked()
      .tries({ ...updated, to: "base-3" })
      .refuses("driver.not-due");
    asked().does(updated).tries(updated).refuses("driver.not-due");
  });

  it("a driver that wants it by itself", () => {
    readyForApproval()
      .tries({ ...wanted, actor: driver })
      .refuses("operator.driver");
  });
});
