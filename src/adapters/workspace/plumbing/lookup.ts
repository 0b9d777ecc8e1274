// Questions about the main repository that need no bubble: branches, files at a commit, hooks.
import { accessSync, constants, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { findNearestWord } from "../../../core/text/nearest.ts";
import { Failure } from "../../../ports/failure.ts";
import type { RepositoryHook, WorkspacePlace } from "../../../ports/workspace.ts";
import { isIdleHook } from "../checkout/husky.ts";
import { openRepo, type Repo } from "../location.ts";
import { readRefs } from "./refs.ts";
import { type Kit, readSetting, runGit, splitZ, tryGit } from "./runner.ts";

/** The commit of a branch, remote branch, tag or full id. Throws Failure `git.no-base` with what there is. */
export async function resolveBranch(kit: Kit, root: string, branch: string): Promise<string> {
  const repo = openRepo(root);
  const isId = /^[0-9a-f]{40,64}$/.test(branch);
  const folders = ["refs/heads/", "refs/remotes/", "refs/remotes/origin/", "refs/tags/"];
  for (const name of isId ? [branch] : folders.map((folder) => folder + branch)) {
    const result = await tryGit(kit, repo, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
    if (result.code === 0) return result.stdout.trim();
  }
  throw await toNoBase(kit, repo, branch);
}

async function toNoBase(kit: Kit, repo: Repo, branch: string): Promise<Failure> {
  const refs = await readRefs(kit, repo, ["refs/heads", "refs/remotes"]);
  const known = [...refs.keys()].map((ref) => ref.replace(/^refs\/(heads|remotes)\//, ""));
  const near = findNearestWord(branch, known);
  const sorted = near ? [near, ...known.filter((name) => name !== near)] : known;
  const hint =
    known.length > 0
      ? `known branches: ${sorted.slice(0, 12).join(", ")}`
      : "make a first commit: git commit --allow-empty -m start";
  return new Failure("git.no-base", `there is no branch ${branch} in ${repo.workTree}`, { hint });
}

/** The branch the main checkout is on. Throws Failure `git.detached`. */
export async function findDefaultBranch(kit: Kit, root: string): Promise<string> {
  const result = await tryGit(kit, openRepo(root), ["symbolic-ref", "--quiet", "--short", "HEAD"], {
    direct: true,
  });
  if (result.code === 0) return result.stdout.trim();
  throw new Failure("git.detached", `${root} is on no branch`, {
    hint: "name the base branch: --base <branch>",
  });
}

/** The text of a file at a commit; undefined when there is no such file there. */
export async function readFileAt(
  kit: Kit,
  root: string,
  commit: string,
  path: string,
): Promise<string | undefined> {
  const repo = openRepo(root);
  const row = await runGit(kit, repo, ["ls-tree", "-z", "--full-tree", commit, "--", path]);
  const [, type, id] = row.split(/[ \t]/);
  return type === "blob" && id ? runGit(kit, repo, ["cat-file", "blob", id]) : undefined;
}

/** All paths at a commit. */
export async function listFilesAt(kit: Kit, root: string, commit: string): Promise<string[]> {
  return splitZ(
    await runGit(kit, openRepo(root), ["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit]),
  );
}

/**
 * The hooks the repository would run at a commit; the referee runs them as gates, git itself never does. A relative
 * core.hooksPath means the folder of whichever tree the hook runs in.
 */
export async function listHooks(
  kit: Kit,
  { repo: root, path }: Pick<WorkspacePlace, "repo" | "path">,
): Promise<RepositoryHook[]> {
  const repo = openRepo(root);
  const set = await readSetting(kit, repo, "core.hooksPath", "path");
  const folderIn = (tree: string) => (set ? resolve(tree, set) : join(repo.commonDir, "hooks"));
  return (["pre-commit", "commit-msg"] as const).flatMap((name) => {
    const file = join(folderIn(repo.workTree), name);
    if (!isExecutable(file)) return [];
    if (isIdleHook(folderIn(repo.workTree), name, [folderIn(path)])) return [];
    const inside = relative(repo.workTree, file);
    const inTree = isExecutable(join(folderIn(path), name));
    return [{ name, path: inside.startsWith("..") ? file : inside, inTree }];
  });
}

/** Paths of the submodules at a commit. */
export async function listSubmodules(kit: Kit, root: string, commit: string): Promise<string[]> {
  const rows = splitZ(await runGit(kit, openRepo(root), ["ls-tree", "-r", "-z", "--full-tree", commit]));
  return rows.flatMap((row) => (row.startsWith("160000 ") ? [row.slice(row.indexOf("\t") + 1)] : []));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
