// Two consecutive clean passes by two different agents on one tree: that is what alternation is for.
import { describe, expect, it } from "vitest";
import { listCleanPasses } from "../../../src/core/judge/convergence.ts";
import { wholePackage } from "../../../src/testing/scenario-actors.ts";
import { afterSwap, p1, pair, readyForApproval, underReview } from "../pair.ts";

const speakFor = (role: string) => ({ kind: "operator", via: "terminal", as: role }) as const;

describe("the first clean pass", () => {
  it("swaps the roles and sends the same tree at once to the other agent", () => {
    afterSwap().has({
      round: 2,
      roles: { implementer: "bob", reviewer: "alice" },
      roundRoleHistory: [
        { round: 1, implementer: "alice", reviewer: "bob" },
        { round: 2, implementer: "bob", reviewer: "alice" },
      ],
      turn: { role: "reviewer", agent: "alice", status: "due" },
      tree: { id: "T1", by: "alice" },
    });
  });

  it("is followed by no producer turn and no second gate run", () => {
    const between = afterSwap().log.slice(underReview().reviewerPasses().log.length);
    expect(between.map((envelope) => envelope.type)).toEqual(["HANDOFF", "STEP_ADVANCED", "STEP_ADVANCED"]);
    afterSwap().owes("start-turn");
    afterSwap().owesNo("gates");
  });

  it("is not enough to converge", () => {
    expect(listCleanPasses(afterSwap().state)).toHaveLength(1);
  });
});

describe("the simplest bubble: A implements T1 · B clean · swap · A converged on T1", () => {
  it("ends READY_FOR_APPROVAL with CONVERGENCE, DONE_PACKAGE, APPROVAL_REQUEST in this order", () => {
    const ready = readyForApproval().has({
      lifecycle: "READY_FOR_APPROVAL",
      round: 2,
      approval: { tree: "T1", digest: "digest-1" },
    });
    const protocol = ["TASK", "PASS", "CONVERGENCE", "DONE_PACKAGE", "APPROVAL_REQUEST"];
    expect(ready.types.filter((type) => protocol.includes(type))).toEqual([
      "TASK",
      "PASS",
      "PASS",
      "CONVERGENCE",
      "DONE_PACKAGE",
      "APPROVAL_REQUEST",
    ]);
  });

  it("rests on evidence that stands in the claim itself", () => {
    const { payload, sender } = readyForApproval().last("CONVERGENCE");
    expect(sender).toBe("alice");
    expect(payload.evidence).toMatchObject({
      tree: "T1",
      clean_passes: [
        { agent: "bob", round: 1 },
        { agent: "alice", round: 2 },
      ],
      gates: [{ name: "test", status: "passed" }],
      reviewers: ["bob", "alice"],
    });
  });

  it("tells the human once", () => {
    expect(readyForApproval().owes("notify")).toMatchObject({ event: "converged" });
    readyForApproval().owesNo("package");
  });
});

describe("the second clean pass", () => {
  it("may be typed as pass --no-findings: the referee announces the convergence with both passes", () => {
    const typed = afterSwap().reviews();
    typed.has({ position: { step: "approval", outcome: "converged" } });
    const { sender, payload } = typed.last("CONVERGENCE");
    expect(sender).toBe("orchestrator");
    expect(payload.evidence.clean_passes.map((pass) => pass.agent)).toEqual(["bob", "alice"]);
    expect(typed.packageWritten().state.lifecycle).toBe("READY_FOR_APPROVAL");
  });

  it("that brings a finding hands it to that round's implementer, and the count starts again", () => {
    const found = afterSwap()
      .reviews({ findings: [p1] })
      .has({ round: 3, turn: { role: "implementer", agent: "bob" } });
    const fixed = found.implements("T2").has({ turn: { role: "reviewer", agent: "alice" }, reviews: [] });
    const once = fixed.reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] });
    once.has({ round: 4, turn: { role: "reviewer", agent: "bob" }, position: { outcome: "swap" } });
    once.reviews().has({ position: { step: "approval" } });
  });

  it("does not count when the first critic's finding was closed only in between", () => {
    const withdrawn = afterSwap()
      .reviews({ findings: [p1] })
      .implements("T1", { disputes: [{ id: "F1", reason: "it is net" }], noChange: "fine" })
      .reviews({ noFindings: true, answers: [{ id: "F1", status: "withdrawn", reason: "right" }] });
    withdrawn.has({ position: { step: "review", outcome: "swap" }, turn: { agent: "bob" } });
  });
});

