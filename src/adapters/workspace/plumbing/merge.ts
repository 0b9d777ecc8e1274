// Trees made side by side, put together again: one three-way merge after the other, in git's objects alone. Neither the
// worktree nor anybody's index is looked at, so nobody who works there is disturbed.

import { Failure } from "../../../ports/failure.ts";
import type { MergedTrees, MergeOptions, WorkspacePlace } from "../../../ports/workspace.ts";
import { type Home, locateWorkspace, openRepo } from "../location.ts";
import { fetchRefs, ownIdentity, pinCommit, pinRef, publish, setRefs } from "./refs.ts";
import { type Kit, runGitLine, splitZ, toGitFailure, tryGit } from "./runner.ts";
import { readCommitTree } from "./tree.ts";

interface Pinned {
  readonly ref: string;
  readonly to: string;
}

/** Merges and pins the outcome under the name of its pin. The same options give the same commit. */
export async function merge(kit: Kit, place: WorkspacePlace, options: MergeOptions): Promise<MergedTrees> {
  const home = locateWorkspace(place);
  const sides = await pinSides(kit, place, home, options);
  kit.crashPoint("git.merge.fetched");
  const { tree, conflicts } = await mergeInOrder(kit, place, home, options, sides);
  kit.crashPoint("git.merge.merged");
  const commit = await pinCommit(kit, home, place, { tree, pin: options.pin });
  const ref = pinRef(place, options.pin);
  const pins = [ref, pinRef(place, "latest")].map((pin) => ({ ref: pin, to: commit }));
  await setRefs(kit, home, place, pins);
  kit.crashPoint("git.merge.pinned");
  await publish(kit, place, pins);
  return { tree, commit, ref, conflicts };
}

/**
 * Each side as a commit on `from`, whatever its own history, so that `from` is the merge base. They are named by refs:
 * what was merged stays, the names stand in conflict markers, and a clone can fetch them.
 */
async function pinSides(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  options: MergeOptions,
): Promise<Pinned[]> {
  const repo = openRepo(place.repo);
  const sides: Pinned[] = [];
  for (const [index, { name, commit }] of options.commits.entries()) {
    const message = `pairflow ${place.bubble} ${options.pin} ${name}`;
    const to = await commitOn(kit, repo, options.from, await readCommitTree(kit, repo, commit), message);
    sides.push({ ref: pinRef(place, `${options.pin}.${index + 1}-${toRefPart(name)}`), to });
  }
  if (sides.length > 0) await setRefs(kit, repo, place, sides);
  if (place.mode === "clone" && sides.length > 0)
    await fetchRefs(
      kit,
      home,
      repo,
      sides.map(({ ref }) => `+${ref}:${ref}`),
    );
  return sides;
}

/** A part of a ref's name. */
const toRefPart = (name: string) => name.replace(/[^a-z0-9_-]+/gi, "-");

function commitOn(
  kit: Kit,
  dirs: { workTree: string; gitDir: string },
  parent: string,
  tree: string,
  message: string,
): Promise<string> {
  return runGitLine(kit, dirs, ["commit-tree", "-p", parent, "-m", message, tree], { env: ownIdentity });
}

/** A conflict stops nothing: its markers stay in the file, and the next side is merged into that. */
async function mergeInOrder(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  options: MergeOptions,
  sides: readonly Pinned[],
): Promise<{ tree: string; conflicts: string[] }> {
  const conflicts = new Set<string>();
  let tree = await readCommitTree(kit, home, options.from);
  const soFar = pinRef(place, `${options.pin}.so-far`);
  for (const { ref } of sides) {
    const to = await commitOn(
      kit,
      home,
      options.from,
      tree,
      `pairflow ${place.bubble} ${options.pin} so far`,
    );
    await setRefs(kit, home, place, [{ ref: soFar, to }]);
    const merged = await mergeTwo(kit, place, home, mergeArgs(soFar, ref));
    tree = merged.tree;
    for (const path of merged.conflicts) conflicts.add(path);
  }
  return { tree, conflicts: [...conflicts].sort() };
}

function mergeArgs(ours: string, theirs: string): string[] {
  return [
    "merge-tree",
    "--write-tree",
    "-z",
    "--name-only",
    "--no-messages",
    shortenRef(ours),
    shortenRef(theirs),
  ];
}

/** Readable in a conflict marker; git finds it under refs/ all the same. */
const shortenRef = (ref: string) => ref.replace(/^refs\//, "");

async function mergeTwo(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  args: readonly string[],
): Promise<{ tree: string; conflicts: string[] }> {
  const result = await tryGit(kit, home, [...plainMerges, ...args]);
  if (result.code === 129) throw await toGitTooOld(kit, place, home);
  if (result.code !== 0 && result.code !== 1) throw toGitFailure("git.merge-failed", ["merge-tree"], result);
  const [tree = "", ...paths] = splitZ(result.stdout);
  return { tree, conflicts: result.code === 1 ? paths : [] };
}

/** The same outcome whatever the user's taste. */
const plainMerges = [
  "merge.conflictStyle=merge",
  "merge.renames=true",
  "merge.directoryRenames=conflict",
  "merge.renormalize=false",
].flatMap((setting) => ["-c", setting]);

/** Older versions of git do not know the option, and answer with their usage. */
async function toGitTooOld(kit: Kit, place: WorkspacePlace, home: Home): Promise<Failure> {
  const version = (await runGitLine(kit, home, ["version"])).replace(/^git version /, "");
  return new Failure("git.too-old", `git ${version} cannot merge trees without a checkout; 2.38 can`, {
    hint: `install git 2.38 or newer, then: pairflow bubble resume --id ${place.bubble}`,
    // Says nothing about the bubble: with another git it continues where it is.
    retryable: true,
  });
}
