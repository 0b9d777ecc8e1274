// Which findings keep the loop going: P0 and P1 always, P2 and P3 where configuration says that it matters.
import { describe, it } from "vitest";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { p1, p3, underReview } from "../pair.ts";

const loops = {
  position: { step: "implement", outcome: "revise" },
  round: 2,
  turn: { role: "implementer", agent: "alice" },
} as const;

describe("an open finding sends the work back", () => {
  it.each(["P0", "P1"] as const)("when it is %s", (severity) => {
    underReview()
      .reviews({ findings: [{ ...p3, severity }] })
      .has(loops);
  });

  it.each(["core-logic", "security", "data-integrity"])("when it is P3 in the area %s", (area) => {
    underReview()
      .reviews({ findings: [{ ...p3, area }] })
      .has(loops);
  });

  it("when it is P2 on a path configured as core", () => {
    const config = { severity: { core_paths: ["src/billing/**"] } };
    underReview({ config })
      .reviews({ findings: [{ ...p3, severity: "P2", file: "src/billing/.rates/eu.ts" }] })
      .has(loops);
  });

  it("together with minor ones, which are not asked about yet", () => {
    underReview()
      .reviews({ findings: [p1, p3] })
      .has({ ...loops, questions: [] });
  });
});

describe("minor findings alone", () => {
  const tie = () => underReview().reviews({ findings: [p3] });

  it("do not loop: a human breaks the tie", () => {
    tie().has({
      lifecycle: "WAITING_HUMAN",
      round: 1,
      questions: [{ kind: "tie-break", findings: ["F1"], text: /F1 .*P3.* Name is vague/ }],
    });
  });

  it("whose area is no configured one stay minor, whatever the critic calls it", () => {
    underReview()
      .reviews({ findings: [{ ...p3, area: "very important" }] })
      .has({ questions: [{ kind: "tie-break" }] });
  });

  it("are waived with a reason, and the pass that found them was clean", () => {
    tie().tries({ type: "reply", actor: operator, choice: "waive", message: " " }).refuses("reply.no-reason");
    tie()
      .replies({ choice: "waive", message: "a matter of taste" })
      .has({
        findings: [{ status: "waived" }],
        round: 2,
        roles: { implementer: "bob", reviewer: "alice" },
        turn: { agent: "alice", role: "reviewer" },
        position: { outcome: "swap" },
      });
  });

  it("are fixed in another round when the human says so", () => {
    tie()
      .replies({ choice: "fix", message: "please" })
      .has({
        findings: [{ status: "open", ordered: true }],
        round: 2,
        turn: { role: "implementer", agent: "alice" },
        notes: ["please"],
      });
  });

  it("are asked about once per set: what a human wants fixed loops without another question", () => {
    const stillOpen = tie()
      .replies({ choice: "fix", message: "please" })
      .implements("T2")
      .reviews({ answers: [{ id: "F1", status: "open" }] });
    stillOpen.has({ lifecycle: "RUNNING", position: { step: "implement", outcome: "revise" } });
  });

  it("that are new make a new set", () => {
    const second = { ...p3, title: "Comment is stale" };
    tie()
      .replies({ choice: "waive", message: "taste" })
      .reviews({ findings: [second] })
      .has({ questions: [{ kind: "tie-break", findings: ["F2"] }] });
  });

  it("of the second critic, waived, do not undo the two clean passes", () => {
    underReview()
      .reviews()
      .reviews({ findings: [p3] })
      .replies({ choice: "waive", message: "taste" })
      .has({ position: { step: "approval" }, convergence: { agent: "orchestrator" } });
  });
});
