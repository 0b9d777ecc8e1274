// The one binder: which agent plays each role, and stands behind each name, of the program that a bubble will run.
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Program } from "../../core/model/program.ts";
import {
  findAgentInChain,
  findAgentOfRole,
  findBoundAgent,
  listNeededRoles,
} from "../../core/workflow/source/agents.ts";
import { projectFile } from "../config/project.ts";
import { buildUsageError } from "../host/usage.ts";
import { loadWorkflowFile } from "../workflows/file.ts";

type Agents = Readonly<Record<string, string>>;
type Settings = Pick<BubbleConfig, "agent" | "agents">;

/**
 * The agents of a bubble that runs this program: exactly those of its workflow, so that none must be ready that is never
 * asked. Throws when nobody is bound to one.
 */
export function bindAgents(program: Program, config: BubbleConfig): Record<string, string> {
  const roles = listNeededRoles(program);
  const suffice = roles.every((role) => Object.hasOwn(config.agents, role));
  if (!program.tasks && suffice && !program.phases)
    return Object.fromEntries(roles.map((role) => [role, config.agents[role] ?? ""]));
  const settings = { ...config, agents: addUsualRoles(config.agents, config.agent) };
  return addHandedOnAgents(program, settings, findAgents(program, settings), config.agents);
}

/** The agents that a program needs, by its own names. */
function findAgents(program: Program, config: Settings): Agents {
  const found = [
    ...listAgentNames(program).map((name) => [name, findNamedAgent(name, program, config)] as const),
    ...listNeededRoles(program).map((role) => [role, findAgentOfRole(role, config)] as const),
  ];
  const loose = found.filter(([, agent]) => agent === undefined).map(([name]) => name);
  if (loose.length > 0) throw refuseUnbound([...new Set(loose)]);
  return Object.fromEntries(found.map(([name, agent = ""]) => [name, agent]));
}

function findNamedAgent(name: string, { phases }: Program, config: Settings) {
  return phases ? findAgentInChain(name, config) : findBoundAgent(name, config);
}

/**
 * A workflow that others continue with keeps the agents that were named for them, and those its children will need. The pair's
 * own two are there without being named: they stay only where somebody needs them; a reviewer also where somebody has said
 * how it is run.
 */
function addHandedOnAgents(
  { steps }: Program,
  config: BubbleConfig,
  own: Agents,
  bound: Agents,
): Record<string, string> {
  if (!steps.some(({ kind }) => kind === "start" || kind === "children")) return { ...own };
  const named = Object.entries(bound).filter(
    ([role, agent]) => role !== "implementer" && (role !== "reviewer" || Object.hasOwn(config.agent, agent)),
  );
  const theirs = steps.flatMap((step) =>
    step.kind === "children" && step.workflow !== undefined
      ? [findAgents(loadWorkflowFile(step.workflow, config).program, config)]
      : [],
  );
  return { ...Object.assign({}, ...theirs), ...Object.fromEntries(named), ...own };
}

/** The agent of one role, in a workflow of any name; undefined: nobody plays it. */
export const findRoleAgent = (role: string, config: Settings): string | undefined =>
  findAgentOfRole(role, config);

/** Every name and role that a program needs an agent for. */
export const listPlayers = (program: Program): string[] => [
  ...new Set([...listAgentNames(program), ...listNeededRoles(program)]),
];

/** Every agent that the tasks of a program name, and the critics of its phases as the workflow calls them. */
export function listAgentNames({ tasks = [], phases = [] }: Program): string[] {
  const inTasks = tasks.flatMap(({ roles, loop, confidence }) => [
    ...Object.values(roles),
    ...(loop.chain ?? []),
    ...(confidence?.judge ? [confidence.judge] : []),
  ]);
  // The chain of a phase holds agents already: one of them may be called like a role.
  const inPhases = phases.flatMap(({ loop }) => loop.chain_names ?? loop.chain ?? []);
  return [...new Set([...inTasks, ...inPhases])];
}

function refuseUnbound(names: readonly string[]) {
  return buildUsageError(
    "workflow.unbound-agent",
    `no agent is configured for ${names.join(", ")}`,
    `add ${names.map((name) => `--agent ${name}=<agent>`).join(" ")}, or say it under defaults.agents in ${projectFile}`,
  );
}

/** A workflow may call its producer a developer where the settings know an implementer. */
const sides: readonly (readonly string[])[] = [
  ["implementer", "developer", "coder", "driver", "author"],
  ["reviewer", "challenger", "critic"],
];

/**
 * The bindings of the settings, and for each side that has an agent the usual other names of its role; a name that an agent
 * has itself stays that agent's.
 */
export function addUsualRoles(agents: Agents, known: Readonly<Record<string, unknown>> = {}): Agents {
  const added = sides.flatMap((names) => {
    const bound = names.find((name) => Object.hasOwn(agents, name));
    const others = names.filter((name) => !Object.hasOwn(known, name));
    return bound === undefined ? [] : others.map((name) => [name, agents[bound] ?? ""] as const);
  });
  return { ...Object.fromEntries(added), ...agents };
}

/** `--agent role=agent`, as often as it was given. */
export function readBoundAgents(flags: readonly string[]): Agents {
  return Object.fromEntries(
    flags.map((word) => {
      const at = word.indexOf("=");
      if (at > 0 && at < word.length - 1) return [word.slice(0, at), word.slice(at + 1)];
      throw buildUsageError(
        "usage.bad-value",
        `--agent ${word} names no role and agent`,
        "--agent developer=codex",
      );
    }),
  );
}
