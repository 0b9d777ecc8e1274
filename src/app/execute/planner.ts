// Who would plan here, and whether that agent can be started at all.
import type { World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { listAgentsNotReady } from "../agents/ready.ts";
import { completeConfigValues } from "../config/bubble-file.ts";
import { mergeDefaults, readProjectConfig } from "../config/project.ts";
import { findRoleAgent, readBoundAgents } from "../making/agents.ts";

export type Planner = { readonly agent: string } | { readonly why: string };

/** The agent in the role of the planner, or why there is none: a repository that cannot be worked in is a reason too. */
export async function findPlanner(world: World, repo: string, agents: readonly string[]): Promise<Planner> {
  try {
    return await buildPlanner(world, repo, agents);
  } catch (error) {
    if (error instanceof Failure) return { why: error.message };
    throw error;
  }
}

async function buildPlanner(world: World, repo: string, agents: readonly string[]): Promise<Planner> {
  const branch = await world.workspace.defaultBranch(repo);
  const commit = await world.workspace.resolve(repo, branch);
  const project = await readProjectConfig((path) => world.workspace.fileAt(repo, commit, path));
  const bound = readBoundAgents(agents);
  const values = mergeDefaults(project, {
    ...{ id: "example", repo_path: repo, base_branch: branch, bubble_branch: "bubble/example" },
    ...(agents.length > 0 ? { agents: bound } : {}),
  });
  const config = completeConfigValues({
    ...values,
    agent: { ...project.agents, ...(values.agent as object) },
  });
  const agent = findRoleAgent("planner", config);
  if (agent === undefined) return { why: "no agent is configured for the role planner" };
  const [problem] = listAgentsNotReady({ ...config, agents: { planner: agent } });
  return problem === undefined ? { agent } : { why: problem };
}
