// Who plays the roles of a workflow with phases: the critics of its chains by the names the workflow has for them.
import { describe, expect, it } from "vitest";
import { bindAgents, listAgentNames } from "../../src/app/making/agents.ts";
import { configOf } from "../core/pair.ts";
import { builtIn, programOf } from "../core/phase-scene.ts";

/** An agent may be called like a role that somebody else plays. */
const agents = {
  planner: "pat",
  "plan-reviewer": "critic",
  architect: "pat",
  developer: "dev",
  integrator: "dev",
  reviewer: "rev",
};

describe("the agents of a workflow with phases", () => {
  const program = programOf(builtIn("plan-refinement"), { config: { agents } });

  it("are named by the workflow's own words, not by those of the agents", () => {
    expect(program.phases?.[0]?.loop.chain).toEqual(["critic"]);
    expect(listAgentNames(program)).toEqual(["plan-reviewer"]);
  });

  it("bind no role by the name of an agent", () => {
    const bound = bindAgents(program, configOf({ agents }));
    expect(bound).toEqual({
      planner: "pat",
      "plan-reviewer": "critic",
      architect: "pat",
      developer: "dev",
      integrator: "dev",
    });
  });
});
