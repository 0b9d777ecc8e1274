// The review log and the review files: what each review decided, from the transcript alone.
import { describe, expect, it } from "vitest";
import type { Opinion } from "../../../src/core/model/review/verdict.ts";
import { readForm } from "../../../src/core/review/dialect/read.ts";
import { buildReviewFiles } from "../../../src/core/views/review/file.ts";
import { buildReviewLog } from "../../../src/core/views/review/log.ts";
import { buildReviewTrail } from "../../../src/core/views/review/trail.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { p1, p3, pair } from "../pair.ts";

const trailOf = (scene: Scenario) => buildReviewTrail(scene.log);
const logOf = (scene: Scenario) => buildReviewLog("cart", trailOf(scene));
const decisions = (scene: Scenario) => logOf(scene).iterations.map(({ decision }) => decision);
const refused = (scene: Scenario) =>
  trailOf(scene).reviews.flatMap((review) =>
    review.kind === "refused" ? [`${review.agent}: ${review.reasons.join("; ")}`] : [],
  );

type Settings = NonNullable<Parameters<typeof pair>[0]>["config"];

const tree = "tree-of-round-1";
/** Evidence is not what these tests are about. */
const started = (config: Settings = {}) =>
  pair({ config: { review: { require_evidence: false }, ...config } }).started();
const underReview = (config: Settings = {}) => started(config).implements(tree);
const opinion = (more: Partial<Opinion>): Opinion => ({
  dialect: "status",
  decision: "approve",
  tree,
  sop_review: [],
  patterns: [],
  ...more,
});

const foundAndFixed = () =>
  underReview()
    .reviews({ summary: "Not yet", findings: [{ ...p1, advice: "take the net price" }] })
    .implements("tree-of-round-2")
    .reviews({ summary: "All criteria met.", noFindings: true, answers: [{ id: "F1", status: "fixed" }] });

