// A pause: nothing new is begun, clocks stand still, and everything that was said meanwhile is acted on afterwards.
import { describe, expect, it } from "vitest";
import { listDueEffects, mayFinish } from "../../../src/core/bubble/due.ts";
import { chooseSession } from "../../../src/core/judge/sessions.ts";
import { sumWorkedMinutes } from "../../../src/core/limits/budget.ts";
import { getRunDeadline, getStepDeadline, getWaitDeadline } from "../../../src/core/limits/timers.ts";
import { findDeadline, measureWatchdogLeft } from "../../../src/core/limits/watchdog.ts";
import { parseTime } from "../../../src/core/model/value/time.ts";
import { buildInboxView } from "../../../src/core/views/bubble/inbox.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import { buildSummaryView } from "../../../src/core/views/bubble/summary.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../../src/core/views/history/timeline.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair, readyForApproval } from "../pair.ts";
import { playing } from "../tasks-play.ts";

const pause = { type: "pause", actor: operator, message: "", now: false } as const;
const anna = { ...operator, door: { user: "anna" } };
const atWork = (config = {}) => pair({ config }).started().atWork();
const kinds = ({ state }: Scenario) => listDueEffects(state).map(({ kind }) => kind);

describe("while a bubble is paused", () => {
  it("it stays RUNNING, and who paused it and why is on the record", () => {
    atWork()
      .tries({ ...pause, actor: anna, message: "lunch" })
      .then([
        {
          type: "PAUSED",
          sender: "human",
          payload: { message: "lunch", now: false, door: { user: "anna" } },
        },
      ])
      .state({ lifecycle: "RUNNING", pause: { by: "anna", message: "lunch", now: false } });
  });

  it("no turn starts", () => {
    const scene = pair().started().pauses();
    expect(kinds(scene)).toEqual([]);
    scene
      .tries({
        ...{ type: "turn-started", actor: driver, turn: "t1", attempt: 1, capability: "c", session: "s" },
        ...{ fresh: true, tree: "T0", prompt: "p", output: "o", seat: "process", sandboxed: true },
      })
      .refuses("driver.not-due");
    expect(kinds(scene.resumes())).toContain("start-turn");
  });

  it("a running turn is watched to its end, and its handoff counts; no gate is run on it", () => {
    const scene = atWork().pauses();
    expect(kinds(scene)).toEqual(["watch-turn"]);
    const passed = scene.does(scene.pass());
    expect(kinds(passed)).toEqual(["snapshot"]);
    const handed = passed.handsOver("T1");
    expect(handed.state).toMatchObject({ tree: { id: "T1" }, position: { step: "gates" } });
    expect(kinds(handed)).toEqual([]);
    expect(kinds(handed.resumes())).toContain("gates");
  });

  it("gates that run may finish, unless it is paused at once", () => {
    const scene = atWork();
    const gates = scene.does(scene.pass()).handsOver("T1");
    expect(kinds(gates)).toContain("gates");
    expect(mayFinish(gates.pauses().state).map(({ kind }) => kind)).toEqual(["gates"]);
    expect(mayFinish(gates.pauses({ now: true }).state)).toEqual([]);
    expect(mayFinish(gates.state)).toEqual([]);
  });

  it("an answer is kept, and acted on when the pause ends", () => {
    const asked = atWork().asks("which one?").pauses();
    expect(asked.state).toMatchObject({ lifecycle: "WAITING_HUMAN", pause: {} });
    const answered = asked.replies({ message: "the first" });
    expect(answered.state.lifecycle).toBe("RUNNING");
    expect(kinds(answered)).not.toContain("deliver");
    expect(kinds(answered.resumes())).toContain("deliver");
  });

  it("an open question survives the end of the pause", () => {
    const resumed = atWork().asks("which one?").pauses().resumes();
    expect(resumed.state.pause).toBeUndefined();
    expect(resumed.state.questions.map(({ text }) => text)).toEqual(["which one?"]);
  });

  it("it can be stopped, and an approval is as good as ever", () => {
    expect(atWork().pauses().stops().state).toMatchObject({ lifecycle: "CANCELLED" });
    const approved = readyForApproval().pauses().approves();
    expect(approved.state.lifecycle).toBe("APPROVED_FOR_COMMIT");
    expect(approved.state.pause).toBeUndefined();
  });

  it("said again it writes nothing", () => {
    const scene = atWork().pauses();
    scene.tries(pause).repeats(scene.state.pause?.seq ?? 0);
    scene
      .pauses({ now: true })
      .tries({ ...pause, now: true })
      .accepted()
      .leaves([]);
  });

  it("a later --now ends the turn, and the pause has begun when it began", () => {
    const scene = atWork().pauses({ message: "lunch" });
    const ended = scene.minutesLater(5).pauses({ now: true });
    expect(ended.state.pause).toMatchObject({ at: scene.state.pause?.at, message: "lunch", now: true });
    expect(ended.turn.status).toBe("due");
  });

  it("neither an agent nor a driver may pause or resume", () => {
    const scene = atWork();
    scene.tries({ ...pause, actor: scene.agent }).refuses("operator.inside-agent");
    scene.tries({ ...pause, actor: driver }).refuses("operator.driver");
    const paused = scene.pauses();
    paused.tries({ type: "resume", actor: scene.agent, message: "" }).refuses("operator.inside-agent");
  });

  it("a bubble that is not started, or is over, is not paused", () => {
    pair()
      .tries(pause)
      .refuses("pause.wrong-state", { hint: /bubble start/ });
    atWork().stops().tries(pause).refuses("bubble.ended");
  });
});

