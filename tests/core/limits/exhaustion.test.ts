// Exhaustion is never success: at the last round a human gets the whole history and chooses.
import { describe, expect, it } from "vitest";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { p1, pair, underReview } from "../pair.ts";

const config = { max_rounds: 2 };
const stillOpen = { answers: [{ id: "F1", status: "open" as const }] };
/** Two rounds are used up with F1 open. */
const spent = () =>
  underReview({ config })
    .reviews({ findings: [p1] })
    .implements("T2")
    .reviews(stillOpen);
/** One round is all there is, and it ended with red gates. */
const spentRed = () =>
  pair({ config: { max_rounds: 1 } })
    .started()
    .implementerPasses()
    .handsOver("T1")
    .gatesFail();
/** One round is all there is, and it ended clean: the swap is held back. */
const heldSwap = () => underReview({ config: { max_rounds: 1 } }).reviews();
const reply = { type: "reply", actor: operator, message: "" } as const;

describe("the last round", () => {
  it("is enforced: its end is a question, not another round", () => {
    spent().has({
      lifecycle: "WAITING_HUMAN",
      round: 2,
      questions: [
        {
          kind: "exhausted",
          text: /All 2 rounds are used. Open: F1 .*P1.* Total ignores discount/,
          findings: ["F1"],
        },
      ],
    });
  });

  it("also ends with red gates", () => {
    spentRed().has({
      lifecycle: "WAITING_HUMAN",
      round: 1,
      questions: [
        {
          kind: "exhausted",
          text: /Gates that are not green on this tree: test, so nobody has reviewed it\./,
        },
      ],
      position: { held: { to: "implement", swap: false } },
    });
  });

  it("also holds back a swap of roles", () => {
    heldSwap().has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "exhausted", text: /No finding is open/ }],
      position: { held: { to: "review", swap: true } },
    });
  });

  it("needs a choice", () => {
    spent()
      .tries({ ...reply, message: "continue" })
      .refuses("reply.needs-choice", { details: /accept: .*\ncontinue: .*\nreject: / });
    spent()
      .tries({ ...reply, choice: "perhaps", message: "x" })
      .refuses("reply.unknown-choice", { hint: /accept \| continue \| reject/ });
    spent().tries({ type: "resume", actor: operator, message: "" }).refuses("resume.needs-choice");
  });
});

describe("accept", () => {
  it("needs a reason", () => {
    spent()
      .tries({ ...reply, choice: "accept" })
      .refuses("reply.no-reason");
  });

  it("waives the open findings with it and asks for approval of this tree", () => {
    const accepted = spent().replies({ choice: "accept", message: "ship it, follow-up exists" });
    accepted.has({
      lifecycle: "RUNNING",
      position: { step: "approval" },
      findings: [{ id: "F1", status: "waived", closedBecause: "ship it, follow-up exists" }],
    });
    accepted.packageWritten().has({ lifecycle: "READY_FOR_APPROVAL", approval: { tree: "T2" } });
  });

  it("is not called convergence", () => {
    const accepted = spent().replies({ choice: "accept", message: "ship it" }).packageWritten();
    expect(accepted.types).not.toContain("CONVERGENCE");
    expect(accepted.last("DONE_PACKAGE").payload.weak).toContain("accepted by a human without convergence");
  });

  it("is not covered by a convergence on an earlier tree", () => {
    const converged = underReview({ config }).reviews().reviews();
    const edited = converged
      .does({ type: "tree-changed", actor: driver, expected: "T1", found: "T9", files: ["x"] })
      .resumes({ tree: "keep" });
    const accepted = edited
      .implements("T9")
      .reviews()
      .replies({ choice: "accept", message: "ship it" })
      .packageWritten();
    expect(accepted.last("DONE_PACKAGE").payload.weak).toContain("accepted by a human without convergence");
  });

  it("cannot leave a finding open behind its back", () => {
    const two = underReview({ config: { max_rounds: 1 } }).reviews({
      findings: [p1, { ...p1, title: "Second" }],
    });
    two
      .tries({ ...reply, choice: "accept", message: "ok", findings: ["F1"] })
      .refuses("reply.findings-left", { message: /F2/, hint: /--finding F1 --finding F2/ });
    two
      .replies({ choice: "accept", message: "ok", findings: ["F1", "F2"] })
      .has({ findings: [{ status: "waived" }, { status: "waived" }] });
  });

  it("with red gates must waive them by name", () => {
    spentRed()
      .tries({ ...reply, choice: "accept", message: "known flake" })
      .refuses("reply.red-gates", { hint: /--waive-gate test/ });
    const accepted = spentRed().replies({ choice: "accept", message: "known flake", waiveGates: ["test"] });
    accepted.has({ position: { step: "approval" }, waivedGates: ["test"] });
    expect(accepted.packageWritten().last("DONE_PACKAGE").payload.weak).toContain("waived gates: test");
  });

  it("waives a gate for this tree only: after rework it must be green again", () => {
    const reworked = spentRed()
      .replies({ choice: "accept", message: "known flake", waiveGates: ["test"] })
      .packageWritten()
      .reworks("one more thing");
    reworked.implementerPasses().handsOver("T2").has({ waivedGates: [] }).owes("gates");
  });

  it("names the door the human came through", () => {
    expect(spent().replies({ choice: "accept", message: "ok" }).last("HUMAN_REPLY").payload).toMatchObject({
      via: "terminal",
      choice: "accept",
      waived: ["F1"],
    });
  });
});

