// The agents Pairflow can run, by the name that `adapter` in bubble.toml uses. A new one is a file and a line here.
import type { AgentAdapter } from "../../ports/agent/adapter.ts";
import { createAcpAgent } from "./acp/adapter.ts";
import { createClaudeAgent } from "./claude/adapter.ts";
import { createCodexAgent } from "./codex/adapter.ts";
import { createCommandAgent } from "./command/adapter.ts";
import { createScriptedAgent } from "./scripted/adapter.ts";

export interface AgentOptions {
  /** Pairflow's own command as an argument list. */
  readonly command: readonly string[];
}

/** Every adapter under its name. */
export function createAgentAdapters(options: AgentOptions): Readonly<Record<string, AgentAdapter>> {
  const adapters = [
    createClaudeAgent(options),
    createCodexAgent(options),
    createAcpAgent(),
    createCommandAgent(),
    createScriptedAgent(options),
  ];
  return Object.fromEntries(adapters.map((adapter) => [adapter.name, adapter]));
}
