// A parent and its children in memory: how many it waits for, what happens to the others, and who is asked when one fails.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import type { CommandOf } from "../../../src/core/model/command.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { playing } from "../tasks-play.ts";

const document = (wait: string) => `
name: Side by side
version: 1.0.0
loop: {producer: implementer, critic: reviewer, max_rounds: 3, clean_passes: 1, role_switch: never, exhausted: exhausted}
start: fan
steps:
  - name: fan
    kind: children
    wait: ${wait}
    max_concurrent: 2
    children: [{key: a, workflow: paired}, {key: b, workflow: paired}, {key: c, workflow: paired}]
    on: {joined: work, conflict: work, failed: lost}
  - {name: lost, kind: question, ask: child-failed, on: {continue: work, reject: $cancel}}
  - {name: work, kind: turn, role: implementer, session: resumed, answer: handoff, on: {success: gates, refused: work}}
  - {name: gates, kind: gates, on: {success: judge, fail: {to: work, round: next}}}
  - {name: judge, kind: branch, if: "gates.passed == true", on: {yes: review, no: {to: work, round: next}}}
  - {name: review, kind: turn, role: reviewer, session: fresh, answer: findings, on: {success: approval, refused: review}}
  - {name: exhausted, kind: question, ask: exhausted, on: {accept: approval, continue: $resume, reject: $cancel}}
  - {name: approval, kind: approval, on: {}}
`;

type Status = CommandOf<"child-reported">["status"];

const starts = (scene: Scenario, key: string) =>
  scene.does({ type: "child-started", actor: driver, key, bubble: `b-${key}` });

const reports = (scene: Scenario, key: string, status: Status = "completed") =>
  scene.does({
    ...{ type: "child-reported", actor: driver, key, bubble: `b-${key}`, status },
    ...{ why: "it is over", tree: `T${key}`, commit: `c${key}` },
  });

const owed = ({ state }: Scenario): string[] =>
  listDueEffects(state)
    .filter(({ kind }) => ["child", "stop-child", "join"].includes(kind))
    .map((effect) => ("child" in effect ? `${effect.kind} ${effect.child.key}` : effect.kind));

const opened = (wait: string) => playing(document(wait));

describe("children side by side", () => {
  it("are owed as many at a time as the step allows, with no agent active", () => {
    const scene = opened("all");
    expect(scene.state).toMatchObject({ lifecycle: "RUNNING" });
    expect(scene.state.turn).toBeUndefined();
    expect(owed(scene)).toEqual(["child a", "child b"]);
    expect(owed(reports(starts(scene, "a"), "a"))).toEqual(["child b", "child c"]);
  });

  it("are all waited for", () => {
    const two = reports(reports(opened("all"), "a"), "b");
    expect(owed(two)).toEqual(["child c"]);
    expect(owed(reports(two, "c"))).toEqual(["join"]);
  });

  it("are waited for until one is completed; the others are stopped", () => {
    const scene = starts(starts(opened("any"), "a"), "b");
    expect(owed(reports(scene, "a", "failed"))).toEqual(["child b", "child c"]);
    const enough = reports(scene, "b");
    expect(owed(enough)).toEqual(["stop-child a"]);
    expect(owed(reports(enough, "a", "cancelled"))).toEqual(["join"]);
  });

  it("are waited for until most are completed", () => {
    const scene = starts(starts(starts(opened("majority"), "a"), "b"), "c");
    expect(owed(reports(scene, "a"))).toEqual(["child b", "child c"]);
    const enough = reports(reports(scene, "a"), "c");
    expect(owed(enough)).toEqual(["stop-child b"]);
    expect(owed(reports(enough, "b", "cancelled"))).toEqual(["join"]);
  });

  it("that fail are a human's business, and nothing is joined before the answer", () => {
    const failed = reports(reports(reports(opened("all"), "a"), "b", "failed"), "c");
    expect(failed.state.lifecycle).toBe("WAITING_HUMAN");
    expect(failed.state.questions[0]).toMatchObject({ kind: "child-failed" });
    expect(failed.state.questions[0]?.text).toContain("b is failed");
    expect(owed(failed)).toEqual([]);
  });

  it("report once", () => {
    const scene = reports(opened("all"), "a");
    scene
      .tries({ type: "child-reported", actor: driver, key: "a", bubble: "b-a", status: "failed", why: "no" })
      .refuses("child.reported");
  });
});
