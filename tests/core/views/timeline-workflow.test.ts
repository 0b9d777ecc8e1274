// A readable line, and where it explains something a sentence, for everything a workflow writes on the record.
import { describe, expect, it } from "vitest";
import type { Envelope, EnvelopeType, PayloadOf } from "../../../src/core/model/record/envelope.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../../src/core/views/history/timeline.ts";

let seq = 0;
function line<T extends EnvelopeType>(type: T, payload: PayloadOf<T>, batch = `b${seq}`): Envelope {
  seq += 1;
  return {
    v: 1,
    seq,
    id: `msg_${seq}`,
    ts: "2026-02-21T09:00:00.000Z",
    bubble_id: "cart",
    sender: "orchestrator",
    recipient: "human",
    type,
    round: 2,
    payload,
    refs: [],
    batch: { id: batch, i: 0, n: 1 },
    prev: "",
  } as unknown as Envelope;
}
const sha = "c".repeat(40);
const step = (outcome: string, why: string, more: Partial<PayloadOf<"STEP_ADVANCED">> = {}) =>
  line("STEP_ADVANCED", { from: "a", outcome, to: "b", why, round: 2, ...more });

describe("the timeline", () => {
  it.each<[Envelope, string]>([
    [
      line("TASK_ENDED", {
        task: "build",
        status: "exceeded",
        flag: "max_iterations_exceeded",
        iterations: 4,
        why: "not completed: no exit condition holds",
      }),
      "build out of rounds, not completed after 4 iterations · max_iterations_exceeded · not completed: no exit condition holds",
    ],
    [
      line("CONFIDENCE", {
        task: "build",
        tree: sha,
        score: 0.85,
        threshold: 0.82,
        met: true,
        metrics: [{ name: "gates", weight: 1, value: 1, evidence: "2 of 2 are green" }],
      }),
      "build 0.85 of 0.82, met (advisory) · gates 100 % × 1 (2 of 2 are green) · tree cccccccccc",
    ],
    [
      line("UNLOCKED", { paths: ["a.md"], reason: "a typo", via: "terminal" }),
      'a.md · by terminal · "a typo"',
    ],
    [line("EVENT", { event: "task_complete", payload: { slug: "x" } }), "task_complete · with slug x"],
    [
      line("WORKFLOW_STARTED", { step: "s", workflow: "plan-refinement", problem: "there is none" }),
      "plan-refinement could not be started: there is none",
    ],
    [
      line("CHILDREN_OPENED", {
        step: "children",
        from: sha,
        wait: "majority",
        max_concurrent: 2,
        children: [{ key: "a" }, { key: "b" }],
      }),
      "a, b · waits for most of them · 2 at a time · from cccccccccc",
    ],
    [
      line("CHILD_REPORTED", { key: "a", bubble: "cart-a", status: "failed", why: "no git" }),
      "a failed · cart-a · no git",
    ],
    [
      line("STEP_REDONE", { step: "design", tasks: ["build"], reason: "wrong base", via: "terminal" }),
      'design is done again · with what rests on it: build · by terminal · "wrong base"',
    ],
    [
      line("RUN_RESULT", { result: "routed", why: "too big", to: "cart-2" }),
      "routed · too big · continues as cart-2",
    ],
  ])("says %#", (envelope, text) => {
    expect(buildTimelineRow(envelope).text).toBe(text);
  });
});

describe("explain", () => {
  it("tells swaps, exits by score, sign-offs, redone steps and results", () => {
    const told = explain([
      step("switch", "F1 is open; a checkpoint is reached, the roles switch", { swap: true }),
      step("subtask", "subtask 1 of 2 is done", { swap: true }),
      step("exit", "confidence_score >= 0.85 holds"),
      step("signoff", "risk tier T2 always ends with a human sign-off"),
      line("STEP_REDONE", { step: "design", tasks: ["build"], reason: "wrong base", via: "terminal" }),
      line("RUN_RESULT", { result: "approved", why: "every task is completed" }),
    ]).map(({ text }) => text);
    expect(told).toEqual([
      "round 0 swapped roles: F1 is open; a checkpoint is reached, the roles switch",
      "round 2 finished a part: subtask 1 of 2 is done; the roles swapped",
      "round 2 ended the loop: confidence_score >= 0.85 holds",
      "round 2 asked a human to sign: risk tier T2 always ends with a human sign-off",
      "a human took back design with everything that rests on it (build) by terminal: wrong base",
      "the run is approved: every task is completed",
    ]);
  });

  it("says once why a run was stopped", () => {
    const batch = "one-answer";
    const told = explain([
      line("RUN_RESULT", { result: "rejected", why: "the human chose reject: no" }, batch),
      line("CANCELLED", { reason: "the human chose reject: no", via: "cli" }, batch),
    ]);
    expect(told.map(({ text }) => text)).toEqual(["cancelled: the human chose reject: no"]);
  });
});
