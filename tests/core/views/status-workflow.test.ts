// What people see of a run: its tasks, who drives and who challenges, what is waited for, locked and scored.
import { describe, expect, it } from "vitest";
import { renderPackage } from "../../../src/cli/render/bubble/package.ts";
import { renderStatus } from "../../../src/cli/render/bubble/status.ts";
import { renderInbox } from "../../../src/cli/render/overview/inbox.ts";
import type { QuestionKind } from "../../../src/core/model/record/question-kind.ts";
import type { Children, TaskProgress } from "../../../src/core/model/run.ts";
import type { State } from "../../../src/core/model/state.ts";
import {
  buildApprovalSubject,
  buildPackageView,
  renderPackageMarkdown,
} from "../../../src/core/signing/package.ts";
import { buildInboxView } from "../../../src/core/views/bubble/inbox.ts";
import { describeNextStep } from "../../../src/core/views/bubble/next-step.ts";
import { buildStatusView } from "../../../src/core/views/bubble/status.ts";
import { buildSummaryView } from "../../../src/core/views/bubble/summary.ts";
import { explain } from "../../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../../src/core/views/history/timeline.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver } from "../../../src/testing/scenario-actors.ts";
import { readyForApproval } from "../pair.ts";
import { agrees, hands, objects, running } from "../pair-session-scene.ts";
import { roundOf, stateOf, taskOf } from "../task-scene.ts";

const now = "2026-02-21T09:30:00.000Z";
const look = { colour: false, now, width: 200 };
const view = (state: State) => buildStatusView(state, { now, driver: { pid: 7, seat: "process" } });
const screen = (state: State) => renderStatus(view(state), look);

const paired = (driverName: string, challenger: string) => ({
  agent: driverName,
  overlays: {
    paired_workflow: {
      enabled: true,
      driver_agent: driverName,
      challenger_agent: challenger,
      max_iterations: 2,
      exit_conditions: ["pair.challenger_approved == true"],
    },
  },
});
const twoTasks = {
  tasks: {
    design: paired("architect", "pe"),
    build: { ...paired("pe", "architect"), depends_on: ["design"] },
  },
};
const locked = (scene: Scenario, path = "design.md") =>
  scene.does({
    type: "lock",
    actor: driver,
    tree: scene.owes("lock").tree,
    artifacts: [{ path, sha256: "a".repeat(64) }],
  });
const designed = () => locked(agrees(hands(objects(hands(running(twoTasks), "T1")), "T2")));

