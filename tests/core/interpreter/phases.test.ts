// Phases of a workflow: entered and left by routes, each with a loop, a budget, reviews and findings of its own.
import { describe, expect, it } from "vitest";
import { fold } from "../../../src/core/bubble/evolve.ts";
import type { Opinion } from "../../../src/core/model/review/verdict.ts";
import { listOpenFindings } from "../../../src/core/state/severity.ts";
import { getCurrentTask, getIteration } from "../../../src/core/state/workflow-position.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { buildPhaseViews } from "../../../src/core/views/pipeline/trail.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import {
  building,
  builtIn,
  chainOf,
  defect,
  handsIn,
  objects,
  passes,
  planned,
  running,
  twoPhases,
} from "../phase-scene.ts";

const who = (scene: Scenario) => scene.turn.agent;
const step = (scene: Scenario) => scene.state.position.step;
const begun = (scene: Scenario) =>
  scene.log.flatMap(({ type, payload }) =>
    type === "TASK_STARTED" || type === "TASK_ENDED"
      ? [`${type === "TASK_STARTED" ? "+" : "-"}${(payload as { task: string }).task}`]
      : [],
  );
const redo = (scene: Scenario, name: string) =>
  scene.tries({ type: "redo", actor: operator, step: name, reason: "it was wrong" });
const redone = (scene: Scenario, name: string) =>
  scene.does({ type: "redo", actor: operator, step: name, reason: "it was wrong" });
const says = (over: Partial<Opinion>): Opinion => ({
  dialect: "findings",
  decision: "revise",
  sop_review: [],
  patterns: [],
  ...over,
});

describe("a phase", () => {
  it("begins with its first step and a round of its own, and ends when another one begins", () => {
    const scene = running(twoPhases());
    expect(begun(scene)).toEqual(["+plan"]);
    expect(scene.state).toMatchObject({ round: 1, tasks: { plan: { status: "running", firstRound: 1 } } });
    const asked = planned(scene);
    expect(begun(asked)).toEqual(["+plan"]);
    expect(getCurrentTask(asked.state)).toBeUndefined();
    const work = asked.replies({ choice: "approve" });
    expect(begun(work)).toEqual(["+plan", "-plan", "+build"]);
    expect(work.state).toMatchObject({
      round: 2,
      tasks: {
        plan: { status: "completed", iterations: 1 },
        build: { status: "running", firstRound: 2 },
      },
    });
    expect(getIteration(work.state)).toBe(1);
  });

  it("has the roles of its loop", () => {
    const scene = handsIn(running(twoPhases()), "plan");
    expect([who(scene), scene.turn.role]).toEqual(["ann", "critic"]);
    const work = building();
    expect([who(work), work.turn.role]).toEqual(["wim", "worker"]);
    expect(work.hands("T1").turn.role).toBe("judge");
  });

  it("counts its rounds by itself", () => {
    const twice = handsIn(objects(handsIn(running(twoPhases()), "plan")), "plan");
    expect(getIteration(twice.state)).toBe(2);
    const work = passes(passes(twice)).replies({ choice: "approve" });
    expect(work.state.round).toBe(3);
    expect(getIteration(work.state)).toBe(1);
  });

  it("begins without any review: an approved plan is no approved work", () => {
    const work = building();
    expect(work.state.reviews).toEqual([]);
    expect(work.state.tasks?.build?.chain).toBeUndefined();
    expect(step(work.hands("T1"))).toBe("review");
  });

  it("continues with what another phase has left open, until its critics answer it", () => {
    const minor = { ...defect("Name is vague"), severity: "P3" as const };
    const handed = handsIn(running(twoPhases()), "plan");
    const passed = handed.judges({ findings: [minor], opinion: says({ decision: "approve" }) });
    const both = passed.judges({
      opinion: says({ decision: "approve" }),
      answers: [{ id: "F1", status: "open", reason: "it is vague" }],
    });
    const work = both.replies({ choice: "approve" });
    expect(listOpenFindings(work.state)).toMatchObject([{ id: "F1", status: "open" }]);
    const judging = work.hands("T1").atWork();
    judging.tries(judging.pass({ noFindings: true })).refuses("review.unanswered", { details: /F1 P3/ });
    const done = passes(passes(work.hands("T1")));
    expect(step(done)).toBe("approval");
    expect(done.state.findings).toMatchObject([{ id: "F1", status: "fixed" }]);
  });

  it("continues after a question inside it, and after steps between phases", () => {
    const stuck = handsIn(running(twoPhases()), "plan").judges({
      findings: [defect("No test")],
      opinion: says({ route: "architectural" }),
    });
    expect(step(stuck)).toBe("plan_stuck");
    const again = stuck.replies({ choice: "continue" });
    expect(begun(again)).toEqual(["+plan"]);
    expect(who(again)).toBe("pat");
    const back = planned(again).replies({ choice: "rework", message: "smaller" });
    expect(begun(back)).toEqual(["+plan"]);
    expect(who(back)).toBe("pat");
    expect(back.state.round).toBe(3);
  });
});

