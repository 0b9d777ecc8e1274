// The review log of a task under agentic review: the specified schema, numbered by the task's own rounds.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listReviewDecisions } from "../../../src/core/views/review/decision.ts";
import { buildTaskReviewLog, selectTaskTrail } from "../../../src/core/views/review/log.ts";
import { buildReviewTrail } from "../../../src/core/views/review/trail.ts";
import { writeReviewViews } from "../../../src/engine/views/reviews.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { agrees, coding, designing, hands, objects, running } from "../pair-session-scene.ts";
import { type Disk, disk } from "../pair-session-world.ts";

const log = (scene: Scenario, task = "implement") => buildTaskReviewLog(task, buildReviewTrail(scene.log));
/** What the task made is locked, with nothing in it that the next task would be refused for. */
const locked = (scene: Scenario) =>
  scene.does({ type: "lock", actor: driver, tree: scene.owes("lock").tree, artifacts: [] });
const rejectedThenAccepted = () => agrees(hands(objects(hands(coding(), "T1")), "T2"), "All criteria met.");

const overlay = (coder: string, reviewer: string) => ({
  agent: coder,
  overlays: {
    agentic_review: {
      enabled: true,
      coder_agent: coder,
      reviewer_agent: reviewer,
      max_iterations: 2,
      exit_conditions: ["review.decision == GO"],
    },
  },
});

describe("the review log of a task", () => {
  it("has exactly the specified fields, the final ones when the task is over", () => {
    const open = rejectedThenAccepted();
    const iterations = [
      {
        iteration: 1,
        decision: "NO_GO",
        feedback: expect.stringContaining("Missing data consistency strategy"),
        timestamp: expect.stringMatching(/^2026-/),
      },
      {
        iteration: 2,
        decision: "GO",
        feedback: "All criteria met.\nFixed: F1",
        timestamp: expect.any(String),
      },
    ];
    expect(log(open)).toEqual({ task_id: "implement", overlay: "agentic_review", iterations });
    const done = locked(open);
    expect(log(done)).toEqual({
      task_id: "implement",
      overlay: "agentic_review",
      iterations,
      final_decision: "GO",
      completed_at: done.last("TASK_ENDED").ts,
    });
  });

  it("counts the rounds of each task from one, and leaves out what was said about others", () => {
    const two = {
      tasks: { plan: overlay("dev", "pe"), implement: { ...overlay("dev", "bob"), depends_on: ["plan"] } },
    };
    const planned = locked(agrees(hands(objects(hands(running(two), "T1")), "T2")));
    const both = objects(hands(planned, "T3"), "Not yet");
    expect(log(both, "plan").iterations.map(({ iteration }) => iteration)).toEqual([1, 2]);
    expect(log(both, "plan").final_decision).toBe("GO");
    expect(log(both).iterations).toMatchObject([{ iteration: 1, decision: "NO_GO" }]);
    expect(log(both)).not.toHaveProperty("final_decision");
    expect(selectTaskTrail("plan", buildReviewTrail(both.log)).reviews).toHaveLength(2);
  });

  it("says NO_GO of a task whose rounds are used up without anybody being asked", () => {
    const { overlays, ...rest } = overlay("dev", "bob");
    const alone = { tasks: { implement: { ...rest, overlays: { ...overlays, hil: { enabled: false } } } } };
    const used = objects(hands(objects(hands(running(alone), "T1")), "T2"));
    expect(log(used)).toMatchObject({
      iterations: [{ decision: "NO_GO" }, { decision: "NO_GO" }],
      final_decision: "NO_GO",
      completed_at: used.last("TASK_ENDED").ts,
    });
  });
});

describe("a review decision", () => {
  it("names reviewer, coder, iteration, decision, feedback and the checks the reviewer answered", () => {
    const handed = hands(coding(), "T1").atWork();
    const checks = { acceptance_criteria_met: true, code_standards_met: false };
    const said = handed.pass({
      summary: "Missing error handling",
      findings: [
        { severity: "P1", title: "No try/catch", file: "src/cart.ts", line: 3, evidence: "verify()" },
      ],
      opinion: {
        dialect: "decision",
        decision: "revise",
        tree: "T1",
        sop_review: [],
        patterns: [],
        quality_checks: checks,
      },
    });
    const scene = handed.does(said).handsOver();
    expect(listReviewDecisions("implement", buildReviewTrail(scene.log))).toEqual([
      {
        task_id: "implement",
        reviewer_agent: "bob",
        coder_agent: "dev",
        iteration: 1,
        decision: "NO_GO",
        feedback: expect.stringContaining("Missing error handling"),
        quality_checks: checks,
        timestamp: scene.last("HANDOFF").ts,
      },
    ]);
  });
});

describe("on the disk", () => {
  let place: Disk;
  beforeEach(() => {
    place = disk();
  });
  afterEach(() => place.close());
  const read = (name: string) => JSON.parse(readFileSync(place.artifact(name), "utf8"));

  it("each task under review has its log and one file a decision; a pair has none", async () => {
    await place.plays(rejectedThenAccepted());
    await writeReviewViews(place.world, "cart", "d1");
    expect(read("review-logs/implement.json").iterations).toHaveLength(2);
    expect(read("review-decisions/implement-1.json")).toMatchObject({ iteration: 1, decision: "NO_GO" });
    expect(read("review-decisions/implement-2.json")).toMatchObject({ iteration: 2, decision: "GO" });
    expect(() => read("review-logs/cart.json")).toThrow();
    place.close();
    place = disk();
    await place.plays(objects(hands(designing(), "T1")));
    await writeReviewViews(place.world, "cart", "d1");
    expect(() => read("review-logs/design-l1.json")).toThrow();
  });

  it("the end of a bubble leaves the last word of its pair in the view", async () => {
    await place.plays(objects(hands(designing(), "T1")).stops());
    await writeReviewViews(place.world, "cart", "d1");
    expect(read("pair-sessions/design-l1.json").pair_session.history).toHaveLength(1);
  });
});
