// The review loop: every scenario under its own title, and what a human makes of a loop that has used up its iterations.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { authFlow, better, decisions, first, flags, log, play, refusesThrice, same } from "./review-scene.ts";
import { id } from "./scene.ts";
import { asOperator, cart, checks, goes, noGo, patience } from "./steps-scene.ts";

describe("Feature: Agentic review loop overlay", { timeout: patience }, () => {
  it("Scenario: Reviewer issues GO", async () => {
    const scene = play({ dev: [better], reviewer: [goes({ feedback: "All criteria met." })] });
    const status = await scene.plays(...flags);
    expect(status.state).toBe("READY_FOR_APPROVAL");
    expect(scene.turns).toEqual(["coder dev", "reviewer reviewer"]);
    expect(scene.lines("LOCKED").map(({ payload }) => payload)).toMatchObject([
      { task: "implement", decided_by: "reviewer", artifacts: [{ path: cart }] },
    ]);
    expect(log(scene)).toMatchObject({
      iterations: [{ iteration: 1, decision: "GO", feedback: "All criteria met." }],
      final_decision: "GO",
    });
  });

  it("Scenario: Reviewer issues NO_GO with rework feedback", async () => {
    const scene = play({
      dev: [first, better],
      reviewer: [
        noGo({ feedback: authFlow }),
        goes({ feedback: "It is caught now", prior: [{ id: "F1", status: "fixed" }] }),
      ],
    });
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.turns).toEqual(["coder dev", "reviewer reviewer", "coder dev", "reviewer reviewer"]);
    const [before = "", after = ""] = scene.prompts("dev");
    expect(before).not.toContain(authFlow);
    expect(after).toContain(authFlow);
    const trees = scene.lines("HANDOFF").map(({ payload }) => payload.tree);
    expect(new Set(trees).size).toBe(2);
    expect(readFileSync(join(scene.tool.worktree(id), cart), "utf8")).toBe("total: 2\n");
    // The reviewer of the second round knows what was said in the first.
    expect(scene.prompts("reviewer")[1]).toContain(authFlow);
  });

  it("Scenario: Loop exits on max iterations", async () => {
    const scene = play({ dev: [same(1), same(2), same(3)], reviewer: refusesThrice });
    const status = await scene.plays(...flags);
    expect(status).toMatchObject({ state: "WAITING_HUMAN", step: "implement/exhausted", active_agent: null });
    expect(scene.turns).toHaveLength(6);
    const [item, ...others] = await scene.inbox();
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      kind: "exhausted",
      text: expect.stringContaining("all 3 iterations are used"),
      task: { key: "implement", iteration: 3 },
      history: [
        { iteration: 1, by: "dev", summary: "try 1", critic: "reviewer", decision: "NO_GO" },
        { iteration: 2, decision: "NO_GO", critique: expect.stringContaining("still not caught") },
        { iteration: 3, decision: "NO_GO", critique: expect.stringContaining("not caught yet either") },
      ],
    });
    expect(item?.history?.[0]?.critique).toContain(authFlow);
    expect(item?.options.map(({ key }) => key)).toEqual(["accept", "continue", "reject"]);
    expect(scene.lines("LOCKED")).toEqual([]);
    expect(scene.lines("APPROVAL_REQUEST")).toEqual([]);
  });

  it("Scenario: Review decisions are auditable", async () => {
    const scene = play({
      dev: [first, better],
      reviewer: [
        noGo({
          feedback: "Missing error handling in the authentication flow.",
          over: { quality_checks: { ...checks, code_standards_met: false } },
        }),
        goes({
          feedback: "All criteria met.",
          prior: [
            { id: "F1", status: "fixed" },
            { id: "F2", status: "fixed" },
          ],
        }),
      ],
    });
    await scene.plays(...flags);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
    const entry = (iteration: number, decision: string, words: string) => ({
      iteration,
      decision,
      feedback: expect.stringContaining(words),
      timestamp: time,
    });
    const whole = {
      task_id: "implement",
      overlay: "agentic_review",
      iterations: [
        entry(1, "NO_GO", "Missing error handling in the authentication flow."),
        entry(2, "GO", "All criteria met."),
      ],
      final_decision: "GO",
      completed_at: time,
    };
    expect(log(scene)).toEqual(whole);
    expect(Object.keys(log(scene))).toEqual(Object.keys(whole));
    const shown = await scene.tool.ok("review", "log", "--id", id, "--task", "implement", "--json");
    expect(JSON.parse(shown)).toEqual(log(scene));
    expect(JSON.parse(scene.artifact("review-decisions/implement-1.json"))).toEqual({
      task_id: "implement",
      reviewer_agent: "reviewer",
      coder_agent: "dev",
      iteration: 1,
      decision: "NO_GO",
      feedback: expect.stringContaining("Missing error handling in the authentication flow."),
      quality_checks: {
        acceptance_criteria_met: true,
        code_standards_met: false,
        test_coverage_adequate: true,
        security_review_passed: true,
      },
      timestamp: time,
    });
    expect(JSON.parse(scene.artifact("review-decisions/implement-2.json"))).toMatchObject({ decision: "GO" });
  });

  it("Scenario: Quality guidelines sourced from constitution", async () => {
    const standards = "Errors of the auth flow are caught where they arise";
    const scene = play(
      { dev: [better], reviewer: [goes({ feedback: "All criteria met." })] },
      {
        files: {
          ".pairflow/constitution.md": `# Shop\n\n## Purpose\n\nSells.\n\n## Standards\n\n- ${standards}\n`,
        },
      },
    );
    await scene.plays(...flags);
    const [told = ""] = scene.prompts("reviewer");
    expect(told).toMatch(/^#+ Standards/m);
    expect(told).toContain(standards);
    expect(told).toContain("Every error is caught");
    // The coder is not told what it will be judged by.
    expect(scene.prompts("dev")[0]).not.toContain(standards);
  });

  it("Scenario: Agentic review disabled (default)", async () => {
    const scene = play(
      { dev: [better], reviewer: [] },
      { workflow: "tasks:\n  implement:\n    agent: dev\n" },
    );
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.turns).toHaveLength(1);
    expect(scene.turns[0]).toMatch(/ dev$/);
    expect(scene.lines("LOCKED")).toEqual([]);
  });
});

