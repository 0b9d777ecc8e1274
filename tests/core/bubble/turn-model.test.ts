// The model a step names for its turn goes before the agent's own; a name that comes to nothing does not.
import { describe, expect, it } from "vitest";
import { chooseAdapter } from "../../../src/engine/turns/prompt/request.ts";
import type { World } from "../../../src/engine/world/world.ts";
import { createScenarioBubble } from "../../../src/testing/scenario.ts";
import { configOf } from "../pair.ts";
import { loaded } from "../workflow-written.ts";

const document = `
max_iterations: 2
steps:
  - name: developer
    action: {type: publish_agent, subject: agent.task.development, role: developer, model: "\${trigger.payload.model}"}
`;

const agents = { implementer: "alice", reviewer: "bob", developer: "alice" };
const agent = { alice: { adapter: "tool", model: "own" } };

function modelOf(payload: Record<string, unknown>): unknown {
  const { program } = loaded(document, "work", { agents });
  const scene = createScenarioBubble({
    config: configOf({ agents, agent }),
    program: { ...program, payload },
  }).started();
  const world = { agents: { tool: {} } } as unknown as World;
  return chooseAdapter(world, scene.state, scene.turn).settings.model;
}

describe("the model of a turn", () => {
  it("is the one the step names", () => expect(modelOf({ model: "big" })).toBe("big"));
  it("is the agent's own where the step names none", () => expect(modelOf({})).toBe("own"));
});
