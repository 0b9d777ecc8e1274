// Commits that a record names, beside the record: in one bundle, without what every clone of the repository has.
import { existsSync } from "node:fs";
import { localOnly } from "../../adapters/workspace/plumbing/refs.ts";
import { pickGitEnv } from "../../adapters/workspace/plumbing/runner.ts";
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import { buildGitCommand, tryRun } from "../host/git-questions.ts";

export const bundleName = "commits.bundle";

/** Writes the pins of these bubbles; false when there are none. */
export async function writeCommits(repo: string, states: readonly State[], file: string): Promise<boolean> {
  for (const state of states) await pinCommitted(repo, state);
  const git = async (...args: string[]) => tryRun(buildGitCommand(repo, ...args));
  const folders = states.map(({ bubbleId }) => `refs/pairflow/${bubbleId}/`);
  const listed = await git("for-each-ref", "--format=%(refname)", ...folders);
  const refs = (listed?.stdout ?? "").split("\n").filter(Boolean);
  const [top] = states;
  if (refs.length === 0 || !top) return false;
  const made = await git("bundle", "create", "--quiet", file, ...refs, `^${top.baseCommit}`);
  return made?.code === 0;
}

/** The one commit of a bubble is on a branch, which a person may move: it travels under a name of its own. */
async function pinCommitted(repo: string, { bubbleId, commit }: State): Promise<void> {
  if (!commit) return;
  const ref = `refs/pairflow/${bubbleId}/sent-${commit.id.slice(0, 20)}`;
  await tryRun(buildGitCommand(repo, "update-ref", ref, commit.id));
}

/** Brings the commits of a bundle into the clone. Refs that are there and are something else stay. */
export async function readCommits(repo: string, file: string): Promise<void> {
  if (!existsSync(file)) return;
  const plain = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  const fetch = buildGitCommand(repo, "fetch", ...plain, file, "refs/pairflow/*:refs/pairflow/*");
  const done = await tryRun(fetch, { ...pickGitEnv(process.env), ...localOnly });
  if (done?.code === 0) return;
  const said = done?.stderr.trim() ?? "git is not there";
  const lacksBase = /lacks these prerequisite commits/.test(said);
  throw new Failure(
    lacksBase ? "travel.base-missing" : "import.bad-commits",
    lacksBase
      ? `${repo} lacks the commit that this work began with.`
      : `The commits of ${file} cannot be taken: ${said}`,
    { hint: lacksBase ? `git -C ${repo} fetch --all` : `git bundle verify ${file}` },
  );
}
