// What makes a handoff unfit although git can write its tree: states that the tree id does not show, or that
// the one approved commit could not hold. Each is a sentence for the agent who has to put it right.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { Change } from "../../core/text/diff/raw.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { getObjectsDir, type Home, isLinked } from "./location.ts";
import { gitlinkMode } from "./plumbing/changes.ts";
import { getBranchRef, readRefs } from "./plumbing/refs.ts";
import { type Dirs, type Kit, readSetting, tryGit } from "./plumbing/runner.ts";

/** Where HEAD and the bubble's branch are; undefined when they name no commit. */
export interface Heads {
  readonly ref: string | undefined;
  readonly head: string | undefined;
  readonly branch: string | undefined;
}

/** Reads HEAD as the worktree has it. */
export async function readHeads(kit: Kit, place: WorkspacePlace, home: Home): Promise<Heads> {
  const text = readFileSync(join(home.gitDir, "HEAD"), "utf8").trim();
  const ref = text.startsWith("ref: ") ? text.slice(5) : undefined;
  if (ref === getBranchRef(place) && isAtBase(place, ref))
    return { ref, head: place.baseCommit, branch: place.baseCommit };
  const refs = await readRefs(kit, home, [getBranchRef(place), ...(ref ? [ref] : [])]);
  return { ref, head: ref ? refs.get(ref) : text, branch: refs.get(getBranchRef(place)) };
}

/** The usual case, an agent that does not commit, needs no question to git. Anything else git has to judge. */
function isAtBase(place: WorkspacePlace, ref: string): boolean {
  return tryOr(
    () => readFileSync(join(getObjectsDir(place), ref), "utf8").trim() === place.baseCommit,
    false,
  );
}

/** All that is wrong, worst first; empty when the handoff may stand. */
export async function findProblems(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  seen: { heads: Heads; changes: readonly Change[]; dirty: readonly string[] },
): Promise<string[]> {
  const links = seen.changes
    .filter(({ oldMode, newMode }) => newMode === gitlinkMode && oldMode !== gitlinkMode)
    .map(({ path }) => path);
  const dirty = seen.dirty.filter((path) => !links.includes(path));
  return [
    ...openOperations(home),
    ...(await listHeadProblems(kit, place, home, seen.heads)),
    ...listLinkProblems(home),
    ...(await listSparseProblems(kit, home)),
    ...links.map(
      (path) => `${path} is a git repository of its own; its files would not be part of the commit`,
    ),
    ...dirty.map((path) => `the submodule ${path} has uncommitted changes, which no commit here can hold`),
  ];
}

const operations: readonly (readonly [file: string, what: string, wayOut: string])[] = [
  ["MERGE_HEAD", "a merge", "git merge --abort"],
  ["rebase-merge", "a rebase", "git rebase --abort"],
  ["rebase-apply", "a rebase or am", "git rebase --abort"],
  ["CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --abort"],
  ["REVERT_HEAD", "a revert", "git revert --abort"],
  ["BISECT_LOG", "a bisect", "git bisect reset"],
];

function openOperations(home: Home): string[] {
  const files = readdirSync(home.gitDir);
  return operations
    .filter(([file]) => files.includes(file))
    .map(([, what, wayOut]) => `${what} is open; finish it or run: ${wayOut}`);
}

async function listHeadProblems(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  heads: Heads,
): Promise<string[]> {
  const { head, ref } = heads;
  if (head === undefined) return [`HEAD names no commit; run: git reset --soft ${place.baseCommit}`];
  const found: string[] = [];
  if (ref !== getBranchRef(place)) {
    const where = ref?.replace("refs/heads/", "") ?? "no branch";
    found.push(`HEAD is on ${where} instead of ${place.branch}; run: git switch ${place.branch}`);
  }
  if (head !== place.baseCommit && !(await isAncestor(kit, home, place.baseCommit, head)))
    found.push(`HEAD does not contain the base commit ${place.baseCommit.slice(0, 12)} any more`);
  return found;
}

async function isAncestor(kit: Kit, dirs: Dirs, older: string, newer: string): Promise<boolean> {
  return (await tryGit(kit, dirs, ["merge-base", "--is-ancestor", older, newer])).code === 0;
}

function listLinkProblems(home: Home): string[] {
  if (isLinked(home)) return [];
  return [".git of the worktree was deleted or replaced; it must be the link that git made"];
}

async function listSparseProblems(kit: Kit, home: Home): Promise<string[]> {
  if (!existsSync(join(home.gitDir, "info", "sparse-checkout"))) return [];
  if ((await readSetting(kit, home, "core.sparseCheckout", "bool")) !== "true") return [];
  return ["sparse checkout hides files of the tree; run: git sparse-checkout disable"];
}
