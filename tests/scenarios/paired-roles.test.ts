// The paired workflow: who drives and who challenges: role switches, and the rule that a challenger is no formal reviewer.
import { describe, expect, it } from "vitest";
import { accepts, drafts, pairScene, pairTask, rejects } from "./pair-scene.ts";
import { Scene } from "./scene.ts";

const session = (scene: Scene) => JSON.parse(scene.artifact("pair-sessions/design.json")).pair_session;

describe.concurrent("Feature: Paired workflow overlay", () => {
  it("Role switch at subtask level", async () => {
    const workflow = pairTask(["role_switch: subtask"], {
      task: ["subtasks: [Draw the services, Name the data, Plan the rollout]"],
    });
    const scene = pairScene(
      workflow,
      [
        drafts("Services drawn"),
        rejects("The stock has no name"),
        accepts("The data is named", "F1"),
        drafts("Rollout planned"),
      ],
      [
        accepts("The services are fine"),
        drafts("Data named"),
        drafts("Data named twice"),
        accepts("The rollout is fine"),
      ],
    );
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 4 });
    expect(scene.turns).toEqual([
      "driver pe",
      "challenger architect",
      "driver architect",
      "challenger pe",
      "driver architect",
      "challenger pe",
      "driver pe",
      "challenger architect",
    ]);
    const [first, ...others] = scene.prompts("pe");
    expect(first).toContain("Draw the services");
    expect(others.at(-1)).toContain("Plan the rollout");
    expect(session(scene)).toMatchObject({
      driver_agent: "pe",
      challenger_agent: "architect",
      current_role_driver: "pe",
      role_switch: "subtask",
    });
    expect(scene.lines("STEP_ADVANCED").filter(({ payload }) => payload.swap)).toHaveLength(2);
  });

  it("Role switch per session (no switch during session)", async () => {
    const scene = pairScene(
      pairTask(),
      [drafts("One"), drafts("Two"), drafts("Three")],
      [rejects("Not yet"), rejects("Still not", "F1"), accepts("Now", "F1")],
    );
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL" });
    const started = scene.lines("TURN_STARTED").map(({ payload }) => `${payload.role} ${payload.agent}`);
    expect(new Set(started)).toEqual(new Set(["driver pe", "challenger architect"]));
    expect(scene.lines("STEP_ADVANCED").filter(({ payload }) => payload.swap)).toEqual([]);
    expect(session(scene)).toMatchObject({ role_switch: "session", current_role_driver: "pe" });
  });

  it("Role switch at declared checkpoints", async () => {
    const scene = pairScene(
      pairTask(["role_switch: checkpoint", "checkpoints: [1]"]),
      [drafts("One"), rejects("Not yet", "F1"), accepts("Now", "F1")],
      [rejects("The first is thin"), drafts("Two"), drafts("Three")],
    );
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 3 });
    expect(scene.turns).toEqual([
      "driver pe",
      "challenger architect",
      "driver architect",
      "challenger pe",
      "driver architect",
      "challenger pe",
    ]);
    expect(session(scene)).toMatchObject({ driver_agent: "pe", current_role_driver: "architect" });
  });

  it("Role switch at a checkpoint that the driver claims", async () => {
    const scene = pairScene(
      pairTask(["role_switch: checkpoint", "checkpoints: claim"]),
      [drafts("One"), drafts("Two", { checkpoint: "the schema is agreed" }), accepts("Now", "F1")],
      [rejects("Not yet"), rejects("Still not", "F1"), drafts("Three")],
    );
    expect(await scene.plays()).toMatchObject({ state: "READY_FOR_APPROVAL", round: 3 });
    expect(scene.turns).toEqual([
      "driver pe",
      "challenger architect",
      "driver pe",
      "challenger architect",
      "driver architect",
      "challenger pe",
    ]);
  });

  describe("Reviewer independence rule", () => {
    const paired =
      "tasks:\n  design:\n    agent: architect\n    overlays:\n      paired_workflow: { enabled: true, driver_agent: architect, challenger_agent: pe }\n";
    const later = {
      "a task of the agent in the reviewer's role":
        "  check:\n    agent: reviewer\n    depends_on: [design]\n",
      "an agentic review that names it":
        "  build:\n    agent: dev\n    depends_on: [design]\n    overlays:\n      agentic_review: { enabled: true, coder_agent: dev, reviewer_agent: pe }\n",
    };
    const validated = async (rest: string) => {
      const agents = { architect: [accepts("-")], pe: [accepts("-")], dev: [accepts("-")] };
      const config = "defaults: { agents: { reviewer: pe } }";
      const scene = new Scene({ workflow: paired + rest, agents, config });
      return scene.tool.run("workflow", "validate", scene.file);
    };
    const warning = "challenger and formal reviewer are the same agent";

    it("Reviewer independence rule", async () => {
      const done = await validated("  check:\n    agent: pe\n    kind: review\n    depends_on: [design]\n");
      expect(done.code).toBe(0);
      expect(done.stderr.split("\n")).toContain(`flows/work.yaml:5:84: warning: ${warning}`);
    });

    for (const [way, rest] of Object.entries(later))
      it(`warns of ${way}`, async () => {
        const { code, stderr } = await validated(rest);
        expect(code).toBe(0);
        expect(stderr.match(new RegExp(warning, "g"))).toHaveLength(1);
      });

    it("does not warn of another reviewer", async () => {
      const other = await validated("  check:\n    agent: dev\n    kind: review\n    depends_on: [design]\n");
      expect(other).toMatchObject({ code: 0, stderr: expect.not.stringContaining(warning) });
    });
  });
});
