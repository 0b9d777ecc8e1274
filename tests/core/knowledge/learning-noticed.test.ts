// Which verdicts teach anything: approvals that stand on the tree a human has signed, and nothing else.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { collectNoticedPatterns, isCommitted } from "../../../src/core/knowledge/learning/patterns.ts";
import type { Opinion } from "../../../src/core/model/review/verdict.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { pair } from "../pair.ts";

const pattern = { name: "Cents", pattern: "Amounts are cents", applies_to: "src/**" };
const opinion = (more: Partial<Opinion> = {}): Opinion => ({
  dialect: "findings",
  decision: "approve",
  tree: "T1",
  sop_review: [],
  patterns: [pattern],
  ...more,
});
const approving = { noFindings: true, opinion: opinion() };
const made = () => pair().started().implements("T1");
const names = ({ state }: Scenario) =>
  collectNoticedPatterns(state).map(({ agent, pattern: { name } }) => `${agent} ${name}`);
/** Both have reviewed the tree, a human signs it. */
const ready = (scene: Scenario) => scene.reviewerConverges().handsOver().packageWritten();
const signed = (scene: Scenario) => ready(scene).approves().commits();

describe("what counts", () => {
  it("is the pattern of an approving review of the final tree, with who said it where", () => {
    const done = signed(made().reviews(approving));
    const [noticed] = collectNoticedPatterns(done.state);
    expect(noticed).toEqual({
      bubble: done.state.bubbleId,
      agent: "bob",
      tree: "T1",
      at: done.state.lastAt,
      pattern,
    });
    expect(isCommitted(done.state)).toBe(true);
  });

  it("is no pattern of a review that rejects", () => {
    const rejects = {
      findings: [{ severity: "P1" as const, title: "wrong", file: "src/cart.ts", line: 1, evidence: "x" }],
    };
    const scene = made().reviews({ ...rejects, opinion: opinion({ decision: "revise" }) });
    expect(names(scene)).toEqual([]);
  });

  it("is no pattern of a tree that was changed afterwards", () => {
    const scene = made().reviews(approving);
    expect(names(scene)).toEqual(["bob Cents"]);
    const other = ready(scene).reworks("rename it").implements("T2");
    expect(names(other)).toEqual([]);
  });

  it("is no pattern of a critic that is not sure, unless a human trusts it", () => {
    const scene = made().reviews({ ...approving, opinion: opinion({ confidence: 0.3 }) });
    expect(scene.state.questions[0]?.kind).toBe("unsure");
    expect(names(scene)).toEqual([]);
    expect(names(scene.replies({ choice: "trust", message: "it is right" }))).toEqual(["bob Cents"]);
  });
});

describe("learning is owed", () => {
  const owed = ({ state }: Scenario) => listDueEffects(state).map(({ key }) => key);

  it("by a bubble that is done, with one key for ever", () => {
    const done = signed(made().reviews(approving));
    expect(owed(done)).toEqual(["learn", "close"]);
    expect(owed(ready(made().reviews(approving)).approves())).not.toContain("learn");
  });

  it("by none that was cancelled", () => {
    const stopped = made().reviews(approving).stops();
    expect(owed(stopped)).toEqual(["close"]);
    expect(isCommitted(stopped.state)).toBe(false);
  });
});
