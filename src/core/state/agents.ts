// How an agent is run when nobody said how: by the adapter of its own name, as one of the well-known agents, or as the
// program of its own name.
import type { AgentSettings, BubbleConfig } from "../model/config.ts";
import type { Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import { isProducer } from "./workflow-position.ts";

/** Agents that need no settings, though no adapter has their name. What they are told is what their own help documents. */
export const wellKnownAgents: Readonly<Record<string, AgentSettings>> = {
  gemini: { adapter: "acp", command: "gemini --acp", pane: "gemini --prompt-interactive {{notice}}" },
  opencode: { adapter: "acp", command: "opencode acp", pane: "opencode --prompt {{notice}}" },
  cursor: { adapter: "acp", command: "cursor-agent acp", pane: "cursor-agent {{notice}}" },
};

/** The settings of an agent; one that nobody knows is started as a command line with the notice as its prompt. */
export function getAgentSettings(
  configured: BubbleConfig["agent"],
  agent: string,
  adapters: readonly string[],
): AgentSettings {
  const settings = Object.hasOwn(configured, agent) ? configured[agent] : undefined;
  if (settings) return settings;
  if (adapters.includes(agent)) return { adapter: agent };
  const known = Object.hasOwn(wellKnownAgents, agent) ? wellKnownAgents[agent] : undefined;
  return known ?? { adapter: "command", command: `${agent} {{notice}}` };
}

/** The agent that takes a turn over when its own cannot continue: configured, not yet in this turn, and no judge of its own work. */
export function findFallbackAgent(state: State, turn: Turn): string | undefined {
  const other = state.config.agent[turn.agent]?.fallback;
  if (typeof other !== "string" || other === turn.agent || turn.gaveUp?.includes(other)) return undefined;
  if (!isProducer(state, turn.role) && state.tree?.by === other) return undefined;
  const others = Object.entries(state.roles).filter(([role]) => role !== turn.role);
  return others.some(([, agent]) => agent === other) ? undefined : other;
}
