// The names of agents in a workflow: agents themselves, roles that the settings bind to an agent, or names that nobody
// has bound yet.
import type { BubbleConfig } from "../../model/config.ts";
import type { Program } from "../../model/program.ts";

type Settings = Pick<BubbleConfig, "agent" | "agents">;

/** Roles that are played by the pair's own agents unless the settings say otherwise. */
const usual: Readonly<Record<string, string>> = {
  developer: "implementer",
  "requirements-gatherer": "implementer",
  planner: "implementer",
  architect: "implementer",
  integrator: "implementer",
  "plan-reviewer": "reviewer",
  "code-reviewer": "reviewer",
};

const getOwn = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The agent that a name of the workflow means: the agent of that name, or as it is bound; undefined: neither. */
export function findBoundAgent(name: string, { agent, agents }: Settings): string | undefined {
  if (getOwn(agent, name)) return name;
  return getOwn(agents, name) ?? (Object.values(agents).includes(name) ? name : undefined);
}

/**
 * The agent that plays a role in a workflow without tasks. Nobody plays one of the usual roles unless somebody has said so:
 * that word counts more than an agent that happens to have the name of the role.
 */
export function findAgentOfRole(role: string, config: Settings): string | undefined {
  const standIn = getOwn(usual, role);
  if (standIn === undefined) return findBoundAgent(role, config);
  return getOwn(config.agents, role) ?? findBoundAgent(role, config) ?? getOwn(config.agents, standIn);
}

/**
 * A critic of a chain: its place may have the name of an agent and be bound to another one, also for one role alone
 * (`code-reviewer-opus`).
 */
export function findAgentInChain(name: string, config: Settings, role?: string): string | undefined {
  const forRole = role === undefined ? undefined : getOwn(config.agents, `${role}-${name}`);
  return forRole ?? getOwn(config.agents, name) ?? findAgentOfRole(name, config);
}

/** The roles of a workflow without tasks, each to be bound in the bubble's `[agents]`. */
export function listNeededRoles(program: Program): string[] {
  if (program.tasks) return [];
  return [...new Set(program.steps.flatMap((step) => (step.kind === "turn" ? [step.role] : [])))];
}

/** Do two different agents come from one model? They share its blind spots. */
export function isSameModel(one: string, other: string, { agent }: Settings): boolean {
  const [first, second] = [getOwn(agent, one), getOwn(agent, other)];
  if (!first || !second || first.adapter !== second.adapter) return false;
  // Without a named model only agents that are run in the very same way are known to be the same.
  return first.model === undefined
    ? JSON.stringify(first) === JSON.stringify(second)
    : first.model === second.model;
}
