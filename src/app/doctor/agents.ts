// Whether the agents a new bubble would use can be started here: an adapter, valid settings, a program on the PATH.
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { agentAdapters } from "../../adapters/agent/index.ts";
import type { AgentSettings } from "../../core/model/config.ts";
import { agentSettings } from "../../core/policy/agents.ts";
import { selfCommand } from "../package-root.ts";
import { mergeDefaults, type ProjectConfig, projectFile } from "../project-config.ts";
import type { Check } from "./check.ts";

/** One check for each agent that a role is bound to, and for each that is configured. */
export function agentChecks(repo: string, project: ProjectConfig): Check[] {
  const bound = Object.values(mergeDefaults(project, {}).agents as Record<string, string>);
  const names = [...new Set([...bound, ...Object.keys(project.agents)])];
  return names.map((agent) => agentCheck(repo, agent, project.agents[agent]));
}

function agentCheck(repo: string, agent: string, configured: AgentSettings | undefined): Check {
  const name = `agent ${agent}`;
  const found = findAgent(repo, agent, configured);
  if ("path" in found) return { name, status: "ok", says: found.path };
  const fix = `${found.missing !== undefined ? "install it, or " : ""}say how to run it under agents in ${projectFile}`;
  // Nobody asked for an agent that is only a default, so its absence is no error yet.
  return { name, status: configured ? "error" : "warning", says: found.problem, fix };
}

/** The program an agent's turns would start, or why they could not be started. */
export function findAgent(
  repo: string,
  agent: string,
  configured: AgentSettings | undefined,
): { readonly path: string } | { readonly problem: string; readonly missing?: string } {
  const adapters = agentAdapters({ command: selfCommand() });
  const settings = agentSettings(configured ? { [agent]: configured } : {}, agent, Object.keys(adapters));
  const adapter = adapters[settings.adapter];
  if (!adapter)
    return {
      problem: `there is no adapter ${settings.adapter}; known: ${Object.keys(adapters).join(", ")}`,
    };
  const problem = adapter.check(settings);
  if (problem) return { problem };
  const program = programOf(repo, agent, settings);
  const path = program && findProgram(program, repo, process.env.PATH ?? "");
  return path ? { path } : { problem: `${program} is not on the PATH`, missing: program ?? "" };
}

/** The program a turn of this agent would start. */
function programOf(repo: string, agent: string, settings: AgentSettings): string | undefined {
  const adapter = agentAdapters({ command: selfCommand() })[settings.adapter];
  const turn = {
    session: "s",
    fresh: true,
    notice: "n",
    promptFile: "p",
    out: repo,
    readOnly: true,
    role: "doctor",
  };
  return adapter?.launch({ ...turn, settings, agent, worktree: repo }).argv[0];
}

export function findProgram(program: string, cwd: string, path: string): string | undefined {
  const isPath = program.includes("/");
  const candidates = isPath
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : path.split(delimiter).map((folder) => join(folder, program));
  return candidates.find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
