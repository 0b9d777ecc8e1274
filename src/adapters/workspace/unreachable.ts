// What removing a bubble would lose. Judged by content, since a squash merge keeps the work and loses the
// commit, and a branch left behind may be older than the files beside it.
import { Failure } from "../../ports/failure.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { findHome, getObjectsDir, type Home, isLinked, openRepo, type Repo, readHead } from "./location.ts";
import { gitlinkMode, listChanges } from "./plumbing/changes.ts";
import { getBranchRef, getRefFolder, pinRef, readRefs } from "./plumbing/refs.ts";
import { type Kit, runGit, runGitLine } from "./plumbing/runner.ts";
import { readCommitTree, readCurrentTree } from "./plumbing/tree.ts";
import { readHeads } from "./problems.ts";

/** One sentence for each thing that would be lost; empty when removing is safe. */
export async function listUnreachable(
  kit: Kit,
  place: WorkspacePlace,
  options: { dropBranch: boolean },
): Promise<string[]> {
  const repo = openRepo(place.repo);
  const refs = await readRefs(kit, repo, [getRefFolder(place), getBranchRef(place)]);
  const tip = refs.get(getBranchRef(place));
  const doomed = tip && options.dropBranch ? await countCommitsOnlyOnBranch(kit, place, repo) : 0;
  const latest = refs.get(pinRef(place, "latest"));
  const branchTrees = await listTrees(kit, place, repo, tip);
  const pinned = latest && (await readCommitTree(kit, repo, latest));
  const home = findHome(place);
  return [
    ...(doomed > 0
      ? [
          `${place.branch} has ${count(doomed, "commit")} that no other branch, tag or remote has; leave the branch or merge it`,
        ]
      : []),
    ...(pinned && !branchTrees.has(pinned) ? [describePin(place, latest)] : []),
    ...(home ? await listUnsavedFiles(kit, place, home, new Set([...branchTrees, pinned])) : []),
    ...(home ? await listStrayCommits(kit, place, home, [...refs.values()]) : []),
  ];
}

/** How many commits of the branch nobody else has, neither as commit nor, after a squash merge, as change. */
async function countCommitsOnlyOnBranch(kit: Kit, place: WorkspacePlace, repo: Repo): Promise<number> {
  const others = [`--exclude=${place.branch}`, "--branches", "--tags", "--remotes"];
  const lonely = Number(
    await runGitLine(kit, repo, ["rev-list", "--count", getBranchRef(place), "--not", ...others]),
  );
  if (lonely === 0) return 0;
  const cherries = await runGit(kit, repo, ["cherry", readHead(repo), getBranchRef(place)]);
  return cherries.split("\n").filter((line) => line.startsWith("+")).length;
}

/** The trees of the base and of all that the branch has on it; whether the branch stays is said apart. */
async function listTrees(
  kit: Kit,
  place: WorkspacePlace,
  repo: Repo,
  tip: string | undefined,
): Promise<Set<string>> {
  const own = tip ? await runGit(kit, repo, ["log", "--format=%T", `${place.baseCommit}..${tip}`]) : "";
  return new Set([await readCommitTree(kit, repo, place.baseCommit), ...own.split("\n")]);
}

function describePin(place: WorkspacePlace, latest: string): string {
  return `the last handoff is in no branch; keep it with: git branch keep-${place.bubble} ${latest.slice(0, 12)}`;
}

/** Files that differ from everything that is kept, and submodule commits that may exist nowhere else. */
async function listUnsavedFiles(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  kept: ReadonlySet<string | undefined>,
): Promise<string[]> {
  const tree = await readCurrentTree(kit, place, home).catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
  if (tree instanceof Failure) return [`the state of ${place.path} cannot be read: ${tree.message}`];
  const changes = await listChanges(kit, home.gitDir, place.baseCommit, tree);
  const links = changes.filter(({ newMode }) => newMode === gitlinkMode);
  return [
    ...(kept.has(tree) ? [] : [describeFile(place, changes.length)]),
    ...links.map(({ path }) => `${path} in ${place.path} is a repository whose commits may be nowhere else`),
    ...(isLinked(home) ? [] : [`.git of ${place.path} was replaced; it may be a repository of its own`]),
  ];
}

function describeFile({ path }: WorkspacePlace, files: number): string {
  const save = `git -C ${path} add -A && git -C ${path} commit -m "keep"`;
  return `${count(files, "file")} in ${path} differ from the base and are in no commit; keep them with: ${save}`;
}

/** Commits outside the bubble's branch that only this tree knows: a detached HEAD, other branches of a clone. */
async function listStrayCommits(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  known: readonly string[],
): Promise<string[]> {
  const { ref, head } = await readHeads(kit, place, home);
  const own = place.mode === "clone" ? await readRefs(kit, home, ["refs/heads", "refs/stash"]) : new Map();
  if (head && ref !== getBranchRef(place)) own.set("HEAD", head);
  own.delete(getBranchRef(place));
  const reached = place.mode === "clone" ? ["--remotes", "--tags"] : ["--branches", "--tags", "--remotes"];
  const sentences: string[] = [];
  for (const [name, commit] of own) {
    const args = ["rev-list", "--ignore-missing", "--count", commit, "--not", ...reached, ...known];
    const lost = Number(
      await runGitLine(kit, { gitDir: getObjectsDir(place), workTree: home.workTree }, args),
    );
    if (lost > 0)
      sentences.push(
        `${name} in ${place.path} has ${count(lost, "commit")} that are nowhere else; keep them with: git branch <name> ${commit.slice(0, 12)}`,
      );
  }
  return sentences;
}

function count(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`;
}
