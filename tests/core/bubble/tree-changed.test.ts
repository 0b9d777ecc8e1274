// A person typing in an idle pane: files change while no agent has the turn, and a human says whose they are.
import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/core/model/command.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair, readyForApproval, underReview } from "../pair.ts";

const noticed: Command = {
  type: "tree-changed",
  actor: driver,
  expected: "T1",
  found: "T9",
  files: ["src/cart.ts"],
};
const resume = { type: "resume", actor: operator, message: "" } as const;
const changed = () => underReview().does(noticed);

describe("files changed outside a turn", () => {
  it("are a question, and nothing starts", () => {
    underReview()
      .tries(noticed)
      .then([
        { type: "TREE_CHANGED", payload: { files: ["src/cart.ts"] } },
        { type: "HUMAN_QUESTION", payload: { kind: "tree-changed", question: /src\/cart\.ts/ } },
      ]);
    changed().has({ lifecycle: "WAITING_HUMAN" }).owesNo("start-turn");
  });

  it("while an agent has the turn are the agent's", () => {
    underReview().atWork().tries(noticed).refuses("driver.not-due");
    underReview().reviewerPasses().tries(noticed).refuses("driver.not-due");
  });

  it("are asked about once", () => {
    changed().tries(noticed).refuses("driver.not-due");
  });

  it("are kept or put back with resume, not with reply", () => {
    changed()
      .tries({ type: "reply", actor: operator, message: "keep", choice: "keep" })
      .refuses("reply.use-resume", { hint: /--keep {3}or {3}--put-back/ });
    changed().tries(resume).refuses("resume.tree-changed");
  });
});

describe("keep", () => {
  it("reopens the producer's turn on the files as they are, in the same round", () => {
    changed()
      .tries({ ...resume, tree: "keep" })
      .then([
        { type: "RESUMED", payload: { how: "keep" } },
        { type: "STEP_ADVANCED", payload: { outcome: "kept", to: "implement", round: 1 } },
      ])
      .state({
        lifecycle: "RUNNING",
        turn: { role: "implementer", agent: "alice", why: /a human keeps the changed files/ },
      });
  });

  it("makes the new tree pass gates and reviews like any other", () => {
    changed()
      .resumes({ tree: "keep" })
      .implements("T9")
      .has({ tree: { id: "T9" }, turn: { role: "reviewer" }, reviews: [] });
  });

  it("does not lose what a human had said to the turn that is given up", () => {
    const told = pair().started().asks("Which?").turnEnds("asked").replies({ message: "the first" });
    const kept = told.does(noticed).resumes({ tree: "keep" });
    kept.has({ turn: { id: "t2", status: "due" }, deliveries: [], notes: [/the first/] });
  });
});

describe("put-back", () => {
  it("restores the tree, keeps a patch, and continues where it was", () => {
    changed()
      .tries({ ...resume, tree: { putBack: "round-001.put-back.patch" } })
      .then([
        { type: "TREE_RESTORED", payload: { tree: "T1", patch: "round-001.put-back.patch" } },
        { type: "RESUMED", payload: { how: "put-back" } },
      ])
      .state({ lifecycle: "RUNNING", turn: { role: "reviewer", status: "due" } });
  });

  it("is also the way back to what asks for approval, or was approved", () => {
    for (const scene of [readyForApproval(), readyForApproval().approves()]) {
      scene
        .tries({ ...resume, tree: { putBack: "p.patch" } })
        .then([{ type: "TREE_RESTORED" }])
        .state({ lifecycle: scene.state.lifecycle });
    }
  });

  it("needs a tree that was handed over", () => {
    pair()
      .tries({ ...resume, tree: { putBack: "p.patch" } })
      .refuses("resume.nothing-to-restore");
  });

  it("is refused while an agent has the turn: its work is no stray change", () => {
    pair()
      .started()
      .implementerPasses()
      .handsOver("T1")
      .gatesPass()
      .tries({ ...resume, tree: { putBack: "p.patch" } })
      .refuses("resume.turn-running");
  });

  it("continues with the gates if they were under way", () => {
    const gating = pair().started().implementerPasses().handsOver("T1").does(noticed);
    const back = gating.resumes({ tree: { putBack: "p.patch" } });
    expect(back.owes("gates").tree).toBe("T1");
  });
});
