// Which agents the doctor looks at: those of the project, those of the bubbles that continue, and any other that Pairflow
// could run here without a word of configuration.
import type { AgentSettings, BubbleConfig } from "../../../core/model/config.ts";
import {
  findAgent,
  getAbsenceStatus,
  listFallbacks,
  listProjectAgents,
  type Startables,
} from "../../agents/startable.ts";
import { type ProjectConfig, projectFile } from "../../config/project.ts";
import { getConfigFile } from "../../host/locate.ts";
import type { CheckedSettings } from "../settings.ts";

export interface WantedAgent {
  /** As the screen names it. */
  readonly name: string;
  readonly agent: string;
  readonly settings: AgentSettings | undefined;
  /** How bad it is when it cannot be used. */
  readonly status: "error" | "warning";
  /** Where a person says how it is run. */
  readonly file: string;
}

/** Each agent once for every different way in which it is run. */
export function listWantedAgents(
  repo: string,
  { project, bubbles }: Pick<CheckedSettings, "project" | "bubbles">,
  adapters: Startables,
): WantedAgent[] {
  const ways = new Map<string, WantedAgent>();
  const wayOf = ({ agent, settings }: WantedAgent) => JSON.stringify([agent, settings ?? null]);
  for (const one of listAgentsOfProject(repo, project)) ways.set(wayOf(one), one);
  for (const one of bubbles.flatMap((config) => listAgentsOfBubble(repo, config))) {
    // A bubble that waits for it makes its absence an error, whatever the defaults say.
    ways.set(wayOf(one), { ...one, ...ways.get(wayOf(one)), status: "error" });
  }
  const asked = [...ways.values()];
  return [...asked, ...listOthers(repo, asked, adapters)];
}

function listAgentsOfProject(repo: string, project: ProjectConfig): WantedAgent[] {
  return listProjectAgents(project).map((agent) => ({
    name: `agent ${agent}`,
    agent,
    settings: project.agents[agent],
    status: getAbsenceStatus(project, agent),
    file: `${repo}/${projectFile}`,
  }));
}

function listAgentsOfBubble(repo: string, { id, agents, agent: settings }: BubbleConfig): WantedAgent[] {
  const names = new Set([...Object.values(agents), ...listFallbacks(settings)]);
  return [...names].map((agent) => ({
    name: `agent ${agent} (${id})`,
    agent,
    settings: settings[agent],
    status: "error",
    file: getConfigFile(repo, id),
  }));
}

/** Adapters that need no settings, and whose program happens to be here. */
function listOthers(repo: string, asked: readonly WantedAgent[], adapters: Startables): WantedAgent[] {
  const used = new Set(asked.flatMap(({ agent, settings }) => [agent, settings?.adapter ?? agent]));
  return Object.keys(adapters)
    .filter((adapter) => !used.has(adapter) && "path" in findAgent(repo, adapter, { adapter }, adapters))
    .map((adapter) => ({
      name: `agent ${adapter}`,
      agent: adapter,
      settings: { adapter },
      status: "warning",
      file: `${repo}/${projectFile}`,
    }));
}
