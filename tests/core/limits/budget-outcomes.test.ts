// How a spent budget ends: accepted as it is, continued with the same budget once more, or given up.
import { describe, expect, it } from "vitest";
import { findMinutesEnd } from "../../../src/core/limits/budget.ts";
import { parseTime } from "../../../src/core/model/value/time.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { p1, pair, underReview } from "../pair.ts";

const look = { type: "check-budget", actor: driver } as const;
const reply = { type: "reply", actor: operator, message: "" } as const;
const tokens = (max: number) => ({ config: { budget: { max_tokens: max } } });
const much = { input: 900, output: 100 };
const minutesOf = (scene: Scenario, from: string) => (parseTime(scene.at) - parseTime(from)) / 60_000;

/** Alice is at work on her first turn and has used a thousand tokens, which is all there is. */
const spent = () => pair(tokens(1000)).started().atWork().uses(much);
/** The same in bob's review of T1, after F1 was found in round 1 and alice made T2. */
const spentInReview = (findings = [p1]) =>
  underReview(tokens(1000)).reviews({ findings }).implements("T2").atWork().uses(much).budgetIsChecked();

describe("continue", () => {
  const more = () => spent().budgetIsChecked().replies({ choice: "continue", message: "be brief" });

  it("grants the same budget once more, and the turn continues in its session with the human's words", () => {
    more().has({
      lifecycle: "RUNNING",
      extraBudgets: 1,
      turn: { id: "t1", status: "due", attempt: 1, failures: 0 },
      deliveries: [{ text: "be brief", turn: "t1" }],
    });
    expect(more().last("HUMAN_REPLY").payload).toMatchObject({ choice: "continue", budgets: 1 });
    more().tries(look).refuses("driver.not-due");
  });

  it("grants it once: at the end of that a human is asked again", () => {
    const again = more().turnStarts();
    again.uses({ input: 999, output: 0 }).tries(look).refuses("driver.not-due");
    const twice = again.uses({ input: 1000, output: 0 }).budgetIsChecked();
    twice.has({ questions: [{ kind: "budget", text: /2000 of 2000 tokens/ }] });
    twice.replies({ choice: "continue" }).has({ extraBudgets: 2, lifecycle: "RUNNING" });
  });

  it("grants no round, unless a number is given", () => {
    more().has({ extraRounds: 0 });
    const last = underReview({ config: { max_rounds: 1, budget: { max_tokens: 1000 } } })
      .atWork()
      .uses(much)
      .budgetIsChecked();
    last.replies({ choice: "continue" }).has({ extraRounds: 0, round: 1, turn: { role: "reviewer" } });
    last.replies({ choice: "continue", rounds: 2 }).has({ extraRounds: 2 });
  });

  it("moves the moment at which the minutes end", () => {
    const config = { budget: { max_minutes: 30 } };
    const scene = pair({ config }).started().atWork();
    const { startedAt = "" } = scene.turn;
    expect(findMinutesEnd(scene.state)).toBe(parseTime(startedAt) + 30 * 60_000);
    const second = scene.minutesLater(31).budgetIsChecked().replies({ choice: "continue" }).turnStarts();
    const left = 60 - minutesOf(scene.minutesLater(31), startedAt);
    expect(findMinutesEnd(second.state)).toBeCloseTo(
      parseTime(second.turn.startedAt ?? "") + left * 60_000,
      0,
    );
  });
});

describe("accept", () => {
  const accept = { ...reply, choice: "accept", message: "good enough" };

  it("waives the open findings with the reason and asks for approval of the last tree", () => {
    const accepted = spentInReview().does(accept);
    accepted.has({
      lifecycle: "RUNNING",
      position: { step: "approval" },
      findings: [{ id: "F1", status: "waived", closedBecause: "good enough" }],
    });
    const ready = accepted
      .packageWritten()
      .has({ lifecycle: "READY_FOR_APPROVAL", approval: { tree: "T2" } });
    expect(ready.last("DONE_PACKAGE").payload.weak).toContain("accepted by a human without convergence");
    expect(ready.types).not.toContain("CONVERGENCE");
  });

  it("needs a reason", () => {
    spentInReview()
      .tries({ ...accept, message: " " })
      .refuses("reply.no-reason");
  });

  it("is not offered without a tree, and refused whatever gates are waived", () => {
    const none = spent().budgetIsChecked();
    none.tries(accept).refuses("reply.unknown-choice", { hint: /continue \| reject/ });
    none.tries({ ...accept, waiveGates: ["test"] }).refuses("reply.unknown-choice");
  });

  it("is refused with red gates, unless they are waived by name", () => {
    const red = pair(tokens(1000))
      .started()
      .implementerPasses()
      .handsOver("T1")
      .gatesFail()
      .atWork()
      .uses(much)
      .budgetIsChecked();
    red.tries(accept).refuses("reply.red-gates", { hint: /--waive-gate test/ });
    red
      .does({ ...accept, waiveGates: ["test"] })
      .has({ position: { step: "approval" }, waivedGates: ["test"] });
  });

  it("leaves no finding open behind its back", () => {
    const two = spentInReview([p1, { ...p1, title: "Second" }]);
    two.has({ questions: [{ findings: ["F1", "F2"] }] });
    two.tries({ ...accept, findings: ["F1"] }).refuses("reply.findings-left", { message: /F2/ });
  });

  it("ends the turn for good: what its agent says later counts for nothing", () => {
    const scene = underReview(tokens(1000)).atWork().uses(much);
    const pass = scene.pass({ findings: [p1] });
    scene.budgetIsChecked().does(accept).tries(pass).refuses("turn.ended");
  });
});

describe("reject", () => {
  it("ends the bubble as CANCELLED, with the reason", () => {
    spent()
      .budgetIsChecked()
      .tries({ ...reply, choice: "reject", message: "too dear" })
      .then([
        { type: "HUMAN_REPLY" },
        { type: "CANCELLED", payload: { reason: /reject: too dear/, via: "terminal" } },
      ])
      .state({ lifecycle: "CANCELLED", questions: [] });
  });
});
