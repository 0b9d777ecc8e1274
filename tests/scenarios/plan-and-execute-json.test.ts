// what plan-and-execute.json says beside its steps, and what its references mean.
import { describe, expect, it } from "vitest";
import { changed, flags, good, play, right, words } from "./plan-scene.ts";
import { id, Scene } from "./scene.ts";
import { approves, cart, patience } from "./steps-scene.ts";

describe("what the JSON says beside its steps", { timeout: patience }, () => {
  it("enabled: false: it does not run", async () => {
    const scene = changed({ dev: [right], rev: [approves(good)] }, '"enabled": true', '"enabled": false');
    const done = await scene.run(...flags);
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining("workflow.switched-off") });
    expect(await scene.tool.ok("bubble", "list", "--json")).not.toContain(id);
  });

  it("gate_preset:-go: the gates of go, unless something else is said", async () => {
    const scene = play({ dev: [{ steps: [{ hang: true }] }], rev: [approves(good)] });
    const done = await scene.run(...words, "--yes", "--detach");
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const [created] = scene.lines("BUBBLE_CREATED");
    expect(created?.payload.profile.gates.map(({ name }) => name)).toEqual([
      "build",
      "vet",
      "lint",
      "test",
      "coverage",
    ]);
    expect(created?.payload.profile.gates[0]).toMatchObject({ command: "go build ./...", required: true });
    await scene.tool.ok("bubble", "stop", "--id", id, "--reason", "seen");
    await scene.until("CANCELLED");
  });

  it("values keep their types, and what is not there takes its default", async () => {
    const told = {
      files: "${steps.developer.output.files_modified}",
      first: "${steps.developer.output.files_modified.0}",
      overrides: "${trigger.payload.gate_overrides:-[]}",
      preset: "${trigger.payload.nothing:-go}",
      iteration: "${execution.iteration}",
      text: "${execution.iteration} of ${trigger.payload.limit:-3}",
      limit: "${trigger.payload.limit:-3}",
      sizes: "${trigger.payload.sizes}",
    };
    const workflow = JSON.stringify({
      id: "told",
      steps: [
        {
          name: "developer",
          action: { type: "publish_agent", subject: "agent.task.development", role: "developer" },
          on_success: "tell",
        },
        { name: "tell", action: { type: "publish", subject: "workflow.events", payload: told } },
      ],
      max_iterations: 1,
    });
    const scene = new Scene({
      workflow,
      file: "told.json",
      agents: { dev: [right] },
      config: "defaults: { agents: { developer: dev } }\n",
    });
    expect((await scene.plays("--task", "Tell", "--set", "sizes=[1,2]")).state).toBe("READY_FOR_APPROVAL");
    expect(scene.lines("EVENT")[0]?.payload.payload).toEqual({
      files: [cart],
      first: cart,
      overrides: [],
      preset: "go",
      iteration: 1,
      text: "1 of 3",
      limit: 3,
      sizes: [1, 2],
    });
  });
});