describe("money that is used up", () => {
  const much = { input: 5000, output: 10 };
  const offered = (scene: Scenario) =>
    scene.budgetIsChecked().state.questions[0]?.options?.map(({ key }) => key);

  it("does not let a paper be accepted as the work", () => {
    const setting = { config: { budget: { max_tokens: 1000 } } };
    const judged = handsIn(running(twoPhases(), setting), "plan").atWork().uses(much);
    expect(judged.state.tree?.paper).toBeDefined();
    expect(offered(judged)).toEqual(["continue", "reject"]);
    const accept = { type: "reply", actor: operator, choice: "accept", message: "ship it" } as const;
    judged.budgetIsChecked().tries(accept).refuses("reply.unknown-choice");
    const work = building(running(twoPhases(), setting)).hands("T1").atWork().uses(much);
    expect(offered(work)).toEqual(["accept", "continue", "reject"]);
  });
});

describe("the budget of a phase", () => {
  const refusedAtGate = (scene: Scenario) => objects(passes(scene));

  it("is its own: what a human grants in one is not there in the next", () => {
    let scene = running(twoPhases());
    for (let i = 0; i < 2; i++) scene = refusedAtGate(handsIn(scene, "plan"));
    expect(step(scene)).toBe("plan_exceeded");
    scene = scene.replies({ choice: "continue", rounds: 5 });
    expect(scene.state.extraRounds).toBe(5);
    let work = building(scene);
    expect(work.state.extraRounds).toBe(0);
    for (let i = 0; i < 2; i++) work = refusedAtGate(work.hands(`T${i + 1}`));
    expect(step(work)).toBe("build_exceeded");
  });

  it("holds where a step between phases leads back to it, and its own question is asked", () => {
    let scene = running(twoPhases({ planRounds: 1 }));
    scene = refusedAtGate(handsIn(scene, "plan"));
    scene = planned(scene.replies({ choice: "continue" }));
    scene = scene.replies({ choice: "rework", message: "smaller" });
    expect(who(scene)).toBe("pat");
    const again = objects(passes(handsIn(scene, "plan")));
    expect(step(again)).toBe("plan_exceeded");
  });

  it("is no other's: many rounds of a plan do not send the person to the requirements", () => {
    const papers = { "user-story": { title: "Codes", test_criteria: { commands: ["npm test"] } } };
    let scene = running(builtIn("pipeline"), {
      payload: { papers, request: "Codes" },
      config: { agents: pipelineCast },
    });
    expect(step(scene)).toBe("plan_drafting");
    for (let i = 0; i < 25; i++) {
      scene = handsIn(scene, "plan-refined");
      if (step(scene) === "plan_refining") scene = handsIn(scene, "plan-refined");
      scene = objects(scene);
      if (step(scene) === "plan_exceeded") scene = scene.replies({ choice: "continue", rounds: 30 });
    }
    scene = handsIn(scene, "plan-refined");
    while (scene.state.turn?.role === "plan-reviewer") scene = passes(scene);
    expect(step(scene)).toBe("commands");
    const refused = scene.replies({ choice: "refuse", message: "no lint" });
    expect(step(refused)).toBe("plan_refining");
    expect(begun(refused)).toEqual(["+plan"]);
  });

  it("has a round when it is gone back to, and no more than that", () => {
    let work = building();
    work = work
      .hands("T1")
      .judges({ findings: [defect("Wrong design")], opinion: says({ route: "architectural" }) });
    expect(step(work)).toBe("stuck");
    const back = work.replies({ choice: "continue", message: "plan again" });
    expect(begun(back)).toEqual(["+plan", "-plan", "+build", "-build", "+plan"]);
    expect(who(back)).toBe("pat");
    expect(listOpenFindings(back.state)).toMatchObject([{ id: "F1", title: "Wrong design" }]);
    expect(chainOf(back.state, "plan")).toMatchObject({ next: 0, passed: {} });
    expect(back.state.extraRounds).toBe(0);
    const refined = handsIn(back, "plan").atWork();
    expect(refined.turn.agent).toBe("ann");
    refined
      .tries(refined.pass({ noFindings: true }))
      .refuses("review.unanswered", { details: /F1 P1 Wrong design/ });
    const open = { answers: [{ id: "F1", status: "open" }] } as const;
    expect(listOpenFindings(refined.judges(open).state)).toMatchObject([{ id: "F1" }]);
    expect(passes(refined).state.findings).toMatchObject([{ id: "F1", status: "fixed" }]);
  });

  it("that a finding sent work back to is bounded: a human is asked, and may waive it", () => {
    const sent = building()
      .hands("T1")
      .judges({ findings: [defect("Wrong design")], opinion: says({ route: "architectural" }) });
    let plan = sent.replies({ choice: "continue" });
    const open = { answers: [{ id: "F1", status: "open" }] } as const;
    for (let turn = 0; turn < 20 && plan.state.lifecycle === "RUNNING"; turn++)
      plan = plan.turn.role === "planner" ? handsIn(plan, "plan") : plan.judges(open);
    expect(step(plan)).toBe("plan_exceeded");
    const accepted = plan.replies({ choice: "accept", message: "we live with it" });
    expect(accepted.state.findings).toMatchObject([{ id: "F1", status: "waived" }]);
  });

  it("gone back to counts how often its critics began again, not its rounds", () => {
    let plan = running(twoPhases({ planRounds: 2 }));
    plan = objects(handsIn(plan, "plan"));
    plan = objects(handsIn(plan, "plan"));
    expect(chainOf(plan.state, "plan").restarts).toBe(1);
    const work = building(plan);
    const stuck = work
      .hands("T1")
      .judges({ findings: [defect("x")], opinion: says({ route: "architectural" }) });
    const back = stuck.replies({ choice: "continue" });
    expect(back.state.extraRounds).toBe(0);
    expect(step(objects(passes(handsIn(back, "plan"))))).toBe("plan_exceeded");
  });
});