describe("pause --now", () => {
  it("ends the attempt, counts nothing against the agent, and continues in its session", () => {
    const scene = atWork().pauses({ now: true });
    expect(scene.last("TURN_ENDED").payload).toMatchObject({
      outcome: "interrupted",
      next: { session: "same" },
    });
    expect(scene.turn).toMatchObject({ status: "due", failures: 0 });
    expect(scene.turn.problem).toBeUndefined();
    const resumed = scene.resumes({ message: "mind the tests" });
    const step = resumed.state.program.steps.find(({ name }) => name === scene.turn.step);
    if (step?.kind !== "turn") throw new Error("a turn is due");
    expect(chooseSession(resumed.state, resumed.turn, step)).toEqual({ resume: scene.turn.session });
    expect(resumed.state.notes).toEqual(["mind the tests"]);
    expect(resumed.turnStarts().turn.attempt).toBe(2);
  });

  it("leaves a handoff alone that was made before", () => {
    const scene = atWork();
    const claimed = scene.does(scene.pass()).pauses({ now: true });
    expect(kinds(claimed)).toEqual(["snapshot"]);
  });
});

describe("clocks", () => {
  const minute = 60_000;

  it("the watchdog does not fire, and has as long as before afterwards", () => {
    const scene = atWork({ watchdog_timeout_minutes: 60, turn_timeout_minutes: 90 }).minutesLater(20);
    const paused = scene.pauses();
    paused.minutesLater(500).tries({ type: "watchdog", actor: driver }).refuses("watchdog.paused");
    expect(findDeadline(paused.state, undefined)).toBeUndefined();
    const resumed = paused.minutesLater(500).resumes();
    const before = findDeadline(scene.state, paused.at)?.at ?? 0;
    const whole = (state: Scenario["state"]) => ({
      ...state,
      config: { ...state.config, watchdog_timeout_minutes: 900 },
    });
    const left = measureWatchdogLeft(whole(resumed.state), { now: resumed.at });
    expect(left?.reason).toBe("turn-timeout");
    expect(Math.round((left?.leftMs ?? 0) / minute)).toBe(70);
    expect(before).toBeGreaterThan(0);
  });

  it("minutes of the budget stand still, also while the running turn works on", () => {
    const scene = atWork({ budget: { max_minutes: 30 } })
      .minutesLater(10)
      .pauses();
    const later = scene.minutesLater(100);
    later.tries({ type: "check-budget", actor: driver }).refuses("driver.not-due");
    expect(Math.round(sumWorkedMinutes(later.state, later.at))).toBe(10);
    const resumed = later.resumes().minutesLater(5);
    expect(Math.round(sumWorkedMinutes(resumed.state, resumed.at))).toBe(15);
    const passed = resumed.does(resumed.pass());
    expect(Math.round(passed.state.spent.workedMs / minute)).toBe(15);
  });

  it("a question asked and answered within a pause counts the pause once", () => {
    const scene = atWork().minutesLater(10).pauses().minutesLater(5).asks("which?").minutesLater(5);
    const resumed = scene.replies({ message: "this" }).minutesLater(30).resumes().minutesLater(2);
    expect(Math.round(sumWorkedMinutes(resumed.state, resumed.at))).toBe(12);
  });

  it("a back-off of our own is as long as was left; a moment the CLI named stays", () => {
    const own = atWork({ wait_for_quota: true }).turnEnds("quota").minutesLater(5);
    const wait = (scene: Scenario) => (parseTime(scene.turn.notBefore ?? "") - parseTime(scene.at)) / minute;
    expect(Math.round(wait(own))).toBe(10);
    expect(Math.round(wait(own.pauses().minutesLater(300).resumes()))).toBe(10);
    const until = atWork().minutesLater(60).at;
    const named = atWork({ wait_for_quota: true }).turnEnds("quota", { until });
    expect(named.pauses().minutesLater(5).resumes().turn.notBefore).toBe(until);
  });

  const timed = `
name: Timed
version: 1.0.0
timeout: 1h
loop: {producer: implementer, critic: reviewer, max_rounds: 3, clean_passes: 1, role_switch: never, exhausted: exhausted}
start: rest
steps:
  - {name: rest, kind: wait, seconds: 600, timeout: 20m, on: {done: work}}
  - {name: work, kind: turn, role: implementer, session: resumed, answer: handoff, on: {success: gates, refused: work}}
  - {name: gates, kind: gates, on: {success: review, fail: {to: work, round: next}}}
  - {name: review, kind: turn, role: reviewer, session: fresh, answer: findings, on: {success: approval, refused: review}}
  - {name: exhausted, kind: question, ask: exhausted, on: {accept: approval, continue: $resume, reject: $cancel}}
  - {name: approval, kind: approval, on: {}}
`;

  it("timers, steps and the run do not run on", () => {
    const scene = playing(timed);
    const limits = [getWaitDeadline, getStepDeadline, getRunDeadline].map((limit) => limit(scene.state) ?? 0);
    const paused = scene.minutesLater(5).pauses();
    expect(kinds(paused)).toEqual([]);
    const entered = paused.state.position.seq;
    paused
      .minutesLater(100)
      .tries({ type: "time-up", actor: driver, what: "wait", entered, measured: true })
      .refuses("driver.not-due");
    const resumed = paused.minutesLater(100).resumes();
    const moved = [getWaitDeadline, getStepDeadline, getRunDeadline].map(
      (limit) => limit(resumed.state) ?? 0,
    );
    expect(moved.map((at, i) => Math.round((at - (limits[i] ?? 0)) / minute))).toEqual([100, 100, 100]);
  });
});