describe("continue", () => {
  it("grants N more rounds and follows the route that was held back", () => {
    const more = spent().replies({ choice: "continue", rounds: 2, message: "look at line 41" });
    more.has({
      extraRounds: 2,
      round: 3,
      turn: { role: "implementer", agent: "alice", why: /look at line 41/ },
      notes: ["look at line 41"],
    });
    const again = more.implements("T3").reviews(stillOpen).has({ round: 4, lifecycle: "RUNNING" });
    again
      .implements("T4")
      .reviews(stillOpen)
      .has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "exhausted", text: /All 4 rounds/ }] });
  });

  it("grants one round when no number is given", () => {
    spent().replies({ choice: "continue" }).has({ extraRounds: 1, round: 3 });
  });

  it("follows a held swap: the other agent reviews the same tree", () => {
    const swapped = heldSwap().replies({ choice: "continue", rounds: 1, message: "let alice look" });
    swapped.has({
      round: 2,
      roles: { implementer: "bob", reviewer: "alice" },
      turn: { role: "reviewer", agent: "alice" },
      tree: { id: "T1" },
    });
    swapped
      .reviewerConverges()
      .handsOver()
      .has({ position: { step: "approval" } });
  });

  it("gives the producer the output of the gates that were red", () => {
    spentRed()
      .replies({ choice: "continue" })
      .has({ turn: { role: "implementer" }, gates: { results: [{ status: "failed" }] } });
  });

  it.each([0, -1, 1.5, 100_000])("does not take %s for a number of rounds", (rounds) => {
    spent()
      .tries({ ...reply, choice: "continue", rounds })
      .refuses("reply.rounds");
  });

  it("is the only choice that grants rounds", () => {
    spent()
      .tries({ ...reply, choice: "accept", message: "ok", rounds: 3 })
      .refuses("reply.rounds");
  });
});

describe("reject", () => {
  it("ends the bubble as CANCELLED, with the reason", () => {
    spent()
      .tries({ ...reply, choice: "reject", message: "wrong approach" })
      .then([{ type: "HUMAN_REPLY" }, { type: "CANCELLED", payload: { reason: /wrong approach/ } }])
      .state({ lifecycle: "CANCELLED" });
  });

  it("takes reasons of any length that a reply takes", () => {
    spent()
      .replies({ choice: "reject", message: "because ".repeat(1500) })
      .has({ lifecycle: "CANCELLED" });
  });
});

describe("the outcome works at every budget", () => {
  it("request-rework at a spent budget grants a round", () => {
    const ready = underReview({ config })
      .reviews()
      .reviewerConverges()
      .handsOver()
      .packageWritten()
      .has({ round: 2 });
    ready
      .reworks("rename it")
      .has({ lifecycle: "RUNNING", round: 3, extraRounds: 1, turn: { role: "implementer" } });
    expect(ready.reworks("rename it").last("APPROVAL_DECISION").payload.rounds).toBe(1);
  });

  it("request-rework with rounds left grants none", () => {
    underReview()
      .reviews()
      .reviewerConverges()
      .handsOver()
      .packageWritten()
      .reworks("rename it")
      .has({ extraRounds: 0, round: 3 });
  });

  it("a tie-break answered with fix at a spent budget is still a human's decision about the budget", () => {
    const tie = underReview({ config: { max_rounds: 1 } }).reviews({
      findings: [{ severity: "P3", title: "Name" }],
    });
    tie
      .replies({ choice: "fix", message: "please" })
      .has({ questions: [{ kind: "exhausted" }], position: { held: { to: "implement" } } });
  });

  it("many findings with long titles do not break the record", () => {
    const findings = Array.from({ length: 40 }, (_, i) => ({ ...p1, title: `${i} ${"long ".repeat(50)}` }));
    underReview({ config: { max_rounds: 1 } })
      .reviews({ findings })
      .has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "exhausted" }] });
  });
});
