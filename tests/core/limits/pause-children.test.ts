// A parent and its children in memory: who pauses the one pauses the others, and each pause ends by whoever began it.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { getStanding } from "../../../src/core/views/tree/standing.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair } from "../pair.ts";
import { playing } from "../tasks-play.ts";

const document = `
name: Side by side
version: 1.0.0
loop: {producer: implementer, critic: reviewer, max_rounds: 3, clean_passes: 1, role_switch: never, exhausted: exhausted}
start: fan
steps:
  - name: fan
    kind: children
    wait: all
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

const owed = ({ state }: Scenario): string[] =>
  listDueEffects(state).map((effect) =>
    "bubble" in effect ? `${effect.kind} ${effect.bubble}` : effect.kind,
  );

const started = (scene: Scenario, key: string) =>
  scene.does({ type: "child-started", actor: driver, key, bubble: `b-${key}` });

const byParent = { type: "pause", actor: operator, message: "lunch", now: false, parent: "p" } as const;
const atWork = () => pair().started().atWork();

describe("a paused parent", () => {
  it("begins no child, and pauses those at work", () => {
    const scene = started(playing(document), "a").pauses();
    expect(owed(scene)).toEqual(["pause-child b-a"]);
    expect(owed(scene.resumes())).toEqual(["child", "child"]);
  });

  it("still hears a child that ends, and pauses one that was being made", () => {
    const scene = started(started(playing(document), "a").pauses(), "b");
    expect(owed(scene)).toEqual(["pause-child b-a", "pause-child b-b"]);
    const reported = scene.does({
      ...{ type: "child-reported", actor: driver, key: "a", bubble: "b-a", status: "completed" },
      ...{ why: "it is over", tree: "Ta", commit: "ca" },
    });
    expect(owed(reported)).toEqual(["pause-child b-b"]);
  });
});

describe("a child", () => {
  it("that is paused with its parent says so, and continues with it", () => {
    const scene = atWork().does(byParent);
    expect(getStanding(scene.state)).toEqual({ state: "paused", says: "paused with p: lunch" });
    const resumed = scene.resumes({ parent: "p" });
    expect(resumed.state.pause).toBeUndefined();
  });

  it("does not continue by itself while a bubble above it is paused", () => {
    atWork()
      .does(byParent)
      .tries({ type: "resume", actor: operator, message: "", pausedAbove: "p" })
      .refuses("resume.paused-above", { hint: /bubble resume --id p$/ });
  });

  it("that a human paused itself stays paused when its parent continues", () => {
    const own = atWork().pauses({ message: "mine" });
    own.tries(byParent).repeats(own.state.pause?.seq ?? 0);
    own.tries({ type: "resume", actor: operator, message: "", parent: "p" }).leaves([]);
    const later = atWork().does(byParent).pauses({ message: "mine" });
    expect(later.state.pause).toMatchObject({ message: "mine" });
    expect(later.state.pause?.parent).toBeUndefined();
    later.tries({ type: "resume", actor: operator, message: "", parent: "p" }).leaves([]);
  });

  it("whose turn is ended with --now of its parent loses nothing", () => {
    const scene = atWork().does({ ...byParent, now: true });
    expect(scene.turn).toMatchObject({ status: "due", failures: 0 });
    expect(scene.resumes({ parent: "p" }).turnStarts().turn.attempt).toBe(2);
  });
});
