// The reviewer under test: how it is run, by the project's own configuration at HEAD or by a script.
import { resolve } from "node:path";
import type { AgentSettings } from "../../core/model/config.ts";
import { refuse } from "../../core/model/refusal.ts";
import { getAgentSettings } from "../../core/state/agents.ts";
import { createKnownAdapters, findAgent } from "../agents/startable.ts";
import { mergeDefaults, parseProjectConfig, projectFile } from "../config/project.ts";
import { askGit } from "../host/git-questions.ts";

export interface Reviewer {
  readonly agent: string;
  readonly settings: AgentSettings;
  /** The project's own rules for reviews, if it has some. */
  readonly review: unknown;
  /** How long one review may take. */
  readonly minutes: number;
}

export interface ReviewerOptions {
  readonly agent?: string | undefined;
  /** A script to follow instead of what is configured; relative to `cwd`. */
  readonly script?: string | undefined;
  readonly cwd: string;
  readonly minutes: number;
}

/** The agent that would review in this project, or the one that is asked for. Refuses when it cannot be started. */
export async function chooseReviewer(repo: string, options: ReviewerOptions): Promise<Reviewer> {
  const text = (await askGit(repo, "show", `HEAD:${projectFile}`)) ?? "";
  const project = parseProjectConfig(text, projectFile);
  const usual = (mergeDefaults(project, {}).agents as Record<string, string>).reviewer ?? "claude";
  const agent = options.agent ?? (options.script ? "scripted" : usual);
  const settings = options.script
    ? { adapter: "scripted", script: resolve(options.cwd, options.script) }
    : dropFallback(getAgentSettings({ ...project.agents }, agent, Object.keys(createKnownAdapters())));
  const found = findAgent(repo, agent, settings);
  if (!("path" in found))
    throw refuse(
      "agent.not-ready",
      `${agent} cannot be started`,
      found.install ?? `say how in ${projectFile} under agents, commit it, and give the command again`,
      [found.problem],
    );
  return { agent, settings, review: project.defaults.review, minutes: options.minutes };
}

/** Another agent that takes over would be measured under this one's name. */
function dropFallback({ fallback: _, ...settings }: AgentSettings): AgentSettings {
  return settings as AgentSettings;
}

/** The model the settings name; null: the agent's own choice. */
export function getModel({ model }: AgentSettings): string | null {
  return typeof model === "string" ? model : null;
}