describe("what a human decides when the iterations are used up", { timeout: patience }, () => {
  const exhausted = async (dev: readonly object[] = [], reviewer: readonly object[] = []) => {
    const scene = play({
      dev: [same(1), same(2), same(3), ...dev],
      reviewer: [...refusesThrice, ...reviewer],
    });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    return scene;
  };

  it("accepts it with a reason: it is locked by the human, and the log keeps what the reviewer said", async () => {
    const scene = await exhausted();
    const bare = await scene.tool.run(
      "bubble",
      "reply",
      "--id",
      id,
      "--choose",
      "accept",
      ...asOperator(scene),
    );
    expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.no-reason") });
    await scene.answers("accept", "the flow is retired next week");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.lines("TASK_ENDED")[0]?.payload).toMatchObject({ status: "accepted", iterations: 3 });
    expect(scene.lines("LOCKED")[0]?.payload.decided_by).toMatch(/human/);
    expect(decisions(scene)).toEqual(["NO_GO", "NO_GO", "NO_GO"]);
    // The driver continues in the background: its view may come a moment later.
    await expect.poll(() => log(scene).final_decision, { timeout: 20_000 }).toBe("GO");
    expect(scene.artifact("done-package.md")).toContain("the flow is retired next week");
  });

  it("grants more rounds: the coder is told, and a GO in one of them ends the loop", async () => {
    const scene = await exhausted(
      [better],
      [goes({ feedback: "It is caught now", prior: [{ id: "F1", status: "fixed" }] })],
    );
    await scene.answers("continue", "look at the token first", "--rounds", "2");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.prompts("dev").at(-1)).toContain("look at the token first");
    const said = () => decisions(scene).join(" ");
    await expect.poll(said, { timeout: 20_000 }).toBe("NO_GO NO_GO NO_GO GO");
  });

  it("rejects it: nothing is signed, and the branch is kept", async () => {
    const scene = await exhausted();
    await scene.answers("reject", "another way is taken");
    await scene.until("CANCELLED");
    expect(scene.tool.git("branch", "--list", `bubble/${id}`)).toContain(`bubble/${id}`);
    expect(scene.lines("LOCKED")).toEqual([]);
    await expect.poll(() => log(scene).final_decision, { timeout: 20_000 }).toBe("NO_GO");
  });
});
