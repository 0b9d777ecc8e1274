// The commit of what `init` has written: these files and nothing else, in the checkout of the person who asked for it. Hooks and
// signatures are the person's own: where there are any, the commit is left to them.
import type { World } from "../../engine/front/world.ts";
import { askChangedFiles, askGit, buildGitCommand, tryRun } from "../host/git-questions.ts";

const message = "Prepare Pairflow";

export const suggestCommit = (files: readonly string[]): string =>
  `git add ${files.join(" ")} && git commit -m "${message}"`;

/** Why the files cannot be committed for a person; undefined when they can. Asked before anything is written. */
export async function checkCommittable(
  { repo, workspace }: Pick<World, "repo" | "workspace">,
  files: readonly string[],
): Promise<string | undefined> {
  const changed = await askChangedFiles(repo, "--", ...files);
  if (changed !== "") return `${files.join(" or ")} has changes of yours`;
  if ((await workspace.hooks({ repo, path: repo })).length > 0) return "this repository has commit hooks";
  if ((await askGit(repo, "config", "--type=bool", "commit.gpgsign")) === "true")
    return "your commits are signed";
  return undefined;
}

/** Those of the files that are not committed as they are, a second time too. */
export async function listNotCommitted(repo: string, files: readonly string[]): Promise<string[]> {
  const listed = await askChangedFiles(repo, "--no-renames", "--untracked-files=all", "--", ...files);
  const changed = (listed ?? "").split("\0").map((row) => row.slice(3));
  return files.filter((file) => changed.includes(file));
}

/** The short name of the commit, or why there is none. */
export async function commitPrepared(
  repo: string,
  files: readonly string[],
): Promise<{ readonly commit?: string | undefined; readonly problem?: string }> {
  for (const args of [
    ["add", "--", ...files],
    ["commit", "-q", "--only", "-m", message, "--", ...files],
  ]) {
    const done = await tryRun(buildGitCommand(repo, ...args));
    if (done?.code !== 0) return { problem: done?.stderr.trim().split("\n")[0] || "git could not be run" };
  }
  return { commit: await askGit(repo, "rev-parse", "--short", "HEAD") };
}
