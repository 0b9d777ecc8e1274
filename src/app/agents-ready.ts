// Whether the agents a bubble names can be started at all. Asked before a bubble starts: afterwards a missing program
// would end it for good.
import { isAbsolute } from "node:path";
import type { BubbleConfig } from "../core/model/config.ts";
import { type Refusal, refuse } from "../core/model/refusal.ts";
import { findAgent } from "./doctor/agents.ts";

/** One line for each agent that cannot be started: its name and why. */
export function agentsNotReady({ agents, agent: settings, repo_path }: BubbleConfig): string[] {
  return [...new Set(Object.values(agents))].flatMap((agent) => {
    const found = findAgent(repo_path, agent, settings[agent]);
    if ("path" in found || isInWorktree(found.missing)) return [];
    return [`${agent}: ${found.problem}`];
  });
}

/** A program of the tree itself: it is looked for where the turn runs, which may not exist yet. */
function isInWorktree(program = ""): boolean {
  return program.includes("/") && !isAbsolute(program);
}

/** The refusal that says so, or undefined. `file` is where a person can mend it. */
export function agentsRefused(config: BubbleConfig, file: string): Refusal | undefined {
  const problems = agentsNotReady(config);
  if (problems.length === 0) return undefined;
  const names = problems.map((problem) => problem.split(":")[0]);
  return refuse(
    "agent.not-ready",
    `${names.join(" and ")} cannot be started`,
    `say how in ${file} under [agent.${names[0]}], then give the command again`,
    problems,
  );
}
