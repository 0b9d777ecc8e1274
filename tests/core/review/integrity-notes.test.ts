// What holds for every review, whatever it decides and whatever the bubble demands.
import { describe, expect, it } from "vitest";
import { buildAgentActor } from "../../../src/testing/scenario-actors.ts";
import { errorSop, evidenceFor, judging, judgingAgain, looked, passed } from "../integrity-scene.ts";
import { p1 } from "../pair.ts";

describe("a review that needs clarification", () => {
  const scene = judging();
  const asks = (tree?: string) =>
    scene.tries({
      type: "ask-human",
      actor: buildAgentActor(scene.turn),
      digest: "d",
      question: "Which rate counts?",
      ...(tree === undefined ? {} : { tree }),
    });

  it("names the tree it is about", () => {
    asks("T0").refuses("review.stale-tree");
    asks("").refuses("review.stale-tree");
    asks("T1").accepted();
  });

  it("is another thing than a question typed by hand, which is about no tree", () => {
    asks().accepted();
  });
});

describe("answers to SOPs that do not apply", () => {
  it("are ignored, and the record says so", () => {
    const scene = judging({ sops: [errorSop] });
    const outcome = scene.tries(
      scene.pass({
        noFindings: true,
        checked: [evidenceFor(errorSop.id)],
        opinion: {
          dialect: "findings",
          decision: "approve",
          tree: "T1",
          sop_review: [passed("money"), passed("elsewhere", "src/cart.ts:12 is about something else")],
          patterns: [],
        },
      }),
    );
    const warning = outcome.accepted().written.find((envelope) => envelope.type === "WARNING");
    expect(warning?.payload).toMatchObject({
      code: "sop.ignored",
      message: expect.stringContaining("source.doc.sops.elsewhere"),
    });
  });
});

describe("a finding answered fixed", () => {
  it("must have changed, in bubbles that ask for no evidence too", () => {
    const scene = judgingAgain([p1], { review: { require_evidence: false } });
    const fixed = scene.pass({
      noFindings: true,
      answers: [{ id: "F1", status: "fixed" }],
      checked: [looked],
    });
    const facts = { ...("facts" in fixed ? fixed.facts : undefined), unchanged: ["F1"] };
    scene.tries({ ...fixed, facts } as typeof fixed).refuses("review.fixed-unchanged");
    scene.tries(fixed).accepted();
  });
});
