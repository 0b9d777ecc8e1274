// Which agents a project starts with, by what this machine has: nobody should have to name what can be seen.
import type { ChosenAgents } from "../config/example.ts";
import { findAgent } from "./startable.ts";

/** In the order in which they are taken: two makers catch more than one, and these two are tried best. */
const candidates = ["codex", "claude", "gemini", "opencode", "cursor"] as const;

/** The first two agents that can be started here, or one for both roles; undefined where there is none. */
export function findUsualAgents(repo: string): ChosenAgents | undefined {
  const [first, second = first] = candidates.filter((name) => "path" in findAgent(repo, name, undefined));
  return first === undefined || second === undefined ? undefined : { implementer: first, reviewer: second };
}