describe("the review log", () => {
  it("has number, decision, feedback and time of each review, and nothing more while the loop continues", () => {
    expect(logOf(foundAndFixed())).toEqual({
      task_id: "cart",
      overlay: "agentic_review",
      iterations: [
        {
          iteration: 1,
          decision: "NO_GO",
          feedback: "Not yet\nNew: F1 P1 Total ignores discount (src/cart.ts:41): take the net price",
          timestamp: expect.stringMatching(/^2026-02-21T09:00:\d\d\.000Z$/),
        },
        {
          iteration: 2,
          decision: "GO",
          feedback: "All criteria met.\nFixed: F1",
          timestamp: expect.stringMatching(/^2026-02-21T09:00:\d\d\.000Z$/),
        },
      ],
    });
  });

  it("marks the final decision when approval is asked for", () => {
    const asked = foundAndFixed().reviewerConverges({ summary: "Nothing left" }).handsOver().packageWritten();
    expect(logOf(asked)).toMatchObject({
      iterations: [{ decision: "NO_GO" }, { decision: "GO" }, { decision: "GO", feedback: "Nothing left" }],
      final_decision: "GO",
      completed_at: asked.last("APPROVAL_REQUEST").ts,
    });
    expect(logOf(asked.approves().commits())).toEqual(logOf(asked));
  });

  it("takes the final decision back when a human wants rework", () => {
    const reworked = foundAndFixed().reviews().packageWritten().reworks("the totals are still odd");
    expect(logOf(reworked)).not.toHaveProperty("final_decision");
    expect(logOf(reworked)).not.toHaveProperty("completed_at");
    expect(decisions(reworked)).toEqual(["NO_GO", "GO", "GO"]);
  });

  it("says NO_GO of a loop that was cancelled, and GO of one that was stopped after it had ended", () => {
    const stopped = underReview()
      .reviews({ findings: [p1] })
      .stops();
    expect(logOf(stopped)).toMatchObject({
      final_decision: "NO_GO",
      completed_at: stopped.last("CANCELLED").ts,
    });
    const asked = foundAndFixed().reviews().packageWritten();
    expect(logOf(asked.stops())).toEqual(logOf(asked));
  });

  it("says NO_GO of a loop that failed", () => {
    const failed = underReview().does({ type: "fail", actor: driver, code: "git.gone", message: "no git" });
    expect(logOf(failed)).toMatchObject({ iterations: [], final_decision: "NO_GO" });
  });

  it("says GO of work a human accepted although its last review did not", () => {
    const accepted = underReview({ max_rounds: 1 })
      .reviews({ findings: [p1] })
      .replies({ choice: "accept", message: "known and harmless", findings: ["F1"] })
      .packageWritten();
    expect(logOf(accepted)).toMatchObject({ iterations: [{ decision: "NO_GO" }], final_decision: "GO" });
  });

  it("says GO where only findings are open that do not block, and NO_GO where the place makes them block", () => {
    expect(decisions(underReview().reviews({ findings: [p3] }))).toEqual(["GO"]);
    const core = { severity: { core_paths: ["README.md"] } };
    expect(decisions(underReview(core).reviews({ findings: [p3] }))).toEqual(["NO_GO"]);
  });

  it("says which findings stay open and which are withdrawn, with the reason", () => {
    const again = underReview()
      .reviews({ findings: [p1, { ...p1, title: "Rounding is off", line: 50 }] })
      .implements("tree-of-round-2")
      .reviews({
        summary: "Half of it",
        answers: [
          { id: "F1", status: "open" },
          { id: "F2", status: "withdrawn", reason: "it rounds half up, as asked" },
        ],
      });
    expect(logOf(again).iterations[1]?.feedback.split("\n")).toEqual([
      "Half of it",
      "Still open: F1 P1 Total ignores discount (src/cart.ts:41)",
      "Withdrawn: F2 (it rounds half up, as asked)",
    ]);
  });

  it("does not call an operator's word for a reviewer a GO", () => {
    const running = underReview().atWork();
    const spoken = running
      .does({ ...running.pass({ noFindings: true }), actor: { ...operator, as: "reviewer" } } as never)
      .handsOver();
    expect(logOf(spoken).iterations).toMatchObject([
      { decision: "NO_GO", feedback: "done\nSaid by an operator for bob: it counts as no clean pass" },
    ]);
  });

  it("keeps what an unsure review said, and that a human decides about it", () => {
    const unsure = underReview().reviews({ noFindings: true, opinion: opinion({ confidence: 0.5 }) });
    expect(logOf(unsure).iterations[0]?.feedback).toBe(
      "done\nConfidence 0.5, less than is asked for: a human decides whether it counts",
    );
  });

  it("starts each time with all iterations it had before", () => {
    const whole = foundAndFixed().reviews().packageWritten().approves();
    let before = logOf(started());
    for (let lines = 1; lines <= whole.log.length; lines += 1) {
      const now = buildReviewLog("cart", buildReviewTrail(whole.log.slice(0, lines)));
      expect(now.iterations.slice(0, before.iterations.length)).toEqual(before.iterations);
      before = now;
    }
    expect(before.iterations).toHaveLength(3);
  });

  it("comes out the same whether the transcript is read at once or in pieces", () => {
    const { log } = foundAndFixed().reviews().packageWritten();
    const pieces = log.reduce((trail, envelope) => buildReviewTrail([envelope], trail), buildReviewTrail([]));
    expect(pieces).toEqual(buildReviewTrail(log));
  });
});

describe("reviews that were refused", () => {
  it("are no iterations, and are told with their reason", () => {
    const waiting = underReview().atWork();
    const silent = waiting.after(waiting.tries(waiting.pass({ summary: "looks good" })));
    const meddled = silent.reviewerPasses().handsOver("another-tree-1");
    expect(logOf(meddled).iterations).toEqual([]);
    expect(refused(meddled)).toEqual([
      "bob: pass.findings-missing: a reviewer's pass must say what it found",
      expect.stringMatching(/^bob: .*changed/),
    ]);
  });

  it("are told once, where the refusal ended an attempt without a terminal", () => {
    const waiting = underReview().atWork();
    const told = waiting.after(
      waiting.tries({ ...waiting.pass({ summary: "ok" }), actor: waiting.answering } as never),
    );
    expect(refused(told.turnEnds("garbage", { detail: "the referee refused the answer" }))).toEqual([
      "bob: pass.findings-missing: a reviewer's pass must say what it found",
    ]);
    expect(refused(waiting.turnEnds("garbage", { detail: "the answer was refused: it is no JSON" }))).toEqual(
      ["bob: the answer was refused: it is no JSON"],
    );
  });

  it("are not what a producer is refused, or whoever speaks out of turn", () => {
    const building = started().atWork();
    const wrong = building.after(building.tries(building.pass({ findings: [p1] })));
    expect(refused(wrong)).toEqual([]);
    const asked = underReview().asks("Which rounding?").atWork();
    const early = asked.after(asked.tries(asked.pass({ noFindings: true })));
    expect(early.last("WARNING").payload.code).toBe("bubble.waiting-human");
    expect(refused(early)).toEqual([]);
  });
});

