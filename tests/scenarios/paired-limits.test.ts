// The paired workflow: iterations that are used up, what a human makes of it, and what happens when no human is asked.
import { describe, expect, it } from "vitest";
import { accepts, drafts, pairScene, pairTask, rejects } from "./pair-scene.ts";
import { id, makes, type Scene, walked } from "./scene.ts";

const four = [1, 2, 3, 4].map((n) => drafts(`Draft ${n}`));
const never = [rejects("Objection 1"), ...[2, 3, 4].map((n) => rejects(`Objection ${n}`, "F1"))];
const ended = (scene: Scene) =>
  scene.lines("TASK_ENDED").map(({ payload }) => `${payload.task} ${payload.status}`);

/** All iterations without an exit: the run has stopped at a question, and nobody drives. */
async function exhausted(
  iterations: number,
  pe: readonly unknown[] = [],
  architect: readonly unknown[] = [],
): Promise<Scene> {
  const scene = pairScene(
    pairTask([`max_iterations: ${iterations}`]),
    [...four.slice(0, iterations), ...pe],
    [...never.slice(0, iterations), ...architect],
  );
  expect(await scene.plays()).toMatchObject({
    state: "WAITING_HUMAN",
    round: iterations,
    driver: { alive: false },
  });
  return scene;
}

describe.concurrent("Feature: Paired workflow overlay", () => {
  it("Max iterations reached", async () => {
    const scene = await exhausted(4);
    expect(scene.turns.filter((turn) => turn === "driver pe")).toHaveLength(4);
    expect(scene.turns.filter((turn) => turn === "challenger architect")).toHaveLength(4);
    expect(walked(scene.log)).not.toContain("design/judge exit");
    expect(scene.lines("LOCKED")).toEqual([]);
    const [item] = await scene.inbox();
    expect(item).toMatchObject({ bubble: id, kind: "exhausted", task: { key: "design", iteration: 4 } });
    expect(item?.options.map(({ key }) => key)).toEqual(["accept", "continue", "reject"]);
    expect(item?.history).toMatchObject(
      [1, 2, 3, 4].map((n) => ({
        iteration: n,
        by: "pe",
        summary: `Draft ${n}`,
        critic: "architect",
        critique: `Objection ${n}`,
        decision: "NO_GO",
      })),
    );
    const shown = await scene.tool.ok("inbox");
    for (const n of [1, 2, 3, 4]) expect(shown).toMatch(new RegExp(`Draft ${n}.*Objection ${n}`));
  });

  it("Max iterations reached: a human accepts with a reason", async () => {
    const scene = await exhausted(2);
    const without = await scene.tool.run(
      "bubble",
      "reply",
      "--id",
      id,
      "--choose",
      "accept",
      "--operator-key",
      scene.tool.key,
    );
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.no-reason") });
    await scene.answers("accept", "good enough for a first release");
    await scene.until("READY_FOR_APPROVAL");
    expect(ended(scene)).toEqual(["design accepted"]);
    expect(scene.lines("LOCKED")[0]?.payload).toMatchObject({
      decided_by: "a human",
      artifacts: [{ path: "design.md" }],
    });
    expect(scene.lines("RUN_RESULT")[0]?.payload.result).toBe("accepted");
    await scene.signs();
    expect(scene.committed("design.md")).toContain("Draft 2");
  });

  it("Max iterations reached: a human grants two more rounds with notes", async () => {
    const scene = await exhausted(
      1,
      [drafts("Draft 2"), drafts("Draft 3")],
      [rejects("Objection 2", "F1"), accepts("Ready", "F1")],
    );
    await scene.answers("continue", "think of the stock", "--rounds", "2");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.prompts("pe")[1]).toContain("think of the stock");
    expect(scene.prompts("pe")).toHaveLength(3);
    expect(scene.lines("HUMAN_QUESTION")).toHaveLength(1);
    expect(ended(scene)).toEqual(["design completed"]);
    expect(scene.lines("TASK_ENDED")[0]?.payload.iterations).toBe(3);
  });

  it("Max iterations reached: granted rounds that are used up lead to the human again", async () => {
    const scene = await exhausted(1, [drafts("Draft 2")], [rejects("Objection 2", "F1")]);
    await scene.answers("continue", "once more");
    const asked = await scene.until("WAITING_HUMAN");
    expect(asked.round).toBe(2);
    const [item] = await scene.inbox();
    expect(item?.history).toHaveLength(2);
    await scene.answers("reject", "this leads nowhere");
    await scene.until("CANCELLED");
  });

  it("Max iterations reached: a human rejects", async () => {
    const scene = await exhausted(2);
    await scene.answers("reject", "this leads nowhere");
    const over = await scene.until("CANCELLED");
    expect(JSON.stringify(over)).toContain("this leads nowhere");
    expect(scene.lines("LOCKED")).toEqual([]);
    expect(ended(scene)).toEqual([]);
  });

  it("Max iterations reached: with HIL off nothing is asked and the task is flagged", async () => {
    const workflow = [
      pairTask(["max_iterations: 2"], { overlays: ["hil: { enabled: false }"] }),
      "  build:\n    agent: dev\n    depends_on: [design]\n",
      "  ship:\n    agent: dev\n    depends_on: [build]\n",
      "  notes:\n    agent: dev\n",
    ].join("");
    const scene = pairScene(workflow, four.slice(0, 2), never.slice(0, 2), {
      agents: { dev: [makes("notes.md", "notes\n")] },
    });
    const done = await scene.run();
    expect(done.stderr + done.stdout).toContain("max_iterations_exceeded");
    expect(await scene.status()).toMatchObject({ state: "FAILED" });
    expect(scene.lines("TASK_ENDED").map(({ payload }) => payload)).toMatchObject([
      { task: "design", status: "exceeded", flag: "max_iterations_exceeded", iterations: 2 },
      { task: "build", status: "skipped", iterations: 0 },
      { task: "ship", status: "skipped" },
      { task: "notes", status: "completed" },
    ]);
    expect(scene.lines("TASK_STARTED").map(({ payload }) => payload.task)).toEqual(["design", "notes"]);
    expect(scene.lines("HUMAN_QUESTION")).toEqual([]);
    expect(scene.lines("LOCKED")).toEqual([]);
    expect(await scene.inbox()).toEqual([]);
    expect(scene.lines("FAILED")[0]?.payload.code).toBe("max_iterations_exceeded");
  });

  it("Max iterations reached: T2 still asks for a signature when HIL is off", async () => {
    const overlays = ["hil: { enabled: false }", "policy_gate: { enabled: true, risk_tier: T2 }"];
    const scene = pairScene(
      pairTask([], { overlays }),
      [drafts("Draft 1"), drafts("Draft 2")],
      [accepts("Ready"), accepts("Ready again")],
    );
    expect(await scene.plays()).toMatchObject({ state: "WAITING_HUMAN" });
    expect((await scene.inbox())[0]).toMatchObject({ kind: "sign-off" });
    expect(scene.lines("LOCKED")).toEqual([]);
    await scene.answers("rework", "name the owner of each service");
    await scene.tool.until(
      id,
      ({ state, round }) => state === "WAITING_HUMAN" && round === 2,
      "asked again",
      60_000,
    );
    expect(scene.prompts("pe")[1]).toContain("name the owner of each service");
    await scene.answers("approve", "signed");
    await scene.until("READY_FOR_APPROVAL");
    expect(ended(scene)).toEqual(["design completed"]);
    expect(scene.lines("LOCKED")[0]?.payload.decided_by).toBe("a human");
  });
});
