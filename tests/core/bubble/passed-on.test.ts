// Agents without a terminal have no verbs: the driver of the bubble passes their final answer on, and nobody else does.
import { describe, expect, it } from "vitest";
import { type AnswerKind, understand } from "../../../src/core/answer/answer.ts";
import type { Actor, Command } from "../../../src/core/model/command.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator, wholePackage } from "../../../src/testing/scenario-actors.ts";
import { p1, pair, underReview } from "../pair.ts";

const headless = () => pair().started().turnStarts({ seat: "process" });
const pass = (actor: Actor) => ({ type: "pass", actor, summary: "done", digest: "d" }) as const;
const of = (turn: string, attempt: number, id = "d1"): Actor => ({ kind: "driver", id, turn, attempt });

/** The command that an answer becomes. */
function claimOf(scene: Scenario, kind: AnswerKind, answer: object): Command {
  const understood = understand(kind, answer);
  if (understood.kind !== "claim") throw new Error(JSON.stringify(understood));
  return { ...understood.claim, actor: scene.answering, digest: "d" };
}

describe("the driver", () => {
  it("passes an answer on as its agent's own words", () => {
    const scene = headless();
    scene
      .tries(pass(scene.answering))
      .then([{ type: "PASS", sender: "alice", recipient: "bob", payload: { turn: "t1", attempt: 1 } }])
      .state({ turn: { status: "claimed" } });
    expect(scene.does(pass(scene.answering)).last("PASS").payload).not.toHaveProperty("by_operator");
  });

  it("passes on questions and convergence in the same way", () => {
    const scene = headless();
    scene
      .tries({ type: "ask-human", actor: scene.answering, question: "Which?", digest: "d" })
      .then([{ type: "HUMAN_QUESTION", sender: "alice", payload: { kind: "agent", turn: "t1" } }]);
    const second = underReview().reviews().turnStarts({ seat: "process" });
    second
      .does({ type: "converged", actor: second.answering, summary: "all good", digest: "d" })
      .handsOver()
      .has({ position: { step: "approval" } });
  });

  it("passes an answer on once: repeated, it returns its first outcome", () => {
    const scene = headless();
    const passed = scene.does(pass(scene.answering));
    passed.tries(pass(scene.answering)).repeats(passed.last("PASS").seq);
    passed.tries({ ...pass(scene.answering), digest: "other" }).refuses("turn.ended");
  });

  it("passes on an answer that came in before the end of its process was noticed", () => {
    const scene = headless();
    scene
      .turnEnds("crashed")
      .does(pass(scene.answering))
      .has({ turn: { status: "claimed" } });
  });

  it("gets no answer past a rule that holds for agents", () => {
    const scene = headless();
    scene
      .tries({ ...pass(scene.answering), findings: [p1] })
      .refuses("pass.findings-not-allowed")
      .leaves([{ type: "WARNING", payload: { agent: "alice" } }]);
    const asking = scene.asks("Which?");
    asking.tries(pass(scene.answering)).refuses("bubble.waiting-human");
  });
});

describe("an answer is refused", () => {
  it("from a driver that is not this bubble's", () => {
    headless()
      .tries(pass(of("t1", 1, "d2")))
      .refuses("driver.replaced", { message: /is driven by process 1 on here/ })
      .leaves([]);
  });

  it("from a driver that another one has replaced", () => {
    const taken = headless().does({
      type: "claim-driver",
      actor: { kind: "driver", id: "d2" },
      pid: 2,
      host: "here",
      seat: "process",
    });
    taken.tries(pass(of("t1", 1, "d1"))).refuses("driver.replaced");
    taken.does(pass(of("t1", 1, "d2"))).has({ turn: { status: "claimed" } });
  });

  it("when the driver does not say whose it is", () => {
    headless().tries(pass(driver)).refuses("turn.not-yours");
    headless()
      .tries(pass({ ...driver, attempt: 1 }))
      .refuses("turn.not-yours");
    headless()
      .tries(pass({ ...driver, turn: "t1" }))
      .refuses("turn.stale");
  });

  it("for an attempt that was replaced, and for one that is still to come", () => {
    const second = headless().turnEnds("crashed").turnStarts();
    second.tries(pass(of("t1", 1))).refuses("turn.stale", { message: /attempt 1 .* attempt 2/ });
    second.tries(pass(of("t1", 3))).refuses("turn.stale");
  });

  it("for a turn that is over, and for one that never was", () => {
    const next = headless().implements("T1").turnStarts({ seat: "process" });
    next.tries(pass(of("t1", 1))).refuses("turn.ended");
    next.tries(pass(of("t9", 1))).refuses("turn.stale");
  });

  it("from a person who does not say for which role", () => {
    headless()
      .tries(pass(operator))
      .refuses("turn.no-capability", { hint: /--as implementer/ });
  });

  it("from an agent that names itself a driver's turn without its capability", () => {
    headless()
      .tries(pass({ kind: "agent", turn: "t1", attempt: 1, capability: "d1" }))
      .refuses("turn.stale");
  });
});

describe("what an answer says", () => {
  it("of a producer becomes its handover", () => {
    const scene = headless();
    const answer = { status: "completed", summary: "built", package: wholePackage, message: null };
    const handed = scene.does(claimOf(scene, "handoff", answer)).handsOver("T1");
    handed.has({ tree: { by: "alice" }, package: wholePackage, position: { step: "gates" } });
  });

  it("of a critic becomes its review, with the findings numbered", () => {
    const scene = underReview().turnStarts({ seat: "process" });
    const answer = {
      status: "completed",
      summary: "looked",
      tree: "T1",
      findings: [{ ...p1, area: null }],
      converged: false,
    };
    scene
      .does(claimOf(scene, "findings", answer))
      .handsOver()
      .has({ findings: [{ id: "F1", status: "open", openedBy: "bob" }] });
  });

  it("about an open finding counts, also when nothing new was found", () => {
    const second = underReview()
      .reviews({ findings: [p1] })
      .implements("T2")
      .turnStarts({ seat: "process" });
    const answer = (status: string) => ({
      status: "completed",
      summary: "looked at the fix",
      tree: "T2",
      findings: [],
      answers: [{ id: "F1", status }],
    });
    second
      .does(claimOf(second, "findings", answer("open")))
      .handsOver()
      .has({ turn: { role: "implementer" }, findings: [{ status: "open" }] });
    second
      .does(claimOf(second, "findings", answer("fixed")))
      .handsOver()
      .has({ reviews: [{ clean: true }] });
  });

  it("is refused like a typed verb when it leaves an open finding out", () => {
    const second = underReview()
      .reviews({ findings: [p1] })
      .implements("T2")
      .turnStarts({ seat: "process" });
    second
      .tries(
        claimOf(second, "findings", {
          status: "completed",
          summary: "looked at the fix",
          tree: "T2",
          findings: [],
        }),
      )
      .refuses("review.unanswered", { details: /F1/ });
  });
});