describe("a review file", () => {
  const fileOf = (scene: Scenario, agent = "bob") => buildReviewFiles(trailOf(scene)).get(agent);

  it("has an id of its own, also where two critics speak within a second", () => {
    const both = underReview()
      .reviews({ summary: "Fine", noFindings: true })
      .reviews({ summary: "Fine too", noFindings: true });
    const { reviews, ...rest } = trailOf(both);
    const at = "2026-02-21T09:08:07.100Z";
    const files = buildReviewFiles({ ...rest, reviews: reviews.map((review) => ({ ...review, at })) });
    expect([...files.values()].map(({ id }) => id)).toEqual([
      "review-20260221-090807",
      "review-20260221-090807-2",
    ]);
  });

  it("has the newest review of one critic, with findings, advice and blockers in the pipeline's words", () => {
    const scene = underReview({ agent: { bob: { adapter: "claude", model: "sonnet" } } }).reviews({
      summary: "Two things",
      findings: [{ ...p1, area: "pricing", advice: "take the net price" }, p3],
      opinion: opinion({ decision: "revise", scores: { security: 8, quality: 5, overall: 6 } }),
    });
    const at = trailOf(scene).reviews[0]?.at ?? "";
    expect(fileOf(scene)).toEqual({
      id: `review-20260221-${at.slice(11, 19).replaceAll(":", "")}`,
      reviewer: "code-reviewer",
      model: "sonnet",
      status: "needs_changes",
      summary: "Two things",
      scores: { security: 8, quality: 5, overall: 6 },
      findings: [
        {
          id: "F1",
          category: "pricing",
          severity: "high",
          title: "Total ignores discount",
          recommendation: "take the net price",
        },
        { id: "F2", severity: "low", title: "Name is vague" },
      ],
      blockers: ["F1 Total ignores discount"],
      reviewed_at: at,
    });
  });

  it("can be read again in the dialect that has this format", () => {
    const scene = underReview().reviews({ summary: "Two things", findings: [p1, p3] });
    expect(readForm("status", fileOf(scene))).toMatchObject({ ok: true, verdict: { decision: "revise" } });
  });

  it("invents nothing: no scores were given, and the settings name no model", () => {
    expect(fileOf(foundAndFixed())).toMatchObject({
      model: "bob",
      status: "approved",
      findings: [],
      blockers: [],
    });
    expect(fileOf(foundAndFixed())).not.toHaveProperty("scores");
  });

  it("says that a critic must know something first, until it has judged", () => {
    const asked = underReview().asks("Which rounding?", {
      others: [{ id: "q2", question: "And for whom?" }],
    });
    expect(fileOf(asked)).toMatchObject({
      status: "needs_clarification",
      summary: "Which rounding?\nAnd for whom?",
      findings: [],
    });
    expect(logOf(asked).iterations).toEqual([]);
    const answered = asked
      .replies({ message: "half up" })
      .replies({ message: "all" })
      .reviews({ findings: [p1] });
    expect(fileOf(answered)).toMatchObject({
      status: "needs_changes",
      blockers: ["F1 Total ignores discount"],
    });
  });

  it("is one for each critic that gave a review", () => {
    expect([...buildReviewFiles(trailOf(underReview())).keys()]).toEqual([]);
    expect([...buildReviewFiles(trailOf(foundAndFixed().reviews())).keys()]).toEqual(["bob", "alice"]);
  });

  it("is a plan reviewer's for a document", () => {
    const scene = underReview({ kind: "document", document: "docs/prd.md" }).reviews({ findings: [p1] });
    expect(fileOf(scene)).toMatchObject({ reviewer: "plan-reviewer", status: "needs_changes" });
  });
});
