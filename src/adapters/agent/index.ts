// The agents Pairflow can run, by the name that `adapter` in bubble.toml uses. A new one is a file and a line here.
import type { AgentAdapter } from "../../ports/agent.ts";
import { acpAgent } from "./acp/adapter.ts";
import { claudeAgent } from "./claude/adapter.ts";
import { codexAgent } from "./codex/adapter.ts";
import { commandAgent } from "./command/adapter.ts";
import { scriptedAgent } from "./scripted/adapter.ts";

export interface AgentOptions {
  /** Pairflow's own command as an argument list. */
  readonly command: readonly string[];
}

/** Every adapter under its name. */
export function agentAdapters(options: AgentOptions): Readonly<Record<string, AgentAdapter>> {
  const adapters = [
    claudeAgent(options),
    codexAgent(options),
    acpAgent(),
    commandAgent(),
    scriptedAgent(options),
  ];
  return Object.fromEntries(adapters.map((adapter) => [adapter.name, adapter]));
}
