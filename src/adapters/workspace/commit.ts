// The one commit of a bubble: exactly the approved tree on the base commit, written in the main repository by
// plumbing, so that no hook, index or later edit can change what was approved.
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { followBranch } from "./checkout/clone.ts";
import { findHome, openRepo, type Repo } from "./location.ts";
import { buildAgentPins, buildIdentity, getBranchRef, readRefs, setRefs } from "./plumbing/refs.ts";
import { type Kit, readConfig, runGit, runGitLine, splitZ, tryGit } from "./plumbing/runner.ts";

export interface ApprovedTree {
  readonly tree: string;
  readonly message: string;
  /** When it was approved; both dates of the commit. */
  readonly at: string;
}

/** Returns the commit. Done twice it is one commit; the branch moves by compare-and-set and keeps what it held as a pin. */
export async function commitTree(kit: Kit, place: WorkspacePlace, approved: ApprovedTree): Promise<string> {
  const repo = openRepo(place.repo);
  const message = approved.message.endsWith("\n") ? approved.message : `${approved.message}\n`;
  const seconds = Math.floor(Date.parse(approved.at) / 1000);
  const old = (await readRefs(kit, repo, [getBranchRef(place)])).get(getBranchRef(place));
  const done =
    old && (await isDone(kit, repo, old, [approved.tree, place.baseCommit, `${seconds}`, message]));
  const id = done ? old : await write(kit, place, repo, { tree: approved.tree, message, seconds, old });
  // The process that moved the branch there may have been cut off before it was durable.
  if (done) await setRefs(kit, repo, place, [{ ref: getBranchRef(place), to: id, from: id }]);
  kit.crashPoint("git.commit.moved");
  await followBranch(kit, place);
  await refreshIndex(kit, place, id);
  return id;
}

/** Whether the branch already holds this very commit, under whatever identity it was made. */
async function isDone(kit: Kit, repo: Repo, tip: string, wanted: readonly string[]): Promise<boolean> {
  const text = await runGit(kit, repo, [
    "log",
    "-1",
    "--encoding=UTF-8",
    "--format=%T%x00%P%x00%at%x00%B",
    tip,
  ]);
  return text.trimEnd() === wanted.join("\0").trimEnd();
}

async function write(
  kit: Kit,
  place: WorkspacePlace,
  repo: Repo,
  what: { tree: string; message: string; seconds: number; old: string | undefined },
): Promise<string> {
  const { name, email } = await readAuthor(kit, repo);
  const id = await runGitLine(kit, repo, ["commit-tree", "-p", place.baseCommit, "-F", "-", what.tree], {
    input: what.message,
    env: buildIdentity(name, email, `@${what.seconds} +0000`),
  });
  kit.crashPoint("git.commit.written");
  const kept = what.old ? buildAgentPins(place, [what.old]) : [];
  await setRefs(kit, repo, place, [...kept, { ref: getBranchRef(place), to: id, from: what.old ?? null }]);
  return id;
}

/** The user's configured name, or ours when there is none: a bubble must not fail for want of a name. */
async function readAuthor(kit: Kit, repo: Repo): Promise<{ name: string; email: string }> {
  const result = await readConfig(kit, repo, ["config", "-z", "--get-regexp", "^user\\.(name|email)$"]);
  const found = new Map(splitZ(result.stdout).map((row) => row.split("\n") as [string, string]));
  const [name, email] = [found.get("user.name"), found.get("user.email")];
  return name && email ? { name, email } : { name: "Pairflow", email: "pairflow@localhost" };
}

/** Lets the worktree's own index follow, so that `git status` there is clean. Only a courtesy: the commit stands without it. */
async function refreshIndex(kit: Kit, place: WorkspacePlace, commit: string): Promise<void> {
  const home = findHome(place);
  if (home) await tryGit(kit, home, ["reset", "--quiet", commit]);
  kit.crashPoint("git.commit.refreshed");
}
