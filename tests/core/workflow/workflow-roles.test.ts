// Who plays a role: what somebody has said counts more than a name that happens to be the same.
import { expect, it } from "vitest";
import { findAgentOfRole } from "../../../src/core/workflow/source/agents.ts";

const settings = { adapter: "command", command: "x" } as const;
const config = {
  agent: { planner: settings, opus: settings },
  agents: { implementer: "codex", reviewer: "claude" },
};

it.each([
  ["the agent of that name, where nobody has said who", config.agents, "planner"],
  ["the agent that was named for it, although another one is called so", { planner: "opus" }, "opus"],
])("the planner is %s", (_name, agents, agent) => {
  expect(findAgentOfRole("planner", { ...config, agents: { ...config.agents, ...agents } })).toBe(agent);
});

it("the architect is the implementer unless somebody is named", () => {
  expect(findAgentOfRole("architect", config)).toBe("codex");
  expect(findAgentOfRole("nobody", config)).toBeUndefined();
});
