// Whether agents can be started here: an adapter, valid settings, a program on the PATH. Nothing is run for it, because
// the first screen and every start of a bubble ask this too.
import { createAgentAdapters } from "../../adapters/agent/index.ts";
import { describeCard } from "../../core/measure/card.ts";
import type { AgentSettings } from "../../core/model/config.ts";
import { getAgentSettings } from "../../core/state/agents.ts";
import type { AgentAdapter, Probe } from "../../ports/agent/adapter.ts";
import { mergeDefaults, type ProjectConfig } from "../config/project.ts";
import { type Check, reportOk } from "../host/check.ts";
import { getSelfCommand } from "../host/package-root.ts";
import { findProgram } from "../host/programs.ts";
import { readCard } from "./reviewer-cards.ts";

/** The part of an adapter that tells whether its agent could be started. */
export type Startable = Pick<AgentAdapter, "name" | "variables" | "check" | "noPane" | "probe" | "launch">;
export type Startables = Readonly<Record<string, Startable>>;

export interface FoundAgent {
  readonly path: string;
  readonly adapter: Startable;
  readonly settings: AgentSettings;
  /** Where the adapter knows how its program is asked for version and login. */
  readonly probe: Probe | undefined;
}

export interface LostAgent {
  readonly problem: string;
  /** The program that was looked for. */
  readonly missing?: string;
  /** The line that installs it. */
  readonly install?: string;
}

/** One check for each agent that a role is bound to, and for each that is configured. */
export function checkAgents(repo: string, project: ProjectConfig): Check[] {
  return listProjectAgents(project).map((agent) => {
    const name = `agent ${agent}`;
    const found = findAgent(repo, agent, project.agents[agent]);
    if ("path" in found) return reportOk(name, [found.path, ...describeMeasured(repo, agent)].join(" · "));
    return { name, status: getAbsenceStatus(project, agent), says: found.problem };
  });
}

/** What it caught as a reviewer, where that was measured here. */
function describeMeasured(repo: string, agent: string): string[] {
  const card = readCard(repo, agent);
  return card ? [describeCard(card)] : [];
}

/** Bound to a role, configured, or named as the one that takes over. */
export function listProjectAgents(project: ProjectConfig): string[] {
  const bound = Object.values(mergeDefaults(project, {}).agents as Record<string, string>);
  return [...new Set([...bound, ...Object.keys(project.agents), ...listFallbacks(project.agents)])];
}

export function listFallbacks(agents: Readonly<Record<string, AgentSettings>>): string[] {
  return Object.values(agents).flatMap(({ fallback }) => (typeof fallback === "string" ? [fallback] : []));
}

/** Nobody asked for an agent that is only a default, so its absence is no error yet. */
export function getAbsenceStatus({ agents, defaults }: ProjectConfig, agent: string): "error" | "warning" {
  const bound = Object.values((defaults.agents ?? {}) as Record<string, string>);
  const isAskedFor = [...Object.keys(agents), ...listFallbacks(agents), ...bound].includes(agent);
  return isAskedFor ? "error" : "warning";
}

/** The program an agent's turns would start, or why they could not be started. */
export function findAgent(
  repo: string,
  agent: string,
  configured: AgentSettings | undefined,
  adapters: Startables = createKnownAdapters(),
): FoundAgent | LostAgent {
  const settings = getAgentSettings(configured ? { [agent]: configured } : {}, agent, Object.keys(adapters));
  const adapter = adapters[settings.adapter];
  if (!adapter) {
    const known = Object.keys(adapters).join(", ");
    return { problem: `there is no adapter ${settings.adapter}; known: ${known}` };
  }
  const problem = adapter.check(settings);
  if (problem) return { problem };
  const probe = adapter.probe?.(settings);
  const program = probe?.program ?? resolveProgram(adapter, settings, repo, agent);
  if (typeof program === "object") return program;
  const path = findProgram(program, repo);
  if (path) return { path, adapter, settings, probe };
  const lost = { problem: `${program} is not on the PATH`, missing: program };
  return probe ? { ...lost, install: probe.install } : lost;
}

export function createKnownAdapters(): Startables {
  return createAgentAdapters({ command: getSelfCommand() });
}

/** What a turn would start, for adapters that say nothing about their program. */
function resolveProgram(
  adapter: Startable,
  settings: AgentSettings,
  repo: string,
  agent: string,
): string | LostAgent {
  const turn = {
    session: "s",
    fresh: true,
    notice: "n",
    promptFile: "p",
    prompt: "p",
    answerSchema: {},
    out: repo,
    readOnly: true,
    role: "doctor",
  };
  try {
    return adapter.launch({ ...turn, settings, agent, worktree: repo }).argv[0] ?? "";
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
