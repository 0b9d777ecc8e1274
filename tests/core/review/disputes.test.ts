// A producer may dispute a finding with reasons; the critic answers once, then a human settles it.
import { describe, expect, it } from "vitest";
import { p1, pair, underReview } from "../pair.ts";

const reason = "the sum is net of discount, see src/cart.ts:12";
/** Bob opened F1; alice hands over the same tree and disputes it. */
const disputed = () =>
  underReview()
    .reviews({ findings: [p1] })
    .implements("T1", { disputes: [{ id: "F1", reason }], noChange: "nothing to fix" });
const upheld = () => disputed().reviews({ answers: [{ id: "F1", status: "open" }] });

describe("a dispute", () => {
  it("goes to a fresh turn of the critic, on the same tree, without running the gates again", () => {
    disputed()
      .has({
        findings: [{ id: "F1", status: "open", dispute: { reason, round: 2 } }],
        turn: { role: "reviewer", agent: "bob" },
        round: 2,
      })
      .owesNo("gates");
  });

  it("is settled when the critic withdraws the finding", () => {
    disputed()
      .reviews({ noFindings: true, answers: [{ id: "F1", status: "withdrawn", reason: "right, it is net" }] })
      .has({
        findings: [{ status: "withdrawn" }],
        lifecycle: "RUNNING",
        position: { step: "review", outcome: "swap" },
      });
  });

  it("that the critic upholds is a question to the human", () => {
    upheld().has({
      lifecycle: "WAITING_HUMAN",
      questions: [
        {
          kind: "dispute",
          findings: ["F1"],
          text: /net of discount/,
          options: [{ key: "waive" }, { key: "uphold" }],
        },
      ],
    });
  });

  it("must be about an open finding", () => {
    const scene = pair().started().atWork();
    scene.tries(scene.pass({ disputes: [{ id: "F1", reason }] })).refuses("finding.not-open");
  });

  it("of a finding that stays disputed is asked about again only after the critic answered again", () => {
    const fixedInstead = upheld()
      .replies({ choice: "uphold", message: "bob is right" })
      .implements("T2")
      .reviews({ answers: [{ id: "F1", status: "open" }] });
    fixedInstead.has({ lifecycle: "RUNNING", position: { step: "implement", outcome: "revise" } });
  });
});

describe("the human", () => {
  it("waives the finding with a reason when the producer is right", () => {
    upheld()
      .tries({ type: "reply", actor: { kind: "operator", via: "terminal" }, message: "", choice: "waive" })
      .refuses("reply.no-reason");
    upheld()
      .replies({ choice: "waive", message: "alice is right" })
      .has({
        findings: [{ status: "waived", closedBecause: "alice is right" }],
        lifecycle: "RUNNING",
        turn: { role: "reviewer" },
      });
  });

  it("upholds it: the producer must fix it, in a new round", () => {
    upheld()
      .replies({ choice: "uphold", message: "bob is right" })
      .has({
        findings: [{ status: "open", dispute: { settled: "upheld" } }],
        round: 3,
        turn: { role: "implementer", agent: "alice" },
        notes: ["bob is right"],
      });
  });

  it("has the last word: a settled finding cannot be disputed again", () => {
    const scene = upheld().replies({ choice: "uphold", message: "bob is right" }).atWork();
    scene
      .tries(scene.pass({ disputes: [{ id: "F1", reason: "but still" }] }))
      .refuses("finding.settled", { hint: /fix F1/ });
  });

  it("must choose: words alone do not settle a dispute, and resuming does not pass it over", () => {
    const operator = { kind: "operator", via: "terminal" } as const;
    upheld()
      .tries({ type: "reply", actor: operator, message: "hm" })
      .refuses("reply.needs-choice", { message: /waive \| uphold/ });
    upheld().tries({ type: "resume", actor: operator, message: "" }).refuses("resume.needs-choice");
  });

  it("may waive one of two and is asked about the other", () => {
    const other = { ...p1, title: "Rounding is off" };
    const both = underReview()
      .reviews({ findings: [p1, other] })
      .implements("T1", {
        disputes: [
          { id: "F1", reason },
          { id: "F2", reason },
        ],
        noChange: "nothing to fix",
      })
      .reviews({
        answers: [
          { id: "F1", status: "open" },
          { id: "F2", status: "open" },
        ],
      });
    both.has({ questions: [{ findings: ["F1", "F2"] }] });
    both.replies({ choice: "waive", message: "fine", findings: ["F1"] }).has({
      questions: [{ kind: "dispute", findings: ["F2"] }],
      findings: [{ status: "waived" }, { status: "open" }],
    });
  });

  it("cannot waive what the question is not about", () => {
    upheld()
      .tries({
        type: "reply",
        actor: { kind: "operator", via: "terminal" },
        message: "all",
        choice: "waive",
        findings: ["F7"],
      })
      .refuses("reply.unknown-finding", { hint: /F1/ });
    expect(upheld().state.findings).toHaveLength(1);
  });
});
