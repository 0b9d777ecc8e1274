// Which commit a question about the project's knowledge means: the base branch of the next bubble, and what of the
// working copy is not in it yet.
import type { World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { askChangedFiles, askGit } from "../host/git-questions.ts";
import { conventionsFile } from "./read.ts";
import { sopFolder } from "./sops.ts";

export interface KnowledgeBase {
  /** The branch, or HEAD when none is checked out. */
  readonly name: string;
  readonly commit: string;
}

/** The named branch, the checked-out one, or the commit that is checked out without a branch. */
export async function findKnowledgeBase(
  world: Pick<World, "workspace">,
  repo: string,
  branch?: string,
): Promise<KnowledgeBase> {
  const name = branch ?? (await findBranch(world, repo));
  const commit = name === "HEAD" ? await askGit(repo, "rev-parse", "--verify", "--quiet", "HEAD") : undefined;
  return { name, commit: commit ?? (await world.workspace.resolve(repo, name)) };
}

async function findBranch(world: Pick<World, "workspace">, repo: string): Promise<string> {
  try {
    return await world.workspace.defaultBranch(repo);
  } catch (error) {
    if (error instanceof Failure && error.code === "git.detached") return "HEAD";
    throw error;
  }
}

/** Files of the working copy that count only once they are committed. */
export async function listUncommittedKnowledge(repo: string): Promise<string[]> {
  const places = [sopFolder, conventionsFile, ":(glob)**/constitution.md"];
  const changed = await askChangedFiles(repo, "--no-renames", "-uall", "--", ...places);
  return (changed ?? "")
    .split("\0")
    .filter(Boolean)
    .map((row) => row.slice(3))
    .sort();
}
