// Who plays what in a pipeline. What flags, pipeline.config.json and the project say comes first; what is left is the usual
// table: opus gathers requirements and plans, sonnet implements, sonnet and opus review, codex is the gate.
import type { AgentSettings } from "../../core/model/config.ts";
import { chain, phaseCritics, workers } from "../../core/model/pipeline-file.ts";
import { getAgentSettings } from "../../core/state/agents.ts";
import { createKnownAdapters } from "../agents/startable.ts";
import type { ProjectConfig } from "../config/project.ts";
import type { PipelineConfig } from "./config.ts";

type Agents = Readonly<Record<string, string>>;

export interface Cast {
  /** Roles and names of the chain, each with its agent. */
  readonly agents: Agents;
  /** Agents that are made for this run: another one with a model of its own. */
  readonly agent: Readonly<Record<string, AgentSettings>>;
  /** What a human should know before it runs. */
  readonly warnings: readonly string[];
}

/** The usual table. Codex takes the model of its own settings. */
const usualModels: Readonly<Record<string, string>> = {
  "requirements-gatherer": "opus",
  planner: "opus",
  implementer: "sonnet",
  sonnet: "sonnet",
  opus: "opus",
};

const standIns: Readonly<Record<string, string>> = {
  developer: "implementer",
  integrator: "implementer",
  architect: "planner",
  reviewer: "sonnet",
};

export function buildCast(project: ProjectConfig, config: PipelineConfig, flags: Agents): Cast {
  const made: Record<string, AgentSettings> = {};
  const settingsOf = (name: string): AgentSettings =>
    getAgentSettings({ ...project.agents, ...made }, name, Object.keys(createKnownAdapters()));
  const withModel = (base: string, model: string): string => {
    const name = `${base}-${model.replaceAll(/[^\w.-]+/g, "-")}`.slice(0, 40);
    made[name] ??= { ...settingsOf(base), model };
    return name;
  };
  const bound = createBinder(project, config, flags);
  const baseOf = (player: string) => bound(player) ?? (player === "codex" ? "codex" : "claude");
  /** What it is asked with; an agent that somebody named has a model of its own. */
  const modelOf = (player: string): string | undefined => {
    const isUsual = bound(player) === undefined && settingsOf(baseOf(player)).adapter === "claude";
    return config.models[player] ?? (isUsual ? usualModels[player] : undefined);
  };
  const worker = (player: string): [string, string] => {
    const model = modelOf(player);
    // The model of an agent that somebody named is said for its turns.
    const isOwn = bound(player) === undefined && model !== undefined;
    return [player, isOwn ? withModel(baseOf(player), model) : baseOf(player)];
  };
  const working = workers.map(worker);
  /** An agent of its own even where a worker is the same: the agent that made a tree cannot review it. */
  const critic = (player: string, like = player): [string, string] => {
    const base = bound(player) ?? baseOf(like);
    const model = config.models[player] ?? (bound(player) === undefined ? modelOf(like) : undefined);
    const isTaken = (name: string) => working.some(([, agent]) => agent === name);
    if (model === undefined && !isTaken(base)) return [player, base];
    const name = isTaken(player) ? `${player}-critic` : player;
    made[name] = { ...settingsOf(base), ...(model === undefined ? {} : { model }) };
    return [player, name];
  };
  const isOwn = (player: string) => bound(player) !== undefined || config.models[player] !== undefined;
  const players = [
    ...working,
    ...chain.map((name) => critic(name)),
    ...phaseCritics.flatMap(({ player, name }) => (isOwn(player) ? [critic(player, name)] : [])),
  ];
  const agents: Record<string, string> = Object.fromEntries(players);
  // Both reviewers are played by the chain; the roles themselves need somebody who could.
  for (const role of ["plan-reviewer", "code-reviewer"]) agents[role] = bound(role) ?? agents.sonnet ?? "";
  // Who does the parts of work that is too big: the same sides of the table.
  for (const [role, player] of Object.entries(standIns)) agents[role] = bound(role) ?? agents[player] ?? "";
  return { agents, agent: made, warnings: listVendorWarnings(agents, settingsOf) };
}

/** Flags first, then the pipeline's own file, then the project: an agent of that name, or a binding. */
function createBinder(project: ProjectConfig, config: PipelineConfig, flags: Agents) {
  const defaults = (project.defaults.agents ?? {}) as Agents;
  const own = (table: Readonly<Record<string, unknown>>, key: string) =>
    Object.hasOwn(table, key) ? (table[key] as string | undefined) : undefined;
  return (player: string): string | undefined =>
    own(flags, player) ??
    own(config.agents, player) ??
    own(defaults, player) ??
    (player !== "codex" && Object.hasOwn(project.agents, player) ? player : undefined);
}

/** Adapters that speak to one vendor only; behind the others may stand anybody. */
const oneVendor = ["claude", "codex"];

/** The last word should come from elsewhere than the work: one vendor's models share their blind spots. */
function listVendorWarnings(agents: Agents, settingsOf: (name: string) => AgentSettings): string[] {
  const gate = agents[chain.at(-1) ?? ""] ?? "";
  const isSame = (other: string) => {
    const [one, two] = [settingsOf(gate).adapter, settingsOf(other).adapter];
    return other === gate || (one === two && oneVendor.includes(one));
  };
  const others = [...workers, ...chain.slice(0, -1)].filter((player) => isSame(agents[player] ?? ""));
  if (others.length === 0) return [];
  return [
    `the final gate ${gate} is of the same vendor as ${others.map((player) => `${player} (${agents[player]})`).join(", ")}; its last word is worth less`,
  ];
}