describe("any change of the tree", () => {
  it("starts the count again", () => {
    const reworked = readyForApproval().reworks("rename it").implements("T2");
    reworked.has({ reviews: [], turn: { role: "reviewer", agent: "alice" } });
    reworked.reviews().has({ position: { outcome: "swap" }, turn: { agent: "bob" } });
  });

  it("does not start it again when only the package was missing", () => {
    const { commit_message: _missing, ...rest } = wholePackage;
    const clean = underReview({}).state;
    expect(clean.package).toEqual(wholePackage);
    const bare = pair().started().implements("T1", { package: rest }).reviews().reviews();
    bare.has({ position: { step: "implement", outcome: "package", why: /commit_message/ }, round: 3 });
    bare.implements("T1", { package: { commit_message: "fix: totals" } }).has({
      position: { step: "approval" },
      package: wholePackage.what ? { what: wholePackage.what, commit_message: "fix: totals" } : {},
    });
  });
});

describe("one configured agent", () => {
  const alone = { config: { agents: { implementer: "solo", reviewer: "solo" } } };

  it("reviews twice in fresh sessions, which is recorded as weak alternation", () => {
    const ready = readyForApproval(alone);
    expect(ready.last("CONVERGENCE").payload.evidence).toMatchObject({
      weak_alternation: true,
      clean_passes: [{ agent: "solo" }, { agent: "solo" }],
    });
    ready.has({ convergence: { weak: true } });
  });

  it("is shown in the package", () => {
    expect(readyForApproval(alone).last("DONE_PACKAGE").payload.weak.join()).toMatch(/weak alternation/);
    expect(readyForApproval().last("DONE_PACKAGE").payload.weak).toEqual([
      "reviews need no evidence here (review.require_evidence = false)",
    ]);
  });
});

describe("an operator's pass on an agent's behalf", () => {
  it("is recorded and counts as no clean pass: the same critic is asked again", () => {
    const spoken = underReview()
      .does({
        type: "pass",
        actor: speakFor("reviewer"),
        summary: "looks fine",
        digest: "d",
        noFindings: true,
      })
      .handsOver();
    spoken.has({
      reviews: [{ agent: "bob", byOperator: true, clean: false }],
      round: 1,
      turn: { role: "reviewer", agent: "bob" },
      position: { step: "review", outcome: "review" },
    });
    spoken.reviews().has({ position: { outcome: "swap" } });
  });

  it("can never be the converging one", () => {
    afterSwap()
      .tries({ type: "converged", actor: speakFor("reviewer"), summary: "fine", digest: "d" })
      .refuses("convergence.not-met", { details: /0 of 2 clean passes/ });
  });

  it("may carry findings, which count", () => {
    underReview()
      .does({ type: "pass", actor: speakFor("reviewer"), summary: "look", digest: "d", findings: [p1] })
      .handsOver()
      .has({ findings: [{ id: "F1", status: "open" }], turn: { role: "implementer" } });
  });

  it("may hand over an implementer's work", () => {
    pair()
      .started()
      .does({
        type: "pass",
        actor: speakFor("implementer"),
        summary: "by hand",
        digest: "d",
        package: wholePackage,
      })
      .handsOver("T1")
      .gatesPass()
      .has({ tree: { id: "T1", by: "alice" }, turn: { role: "reviewer" } });
  });
});
