// How an agent is run of which nobody has said anything.
import { expect, it } from "vitest";
import { createAgentAdapters } from "../../../src/adapters/agent/index.ts";
import { getAgentSettings, wellKnownAgents } from "../../../src/core/state/agents.ts";

const adapters = createAgentAdapters({ command: ["pairflow"] });
const names = Object.keys(adapters);

it("an adapter's own name wins, then the well-known agents, then the program of that name", () => {
  expect(getAgentSettings({}, "codex", names)).toEqual({ adapter: "codex" });
  expect(getAgentSettings({}, "gemini", names)).toMatchObject({ adapter: "acp", command: "gemini --acp" });
  expect(getAgentSettings({}, "mine", names)).toEqual({ adapter: "command", command: "mine {{notice}}" });
  expect(getAgentSettings({}, "constructor", names)).toMatchObject({ command: "constructor {{notice}}" });
});

it("what the settings say counts more", () => {
  const own = { adapter: "command", command: "gemini -p" };
  expect(getAgentSettings({ gemini: own }, "gemini", names)).toBe(own);
});

it.each(Object.entries(wellKnownAgents))(
  "%s has settings that its adapter takes, and a screen",
  (_, settings) => {
    const adapter = adapters[settings.adapter];
    expect(adapter?.check(settings)).toBeUndefined();
    expect(adapter?.noPane?.(settings)).toBeUndefined();
    expect(adapter?.probe?.(settings)?.install).not.toMatch(/^install /);
  },
);