describe("the status of a run", () => {
  it("has the workflow with its tasks, the current one and its iteration", () => {
    expect(view(designed().state)).toMatchObject({
      round: 3,
      max_rounds: 4,
      workflow: {
        id: "designs",
        task: "build",
        iteration: 1,
        max_iterations: 2,
        roles: [
          { role: "driver", agent: "pe" },
          { role: "challenger", agent: "architect" },
        ],
        tasks: [
          { key: "design", status: "completed", iterations: 2, depends_on: [] },
          { key: "build", status: "running", iterations: 1, depends_on: ["design"] },
        ],
        result: null,
      },
      waiting_on: [],
      locks: [
        {
          path: "design.md",
          sha256: "a".repeat(64),
          task: "design",
          decided_by: "pe",
          time: expect.any(String),
        },
      ],
      confidence: null,
      timers: [],
    });
    expect(buildSummaryView(designed().state)).toMatchObject({ round: 3, max_rounds: 4 });
  });

  it("shows tasks with marks, the roles, the iteration and the locks", () => {
    const text = screen(designed().atWork().state);
    expect(text).toMatch(/tasks\s+✓ design · 2 iterations/);
    expect(text).toMatch(/^\s+▸ build · 1 iteration$/m);
    expect(text).toMatch(/roles\s+driver pe · challenger architect · iteration 1 of 2/);
    expect(text).toMatch(/locked\s+1 artifact$/m);
    expect(screen(objects(hands(running(twoTasks), "T1")).state)).toMatch(/^\s+· build · after design$/m);
  });

  it("says nothing of tasks where there are none", () => {
    const text = screen(readyForApproval().state);
    expect(text).not.toMatch(/^(tasks|roles|waits|score|locked|timer|result)\b.*(▸|driver|advisory)/m);
    expect(view(readyForApproval().state).workflow).toMatchObject({ task: null, tasks: [], roles: [] });
  });

  it("shows the score of the current tree as advisory, and none of another tree", () => {
    const task = taskOf({ confidence: { threshold: 0.82, metrics: { gates: 1 } } });
    const scored = (tree: string) =>
      stateOf({ task, progress: { confidence: { score: 0.85, tree, met: true } } as Partial<TaskProgress> });
    expect(view(scored("T1")).confidence).toEqual({
      task: "design",
      score: 0.85,
      threshold: 0.82,
      met: true,
      advisory: true,
    });
    expect(screen(scored("T1"))).toMatch(/score\s+0\.85 of 0\.82, met \(advisory\)/);
    expect(view(scored("T0")).confidence).toBeNull();
  });

  it("names the children that are waited for, and that the watchdog is off", () => {
    const children: Children = {
      step: "children",
      seq: 21,
      from: "base",
      wait: "all",
      maxConcurrent: 2,
      each: [
        { child: { key: "a" }, bubble: "cart-a" },
        { child: { key: "b" } },
        {
          child: { key: "c" },
          bubble: "cart-c",
          report: { key: "c", bubble: "cart-c", status: "completed", why: "done" },
        },
      ],
    };
    const base = stateOf();
    const state: State = {
      ...base,
      program: {
        ...base.program,
        steps: [
          ...base.program.steps,
          { name: "children", kind: "children", on: {}, children: [], wait: "all", max_concurrent: 2 },
        ],
      },
      position: { ...base.position, step: "children" },
      children,
    };
    expect(view(state)).toMatchObject({
      active_agent: null,
      waiting_on: [
        { key: "a", bubble: "cart-a", status: "running" },
        { key: "b", bubble: null, status: "waiting" },
        { key: "c", bubble: "cart-c", status: "completed" },
      ],
      watchdog: null,
      watchdog_off: "children are at work",
      next: { says: "children are at work: a, b", command: null },
    });
    expect(screen(state)).toMatch(/waits\s+on 2 of 3 children; the watchdog is off/);
    expect(view({ ...state, children: { ...children, joined: true } }).waiting_on).toEqual([]);
  });

  it("says when the time of a step is up", () => {
    const base = stateOf();
    const state: State = {
      ...base,
      program: {
        ...base.program,
        steps: base.program.steps.map((step) =>
          step.name === "design" ? { ...step, timeout_s: 3600 } : step,
        ),
      },
      position: { ...base.position, at: "2026-02-21T09:00:00.000Z" },
    };
    expect(view(state).timers).toEqual([{ what: "step", until: "2026-02-21T10:00:00.000Z" }]);
    expect(screen(state)).toMatch(/timer\s+the step's time is up in 30/);
  });

  it.each<[QuestionKind, string]>([
    ["sign-off", "a human must sign for the task"],
    ["signal", "the workflow calls for a human"],
    ["conflict", "what the children made does not fit together: a human must answer"],
    ["child-failed", "a child has not finished its work: a human must answer"],
    ["timeout", "the time is up: a human must answer"],
    ["pair-corrupt", "the state of the pair is not to be trusted: a human must answer"],
    ["exhausted", "a human must answer"],
  ])("says why a human is asked: %s", (kind, says) => {
    const question = { id: "q9", seq: 9, kind, from: "orchestrator", text: "?", at: now };
    const waiting = stateOf({}, { lifecycle: "WAITING_HUMAN", questions: [question] });
    expect(describeNextStep(waiting, {})).toMatchObject({
      says,
      command: expect.stringContaining("bubble reply"),
    });
  });
});

describe("the inbox of a run", () => {
  it("has the whole history of a task whose rounds are used up, and what each answer does", () => {
    const used = objects(hands(objects(hands(running(twoTasks), "T1")), "T2"), "Still no strategy");
    const [item] = buildInboxView(used.state);
    expect(item).toMatchObject({
      kind: "exhausted",
      task: { key: "design", iteration: 2 },
      options: [{ key: "accept" }, { key: "continue" }, { key: "reject" }],
      history: [
        { iteration: 1, by: "architect", summary: "made T1", critic: "pe", decision: "NO_GO" },
        {
          iteration: 2,
          by: "architect",
          summary: "made T2",
          critique: expect.stringContaining("Still no strategy"),
        },
      ],
    });
    const text = renderInbox(buildInboxView(used.state), look);
    expect(text).toContain("task design, iteration 2");
    expect(text).toMatch(/2\s+architect: "made T2"\s+pe NO_GO: "Still no strategy/);
    expect(text).toMatch(/accept\s+\S/);
  });

  it("tells the newest rounds of many", () => {
    const question = {
      id: "q9",
      seq: 9,
      kind: "exhausted" as const,
      from: "orchestrator",
      text: "?",
      at: now,
    };
    const history = Array.from({ length: 8 }, (_, i) => roundOf(i + 1));
    const state = stateOf(
      { progress: { history } },
      { lifecycle: "WAITING_HUMAN", questions: [question], round: 8 },
    );
    expect(buildInboxView(state)[0]?.history).toHaveLength(8);
    const text = renderInbox(buildInboxView(state), look);
    expect(text).toContain("3 earlier rounds");
    expect(text).not.toContain("made version 3");
    expect(text).toContain("made version 4");
  });
});

describe("explain and the timeline of a run", () => {
  it("tell how tasks began and ended, and why", () => {
    const lines = explain(designed().log).map(({ text }) => text);
    expect(lines).toEqual([
      "task design began: architect is driver, pe is challenger",
      "round 1 continued: F1 (P1, Total ignores discount) is open",
      "round 2 ended the loop: pair.challenger_approved == true holds",
      expect.stringMatching(/^task design completed after 2 iterations: /),
      "task build began: pe is driver, architect is challenger",
    ]);
  });

  it("have a readable line for everything a workflow writes", () => {
    const rows = designed().log.map(buildTimelineRow);
    const text = (what: string) => rows.find((row) => row.what === what)?.text;
    expect(text("task started")).toMatch(/^design · driver architect, challenger pe · /);
    expect(text("locked")).toBe("design · design.md · decided by pe");
    expect(text("task ended")).toMatch(/^design completed after 2 iterations · /);
    for (const row of rows) expect(row.text, row.what).not.toMatch(/undefined|\[object/);
  });
});

describe("the package of a run", () => {
  const state = () =>
    stateOf(
      {
        progress: {
          status: "accepted",
          iterations: 4,
          history: [roundOf(1)],
          confidence: { score: 0.7, tree: "T1", met: false },
        },
      },
      {
        locks: [
          { path: "design.md", sha256: "b".repeat(64), task: "design", decidedBy: "bob", at: now, seq: 30 },
        ],
        result: { result: "accepted", why: "a human accepted a task as it is" },
      },
    );

  it("shows what became of the tasks, the result, the locks and the advisory scores", () => {
    const markdown = renderPackageMarkdown(buildPackageView(state()));
    expect(markdown).toContain("## Tasks\n\n- design: accepted by a human after 4 iterations");
    expect(markdown).toContain("## Result of the run\n\n- accepted: a human accepted a task as it is");
    expect(markdown).toContain("## Locked artifacts\n\n- design.md (bbbbbbbbbbbb, decided by bob)");
    expect(markdown).toContain("## Confidence (advisory)\n\n- design: 0.70");
    expect(markdown).toContain("a human accepted the task design as it was after 4 iterations");
    const text = renderPackage(buildPackageView(state()), {
      digest: "d".repeat(64),
      head: "1",
      colour: false,
    });
    expect(text).toMatch(/task\s+design: accepted by a human after 4 iterations/);
    expect(text).toMatch(/score\s+design: 0\.70 \(advisory\)/);
  });

  it("is signed with its tasks, result and locks, but not with a score", () => {
    const subject = (more: Partial<State> = {}) => buildApprovalSubject({ ...state(), ...more }, "sha");
    expect(subject({ result: { result: "approved", why: "" } })).not.toBe(subject());
    expect(subject({ locks: [] })).not.toBe(subject());
    const design = state().tasks?.design as TaskProgress;
    const rescored = { ...design, confidence: { score: 0.9, tree: "T1", met: true } };
    expect(subject({ tasks: { design: rescored } })).toBe(subject());
    expect(subject({ tasks: { design: { ...design, status: "completed" } } })).not.toBe(subject());
  });

  it("leaves what bubbles without tasks sign as it was", () => {
    expect(JSON.parse(buildApprovalSubject(readyForApproval().state, "sha"))).not.toHaveProperty("run");
    expect(renderPackageMarkdown(buildPackageView(readyForApproval().state))).not.toContain("## Tasks");
  });
});
