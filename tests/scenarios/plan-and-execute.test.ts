// plan-and-execute.json as its specification prints it, driven through each of its branches by real processes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bad, fixed, flags, good, play, right, specified, words, wrong } from "./plan-scene.ts";
import { id, walked } from "./scene.ts";
import { approves, cart, entered, events, patience, question, rejects } from "./steps-scene.ts";

describe("plan-and-execute.json", { timeout: patience }, () => {
  it("is the one of the specification, byte by byte", () => {
    const file = join(import.meta.dirname, "..", "..", "workflows", "plan-and-execute.json");
    expect(readFileSync(file, "utf8")).toBe(specified);
  });

  it("approved: the task is complete, the step named complete runs, and a human signs before anything is committed", async () => {
    const pattern = { name: "totals", pattern: "Totals stand on the first line", applies_to: "src/*" };
    const scene = play({ dev: [right], rev: [approves({ ...good, over: { patterns: [pattern] } })] });
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(entered(scene)).toEqual([
      "developer",
      "structural_gates",
      "assemble_context",
      "reviewer",
      "validate_review",
      "verdict_check",
      "complete",
      "end",
      "approval",
    ]);
    expect(events(scene)).toEqual([
      { event: "workflow.task.complete", task_id: id, status: "approved", patterns: [pattern] },
      { event: "task_execution_complete", task_id: id, iterations: 1 },
    ]);
    expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["approved"]);
    const [told = ""] = scene.prompts("dev");
    expect(told).toContain("Implement the following task.\n\nTask: Make the total two");
    expect(scene.prompts("rev")[0]).toContain(
      "Review the following implementation for production readiness.",
    );
    expect(scene.prompts("rev")[0]).toContain("+total: 2");
    await scene.signs();
    await scene.until("DONE");
    expect(scene.committed(cart)).toBe("total: 2\n");
  });

  it("rejected as fixable: the developer goes again with the feedback, then it is approved", async () => {
    const scene = play({ dev: [wrong(1), right], rev: [rejects("fixable", bad), approves(fixed)] });
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(entered(scene)).toEqual(
      expect.arrayContaining(["categorize_rejection", "retry_developer_feedback", "complete"]),
    );
    expect(scene.prompts("dev")[1]).toContain(
      `Reviewer rejected implementation. Address the feedback:\n\n${bad.feedback}`,
    );
    expect(scene.prompts("dev")[1]).toContain("Original task: Make the total two");
    expect(events(scene)).toContainEqual({ event: "rejection_categorized", type: "fixable" });
    expect(events(scene).at(-1)).toMatchObject({ event: "task_execution_complete", iterations: 2 });
  });

  it("gates failing: the reviewer is not asked, and the developer gets what the gates said", async () => {
    const scene = play({ dev: [wrong(1), right], rev: [approves(good)] });
    const gate = "grep -q 'total: 2' src/cart.txt || { echo 'the total is off'; exit 1; }";
    expect((await scene.plays(...words, "--test", gate)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.turns).toEqual(["developer dev", "developer dev", "reviewer rev"]);
    expect(walked(scene.log)).toContain("structural_gates fail");
    const told = scene.prompts("dev")[1] ?? "";
    expect(told).toContain("Structural gate checks failed. Fix the following issues:");
    expect(told.slice(told.indexOf("Structural gate checks failed"))).toMatch(/the total is off/);
  });
});

const sibling = (name: string) => `id: ${name}
name: ${name}
steps:
  - name: note
    action:
      type: publish
      subject: workflow.events
      payload:
        event: ${name}
        task: "\${trigger.payload.original_task_id}"
        feedback: "\${trigger.payload.feedback}"
        slug: "\${trigger.payload.plan_slug}"
`;

describe.each([
  ["misscoped", "plan-refinement", "check_misscoped"],
  ["architectural", "design-refinement", "check_architectural"],
  ["too_big", "task-decomposition", "check_too_big"],
])("rejected as %s", { timeout: patience }, (type, workflow, step) => {
  it(`starts ${workflow} with the feedback, and this run ends as routed`, async () => {
    const scene = play(
      { dev: [wrong(1)], rev: [rejects(type, bad)] },
      { files: { [`.pairflow/workflows/${workflow}.yaml`]: sibling(workflow) } },
    );
    expect((await scene.plays(...flags)).state).toBe("CANCELLED");
    const other = `${id}-${workflow}`;
    expect(scene.lines("WORKFLOW_STARTED")[0]?.payload).toEqual({ step, workflow, bubble: other });
    expect(entered(scene).slice(-2)).toEqual(["complete", "end"]);
    expect((await scene.status()).end).toMatchObject({ code: "routed" });
    expect(events(scene)).toEqual([{ event: "task_execution_complete", task_id: id, iterations: 1 }]);
    expect(scene.tool.git("branch", "--list", `bubble/${id}`)).toContain(`bubble/${id}`);
    await scene.tool.until(other, ({ state }) => state === "DONE", `${other} is done`, 60_000);
    const noted = scene.tool.log(other).find(({ type: what }) => what === "EVENT")?.payload;
    expect(noted).toEqual({
      event: "workflow.events",
      payload: { event: workflow, task: id, feedback: expect.stringContaining(bad.feedback), slug: id },
    });
  });
});

describe("a rejection that leads nowhere", { timeout: patience }, () => {
  it("asks a human when the workflow cannot be run, and starts it when it can", async () => {
    const scene = play(
      { dev: [wrong(1)], rev: [rejects("misscoped", bad)] },
      { files: { ".pairflow/workflows/plan-refinement.yaml": "steps: []\n" } },
    );
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(question(scene)).toMatchObject({
      kind: "signal",
      question: expect.stringContaining("plan-refinement could not be started"),
    });
    expect(scene.lines("WORKFLOW_STARTED")[0]?.payload.problem).toContain("plan-refinement");
    scene.tool.write(".pairflow/workflows/plan-refinement.yaml", sibling("plan-refinement"));
    await scene.answers("continue", "it is there now");
    await scene.until("CANCELLED");
    expect((await scene.status()).end).toMatchObject({ code: "routed" });
    expect(scene.turns).toHaveLength(2);
  });

  it("asks a human about a type nobody knows, with that word; continued, the reviewer is asked again", async () => {
    const again = rejects("fixable", { ...bad, prior: [{ id: "F1", status: "open" }] });
    const scene = play({
      dev: [wrong(1), right],
      rev: [rejects("philosophical", bad), again, approves(fixed)],
    });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    const asked = question(scene);
    expect(asked.question).toContain("Unknown rejection type: philosophical");
    expect(asked.question).toContain(bad.feedback);
    expect(scene.lines("STEP_ADVANCED").at(-1)?.payload.to).toBe("unknown_rejection");
    await scene.answers("continue", "say one of the four words");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.turns).toEqual([
      "developer dev",
      "reviewer rev",
      "reviewer rev",
      "developer dev",
      "reviewer rev",
    ]);
    expect(scene.prompts("rev")[1]).toContain("say one of the four words");
  });
});
