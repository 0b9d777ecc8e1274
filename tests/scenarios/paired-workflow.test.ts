// The paired workflow: the scenarios of the paired workflow that end by themselves, each under its own title.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accepts, drafts, pairScene, pairTask, rejects } from "./pair-scene.ts";
import { makes, walked } from "./scene.ts";

const challengerSentence =
  "You are the challenger. Critique the following driver output and identify assumptions, gaps, and risks. Signal `challenger_approved: true` if the output is ready to lock.";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe.concurrent("Feature: Paired workflow overlay", () => {
  it("Basic driver/challenger loop", async () => {
    const scene = pairScene(
      pairTask(),
      [drafts("Proposed four services"), drafts("Added an outbox"), drafts("Added retries")],
      [
        rejects("Missing data consistency strategy"),
        rejects("The outbox is never emptied", "F1"),
        accepts("Ready", "F1"),
      ],
    );
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 3 });
    expect(scene.turns).toEqual([
      "driver pe",
      "challenger architect",
      "driver pe",
      "challenger architect",
      "driver pe",
      "challenger architect",
    ]);
    const [first, second] = scene.lines("HANDOFF");
    expect(first?.payload.files).toMatchObject([{ path: "design.md", status: "added" }]);
    expect(second?.payload).toMatchObject({ tree: first?.payload.tree });
    for (const prompt of scene.prompts("architect")) expect(prompt).toContain(challengerSentence);
    const [, revision, another] = scene.prompts("pe");
    expect(revision).toContain("Missing data consistency strategy");
    expect(another).toContain("Missing data consistency strategy");
    expect(another).toContain("The outbox is never emptied");
    expect(scene.prompts("architect")[2]).toContain("The outbox is never emptied");
    expect(walked(scene.log).filter((step) => step.startsWith("design/judge"))).toEqual([
      "design/judge review",
      "design/judge revise",
      "design/judge review",
      "design/judge revise",
      "design/judge review",
      "design/judge exit",
    ]);
  });

  it("Exit on challenger approval", async () => {
    const workflow = [
      pairTask(["exit_conditions:", '  - "pair.challenger_approved == true"']),
      "  build:\n    agent: dev\n    depends_on: [design]\n",
    ].join("");
    const scene = pairScene(
      workflow,
      [drafts("Proposed four services"), drafts("Added an outbox")],
      [rejects("Missing data consistency strategy"), accepts("Ready to lock", "F1")],
      { agents: { dev: [makes("src/shop.txt", "built\n")] } },
    );
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL" });
    const [locked] = scene.lines("LOCKED");
    expect(locked?.payload).toEqual({
      task: "design",
      decided_by: "architect",
      artifacts: [{ path: "design.md", sha256: sha256("# Design\n\nAdded an outbox\n") }],
    });
    expect(Date.parse(locked?.ts ?? "")).toBeGreaterThan(0);
    expect(scene.lines("TASK_ENDED").map(({ payload }) => `${payload.task} ${payload.status}`)).toEqual([
      "design completed",
      "build completed",
    ]);
    const started = scene.lines("TASK_STARTED").find(({ payload }) => payload.task === "build");
    expect(started?.seq).toBeGreaterThan(locked?.seq ?? 0);
    expect(scene.turns.at(-1)).toBe("agent dev");
    await scene.signs();
    expect(scene.committed("design.md")).toBe("# Design\n\nAdded an outbox\n");
    expect(scene.committed("src/shop.txt")).toBe("built\n");
  });

  it("Exit on challenger approval: the next task cannot change the locked artifact", async () => {
    const workflow = `${pairTask()}  build:\n    agent: dev\n    depends_on: [design]\n`;
    const scene = pairScene(workflow, [drafts("Four services")], [accepts("Ready to lock")], {
      agents: { dev: [makes("design.md", "other\n"), makes("design.md", "# Design\n\nFour services\n")] },
    });
    await scene.plays();
    const refused = scene.lines("HANDOFF").find(({ payload }) => payload.problems.length > 0);
    expect(refused?.payload.problems.join()).toContain("design.md");
    expect(walked(scene.log)).toContain("build refused");
    expect(scene.lines("LOCKED")).toHaveLength(1);
  });

  describe("Exit on confidence threshold", () => {
    const confidence = (tier: string) => ({
      overlays: [
        "confidence_loop: { enabled: true, threshold: 0.82, metrics: { gates: 0.85, review: 0.15 } }",
        `policy_gate: { enabled: true, risk_tier: ${tier} }`,
      ],
    });

    it("Exit on confidence threshold", async () => {
      const scene = pairScene(
        pairTask([], confidence("T0")),
        [drafts("Four services")],
        [rejects("never asked")],
      );
      expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL" });
      const [advisory] = scene.lines("CONFIDENCE");
      expect(advisory).toMatchObject({
        recipient: "human",
        payload: { task: "design", score: 0.85, threshold: 0.82, met: true },
      });
      expect(scene.turns).toEqual(["driver pe"]);
      expect(walked(scene.log)).toEqual([
        "design success",
        "design/gates success",
        "design/score scored",
        "design/judge exit",
        "design/policy passed",
        "design/lock locked",
        "design/done next",
      ]);
      expect(scene.lines("LOCKED")[0]?.payload.artifacts).toMatchObject([{ path: "design.md" }]);
    });

    it("a policy gate that does not pass keeps the loop going: the challenger is asked", async () => {
      const scene = pairScene(pairTask([], confidence("T1")), [drafts("Four services")], [accepts("Ready")]);
      expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL" });
      expect(scene.lines("CONFIDENCE")[0]?.payload).toMatchObject({ score: 0.85, met: true });
      expect(scene.turns).toEqual(["driver pe", "challenger architect"]);
      expect(walked(scene.log).filter((step) => step.startsWith("design/judge"))).toEqual([
        "design/judge review",
        "design/judge exit",
      ]);
    });

    it("red gates keep the loop going: nothing is scored and the driver goes again", async () => {
      const scene = pairScene(
        pairTask([], confidence("T0")),
        [drafts("Three services"), drafts("Four services")],
        [rejects("never asked")],
      );
      const flags = ["--test", "grep -q Four design.md"];
      expect(await scene.plays(...flags)).toMatchObject({ state: "READY_FOR_APPROVAL", round: 2 });
      expect(scene.turns).toEqual(["driver pe", "driver pe"]);
      expect(scene.lines("CONFIDENCE")).toHaveLength(1);
      expect(walked(scene.log).slice(0, 4)).toEqual([
        "design success",
        "design/gates fail",
        "design success",
        "design/gates success",
      ]);
    });

    it("a score below the threshold ends nothing, and the old tree's score does not count for the new one", async () => {
      const overlays = [
        "confidence_loop: { enabled: true, threshold: 0.9, metrics: { gates: 0.85, review: 0.15 } }",
      ];
      const scene = pairScene(
        pairTask(['exit_conditions: ["confidence_score >= 0.9"]'], { overlays }),
        [drafts("Three services"), drafts("Four services")],
        [rejects("Too few"), accepts("Enough", "F1")],
      );
      const done = await scene.plays();
      expect(done.state).toBe("READY_FOR_APPROVAL");
      expect(scene.turns).toHaveLength(4);
      expect(scene.lines("CONFIDENCE").map(({ payload }) => [payload.score, payload.met])).toEqual([
        [0.85, false],
        [0.85, false],
        [1, true],
      ]);
    });
  });

  it("Paired workflow disabled (default)", async () => {
    const scene = pairScene("tasks:\n  design:\n    agent: pe\n", [drafts("Four services")], []);
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 1 });
    expect(scene.turns).toEqual(["agent pe"]);
    expect(walked(scene.log)).toEqual([
      "design success",
      "design/gates success",
      "design/policy passed",
      "design/done next",
    ]);
    expect(scene.lines("PAIR_SESSION")).toEqual([]);
    await scene.signs();
    expect(scene.committed("design.md")).toContain("Four services");
  });

  it("Paired workflow disabled (default): enabled: false is the same as leaving it out", async () => {
    const workflow = pairTask().replace("enabled: true", "enabled: false");
    const scene = pairScene(workflow, [drafts("Four services")], [rejects("never asked")]);
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 1 });
    expect(scene.turns).toEqual(["agent pe"]);
    expect(scene.lines("PAIR_SESSION")).toEqual([]);
  });
});
