// How an agent is run when nobody said how: by the adapter of its own name, or as the program of its own name.
import type { AgentSettings, BubbleConfig } from "../model/config.ts";

/** The settings of an agent; one that is not configured is started as a command line with the notice as its prompt. */
export function agentSettings(
  configured: BubbleConfig["agent"],
  agent: string,
  adapters: readonly string[],
): AgentSettings {
  const settings = configured[agent];
  if (settings) return settings;
  return adapters.includes(agent)
    ? { adapter: agent }
    : { adapter: "command", command: `${agent} {{notice}}` };
}
