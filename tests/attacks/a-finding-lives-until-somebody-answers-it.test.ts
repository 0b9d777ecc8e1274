// A finding that sent a plan back was once recorded as withdrawn because its phase was over, and nobody had to confirm that
// the objection was met; that of a task without rounds vanished with the task.
import { describe, expect, it } from "vitest";
import { buildPrompt } from "../../src/core/briefing/prompt.ts";
import type { Opinion } from "../../src/core/model/review/verdict.ts";
import { listSentencesBeforeSigning } from "../../src/core/package/list.ts";
import { buildPackageView, renderPackageMarkdown } from "../../src/core/signing/package.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { p1 } from "../core/pair.ts";
import { pairDocument, playing } from "../core/tasks-play.ts";
import { built, codePassed, handsPlan, planning, planPassed } from "./pipeline-in-memory.ts";

const told = (scene: Scenario) =>
  buildPrompt(scene.state, scene.turn, {
    ...{ roleText: "", task: "Codes", worktree: "/work", out: "/out", artifact: (name) => name },
    ...{ summary: "", voice: "verbs", resumed: false },
  });
const open = ({ state }: Scenario) =>
  buildStatusView(state, { now: state.lastAt }).findings.open.map(({ id }) => id);

describe.each(["misscoped", "architectural"] as const)("a finding that is %s", (route) => {
  const opinion: Opinion = { dialect: "status", decision: "revise", sop_review: [], patterns: [], route };
  const sentBack = () => built(planPassed(planning())).judges({ findings: [p1], opinion });

  it("stays open for the planner and for the reviewers of the refined plan, who must answer it", () => {
    const back = sentBack();
    expect(back.state.position).toMatchObject({ step: "plan_refining", outcome: route });
    expect(open(back)).toEqual(["F1"]);
    expect(told(back.atWork())).toMatch(/## Findings\n\n[^#]*F1/);
    const refined = handsPlan(back).atWork();
    expect(refined.turn.role).toBe("plan-reviewer");
    expect(told(refined)).toMatch(/F1/);
    refined.tries(refined.pass({ noFindings: true })).refuses("review.unanswered", { details: /F1 P1/ });
    refined
      .tries(refined.pass({ noFindings: true, answers: [{ id: "F1", status: "withdrawn" }] }))
      .refuses("finding.no-reason");
  });

  it("is closed by the answer and by nothing else, and the work continues", () => {
    const refined = planPassed(sentBack());
    expect(refined.state.findings).toMatchObject([{ id: "F1", status: "fixed" }]);
    const done = codePassed(built(refined, "T2"));
    expect(done.state.position.step).toBe("approval");
    expect(JSON.stringify(done.log)).not.toContain("its phase is over");
  });
});

describe("the open finding of a task that ran out of rounds", () => {
  it("stands in status, in its JSON and in the package of the run", () => {
    const tasks = pairDocument({
      pair: "max_iterations: 1",
      overlays: "hil: { enabled: false }",
      tasks: "notes:\n  agent: dev",
    });
    const over = playing(tasks)
      .hands("T1")
      .judges({ findings: [p1] })
      .hands("T2");
    expect(over.state.tasks?.design?.status).toBe("exceeded");
    expect(open(over)).toEqual(["F1"]);
    expect(renderPackageMarkdown(buildPackageView(over.state))).toContain(`F1 P1 ${p1.title}: open`);
    expect(listSentencesBeforeSigning(over.state).map(({ code }) => code)).toEqual(
      expect.arrayContaining(["finding.open", "task.exceeded"]),
    );
  });
});