describe("every screen", () => {
  const scene = atWork().does({ ...pause, actor: anna, message: "lunch" });
  const now = scene.at;

  it("says who paused it, and what to type", () => {
    const view = buildStatusView(scene.state, { now });
    expect(view.paused).toMatchObject({ by: "anna", why: "lunch", says: "paused by anna: lunch" });
    expect(view.next).toEqual({ says: "paused by anna: lunch", command: "pairflow bubble resume --id cart" });
    expect(view.watchdog).toBeNull();
    expect(buildSummaryView(scene.state)).toMatchObject({ paused: "paused by anna: lunch", inbox: 1 });
    expect(buildInboxView(scene.state)).toMatchObject([
      { kind: "paused", text: "paused by anna: lunch", command: "pairflow bubble resume --id cart" },
    ]);
    expect(buildStatusView(scene.resumes().state, { now }).paused).toBeNull();
  });

  it("tells it in the log and in the explanation", () => {
    const told = scene.resumes({ message: "back" });
    expect(buildTimelineRow(scene.last("PAUSED")).text).toBe('by anna · "lunch"');
    expect(explain(told.log).map(({ text }) => text)).toEqual(
      expect.arrayContaining(["a human (anna) paused it: lunch", "a human resumed it: back"]),
    );
  });

  it("marks a question whose answer is kept", () => {
    const asked = atWork().asks("which one?").pauses();
    expect(buildInboxView(asked.state)).toMatchObject([
      { kind: "question", paused: "paused" },
      { kind: "paused" },
    ]);
    expect(buildStatusView(asked.state, { now }).next.command).toMatch(/bubble reply/);
  });
});