it("explain names the phase and its round as the status does", () => {
  const work = objects(building().hands("T1"), "Total is wrong");
  const told = explain(work.log).map(({ text }) => text);
  const round = buildPhaseViews(work.state).find(({ phase }) => phase === "build")?.round;
  expect(told.at(-1)).toMatch(new RegExp(`^build, round ${(round ?? 0) - 1} continued: `));
});

describe("a step that is taken back", () => {
  it("in an earlier phase opens that phase again, with its critics, and forgets the later one", () => {
    const work = objects(building().hands("T1"), "Total is wrong");
    const back = redone(work, "draft");
    expect(who(back)).toBe("pat");
    expect(back.state.tasks).not.toHaveProperty("build");
    expect(back.state.tasks?.plan).toMatchObject({ status: "running" });
    expect(listOpenFindings(back.state)).toMatchObject([{ title: "Total is wrong" }]);
    expect(back.state.round).toBe(work.state.round + 1);
    const again = handsIn(back, "plan");
    expect(who(again)).toBe("ann");
    expect(step(passes(passes(again)))).toBe("sign");
  });

  it("cannot be one between phases that would go past the critics", () => {
    const work = building();
    const again = handsIn(redone(work, "draft"), "plan");
    expect(redo(again, "sign").decision.refusal).toMatchObject({ code: "redo.not-judged" });
    expect(redo(again, "has_plan").decision.refusal).toMatchObject({ code: "redo.not-judged" });
    expect(redo(again, "work").decision.refusal).toMatchObject({ code: "redo.not-reached" });
  });

  it("cannot be a judge of something else than what its phase makes", () => {
    const work = building().hands("T1");
    expect(redo(work, "plan_review").decision.refusal).toMatchObject({
      code: "redo.not-judged",
      hint: expect.stringContaining("--step draft"),
    });
    const again = building(redone(work, "draft"));
    expect(again.state.tree?.paper).toBeDefined();
    expect(redo(again, "review").decision.refusal).toMatchObject({ code: "redo.not-judged" });
  });

  it("with a critic begins the chain again", () => {
    const gate = passes(building().hands("T1"));
    expect(who(gate)).toBe("cleo");
    const back = redone(gate, "review");
    expect(who(back)).toBe("ann");
    expect(step(passes(passes(back)))).toBe("approval");
  });
});

describe("the record of a run with phases", () => {
  it("tells the same from every line on", () => {
    const scene = passes(passes(objects(building().hands("T1")).hands("T2")));
    for (let i = 1; i < scene.log.length; i++)
      expect(fold(scene.log.slice(i), fold(scene.log.slice(0, i)))).toEqual(scene.state);
  });

  it("ends with one approval, and rework goes to whoever makes files", () => {
    const ready = passes(passes(building().hands("T1"))).packageWritten();
    expect(ready.state.lifecycle).toBe("READY_FOR_APPROVAL");
    const back = ready.reworks("the other total too");
    expect([who(back), step(back)]).toEqual(["wim", "work"]);
    expect(
      passes(passes(back.hands("T2")))
        .packageWritten()
        .approves()
        .commits().state.lifecycle,
    ).toBe("DONE");
  });
});

const pipelineCast = {
  "requirements-gatherer": "gil",
  planner: "pat",
  "plan-reviewer": "ann",
  "code-reviewer": "ann",
  implementer: "wim",
  sonnet: "ann",
  opus: "ben",
  codex: "cleo",
};
