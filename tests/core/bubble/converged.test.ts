// `converged`: only the current reviewer, only when everything else is already true; a refused claim is on the record.
import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/core/model/command.ts";
import { Scenario } from "../../../src/testing/scenario.ts";
import { afterSwap, p1, p3, pair, testGate, underReview } from "../pair.ts";

const claim = (scene: Scenario): Command => scene.converged();
const secondReviewer = () => afterSwap().atWork();

describe("converged is refused", () => {
  it("when the claimant is not the reviewer", () => {
    const scene = pair().started().atWork();
    scene
      .tries(claim(scene))
      .refuses("convergence.not-reviewer", { message: /alice is the implementer/ })
      .leaves([{ type: "WARNING", payload: { code: "convergence.not-reviewer", agent: "alice" } }]);
  });

  // The specification, phase 1, acceptance 6.
  it("when reviewer-role alternation evidence is missing in round_role_history", () => {
    const scene = underReview().atWork();
    expect(scene.state.roundRoleHistory).toEqual([{ round: 1, implementer: "alice", reviewer: "bob" }]);
    scene
      .tries(claim(scene))
      .refuses("convergence.no-alternation", { details: /no reviewer-role alternation yet/ })
      .leaves([
        {
          type: "WARNING",
          sender: "orchestrator",
          payload: {
            code: "convergence.no-alternation",
            agent: "bob",
            details: [/1 of 2 clean passes/, /alternation/],
          },
        },
      ])
      .state({ lifecycle: "RUNNING", turn: { status: "running" } });
  });

  it("while a finding is open, naming what is missing and the command to paste", () => {
    const scene = afterSwap()
      .reviews({ findings: [p1] })
      .implements("T2")
      .atWork();
    scene
      .tries(claim(scene))
      .refuses("convergence.open-findings", {
        details: /open finding F1 P1 Total ignores discount {2}src\/cart\.ts:41\n0 of 2 clean passes/,
        hint: /^pairflow pass .*--fixed F1/,
      })
      .leaves([{ type: "WARNING" }]);
  });

  it("while the claimant itself says that a finding is open", () => {
    const scene = afterSwap()
      .reviews({ findings: [p1] })
      .implements("T2")
      .atWork();
    scene
      .tries(scene.converged({ answers: [{ id: "F1", status: "open" }] }))
      .refuses("convergence.open-findings", { hint: /^pairflow pass .*--open F1/ });
  });

  it("when it brings findings", () => {
    const scene = secondReviewer();
    scene
      .tries(scene.converged({ findings: [p3] }))
      .refuses("convergence.with-findings", { hint: /--finding/ });
  });

  it("while a package part is missing", () => {
    const scene = pair()
      .started()
      .implements("T1", { package: { what: "x", why: "y" } })
      .reviews()
      .atWork();
    scene
      .tries(claim(scene))
      .refuses("convergence.not-met", { details: /package lacks: risks, test_plan, commit_message/ });
  });

  it("while the gates of this tree are not green", () => {
    // Only a damaged record can show a critic's turn on a red tree; the rule does not rely on the route.
    const scene = afterSwap();
    const log = scene.log.map((envelope) =>
      envelope.type === "GATES_RESULT"
        ? {
            ...envelope,
            payload: {
              ...envelope.payload,
              results: envelope.payload.results.map((result) => ({ ...result, status: "failed" as const })),
            },
          }
        : envelope,
    );
    const red = new Scenario(log, scene.at).atWork();
    red.tries(claim(red)).refuses("convergence.not-met", { details: /gates not green on this tree: test/ });
    red.reviews().has({ position: { step: "implement", outcome: "fail" } });
  });

  it("while the test profile was never confirmed", () => {
    const scene = afterSwap({ profile: { confirmed: false } }).atWork();
    scene.tries(claim(scene)).refuses("convergence.not-met", { details: /never confirmed/ });
  });

  it("while there is no test command and nobody said why", () => {
    const scene = afterSwap({ gates: [] }).atWork();
    scene.tries(claim(scene)).refuses("convergence.not-met", { details: /nobody said why/ });
  });

  it("while a question is open, and that is on the record too", () => {
    const scene = secondReviewer().asks("Is net right?");
    scene
      .tries(claim(scene))
      .refuses("bubble.waiting-human", { message: /alice's turn is paused/ })
      .leaves([{ type: "WARNING", payload: { code: "bubble.waiting-human", agent: "alice" } }]);
  });
});

describe("converged is accepted", () => {
  it("as that round's review, and takes effect when the tree is seen unchanged", () => {
    const scene = secondReviewer();
    scene
      .tries(claim(scene))
      .then([{ type: "CONVERGENCE", sender: "alice", recipient: "human", round: 2 }])
      .state({ position: { step: "review" } });
    scene
      .does(claim(scene))
      .handsOver()
      .has({ position: { step: "approval" }, reviews: [{ agent: "bob" }, { agent: "alice", clean: true }] });
  });

  it("with answers to open findings", () => {
    const scene = afterSwap()
      .reviews({ findings: [p1] })
      .implements("T2")
      .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] });
    scene
      .reviewerConverges({ checked: [{ file: "src/cart.ts", line: 41, why: "discount first" }] })
      .handsOver()
      .has({ position: { step: "approval" } });
  });

  it("and counts for nothing when the claimant changed the tree", () => {
    const scene = afterSwap()
      .reviewerConverges()
      .handsOver("T9", { files: [{ path: "src/cart.ts", status: "modified", added: 1, removed: 0 }] });
    scene.has({ position: { step: "review", outcome: "refused" }, tree: { id: "T1" } });
    expect(scene.state.convergence).toBeUndefined();
  });
});

describe("two clean passes without a validated profile", () => {
  it("do not converge either way: a human is asked", () => {
    const clean = afterSwap({ profile: { confirmed: false } }).reviews();
    clean.has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "stuck", text: /never confirmed by a human/ }],
    });
    expect(clean.types).not.toContain("CONVERGENCE");
  });

  it("and what the human accepts is marked", () => {
    const accepted = afterSwap({ profile: { confirmed: false } })
      .reviews()
      .replies({ choice: "accept", message: "I ran the tests" })
      .packageWritten();
    expect(accepted.last("DONE_PACKAGE").payload.weak).toEqual([
      "reviews need no evidence here (review.require_evidence = false)",
      "accepted by a human without convergence",
      "the test profile was never confirmed by a human",
    ]);
  });
});

describe("a profile that is not available", () => {
  const profile = { not_available: "a prototype without tests" };

  it("is a human's explicit word, and converges without gates", () => {
    const ready = pair({ gates: [], profile })
      .started()
      .implements("T1")
      .owesNo("gates")
      .reviews()
      .reviewerConverges()
      .handsOver()
      .packageWritten();
    ready.has({ lifecycle: "READY_FOR_APPROVAL" });
    expect(ready.last("DONE_PACKAGE").payload.weak).toEqual([
      "reviews need no evidence here (review.require_evidence = false)",
      "no test command: a prototype without tests",
    ]);
  });

  it("does not silence gates that exist", () => {
    pair({ gates: [testGate], profile })
      .started()
      .implementerPasses()
      .handsOver("T1")
      .owes("gates");
  });
});
