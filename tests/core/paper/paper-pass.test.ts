// A turn that hands in a paper: what the referee takes, what it refuses and why, and what stands on the record.
import { describe, expect, it } from "vitest";
import { getAnswerKind } from "../../../src/core/interpreter/interpret.ts";
import { p1, pair } from "../pair.ts";
import { authoring, exampleOf, paperUnderReview } from "../paper-scene.ts";

const plan = exampleOf("plan");
const writing = () => authoring().turnStarts();

describe("a paper", () => {
  it("is what the turn hands in", () => {
    expect(getAnswerKind(writing().state)).toBe("paper");
    expect(getAnswerKind(pair().started().state)).toBe("handoff");
    expect(getAnswerKind(paperUnderReview().state)).toBe("findings");
  });

  it("stands on the record whole, with the words of its author", () => {
    const scene = writing();
    scene
      .tries(scene.pass({ summary: "Tokens behind the router", paper: plan }))
      .then([
        { type: "PASS", payload: { summary: "Tokens behind the router", pass_intent: "task", paper: plan } },
      ]);
  });

  it("is completed with what only the referee knows", () => {
    const scene = authoring("plan-refined", { payload: { settings: { mode: "simple" } } }).turnStarts();
    const { paper } = scene.does(scene.pass({ paper: exampleOf("plan-refined") })).last("PASS").payload;
    const at = scene.at.replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
    expect(paper).toMatchObject({ id: `plan-${at}`, implementation: { mode: "simple" } });
  });

  it("counts as the bubble's own once the referee has seen the tree", () => {
    const { state } = paperUnderReview();
    expect(state.papers?.plan).toMatchObject({ value: plan, agent: "alice", tree: "P1" });
    expect(state.tree).toMatchObject({ id: "P1", paper: { kind: "plan", code: "T0" } });
  });

  it("is needed", () => {
    const scene = writing();
    for (const paper of [undefined, null]) {
      const outcome = scene.tries(scene.pass({ paper }));
      outcome.refuses("paper.missing");
      expect(outcome.decision.refusal?.hint).toBe("pairflow schema plan --example");
    }
  });

  it("that is not right is refused with every problem, and may be handed in again", () => {
    const scene = writing();
    const outcome = scene.tries(scene.pass({ paper: { ...plan, mission: "", execution: "" } }));
    outcome.refuses("paper.invalid");
    expect(outcome.decision.refusal).toMatchObject({
      hint: "pairflow schema plan --example",
      details: ["mission is empty: say what is done and why", "execution is empty: say how it is done"],
    });
    const again = scene.after(outcome);
    again.does(again.pass({ paper: plan }));
  });

  it("names at most twenty problems", () => {
    const scene = authoring("decomposition").turnStarts();
    const tasks = Array.from({ length: 30 }, (_, i) => ({
      id: `t${i}`,
      description: "d",
      depends_on: ["nobody"],
    }));
    const outcome = scene.tries(scene.pass({ paper: { ...exampleOf("decomposition"), tasks } }));
    expect(outcome.decision.refusal?.details).toHaveLength(20);
  });

  it.each([
    ["findings", { findings: [p1] }, "pass.paper-only"],
    ["the word that there are none", { noFindings: true }, "pass.paper-only"],
    ["a package", { package: { what: "x" } }, "pass.paper-only"],
    ["no change", { noChange: "fine" }, "pass.paper-only"],
    ["a score", { score: 0.5 }, "pass.score-not-asked"],
    ["a checkpoint", { checkpoint: "agreed" }, "pass.checkpoint-not-asked"],
  ])("does not come with %s", (_what, said, code) => {
    const scene = writing();
    scene.tries(scene.pass({ paper: plan, ...said })).refuses(code);
  });

  it("is taken in no other turn", () => {
    const building = pair().started().turnStarts();
    building.tries(building.pass({ paper: plan })).refuses("pass.paper-not-asked");
    const reviewing = paperUnderReview().turnStarts();
    reviewing.tries(reviewing.pass({ noFindings: true, paper: plan })).refuses("pass.paper-not-asked");
  });
});

describe("the author", () => {
  it("may dispute an open finding beside its paper, and no other", () => {
    const scene = paperUnderReview()
      .reviews({ findings: [p1] })
      .turnStarts();
    const disputes = [{ id: "F1", reason: "src/router.ts:12 does it already" }];
    scene
      .tries(scene.pass({ paper: plan, disputes }))
      .then([{ type: "PASS", payload: { disputes, paper: plan } }]);
    scene
      .tries(scene.pass({ paper: plan, disputes: [{ id: "F9", reason: "no" }] }))
      .refuses("finding.not-open");
  });

  it("may ask, as in any turn", () => {
    const scene = writing().asks("Which way to sign in?");
    expect(scene.state.questions).toMatchObject([{ text: "Which way to sign in?" }]);
    const paused = scene.tries(scene.pass({ paper: plan }));
    paused.refuses("bubble.waiting-human");
  });
});
