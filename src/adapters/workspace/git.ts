// Workspaces on plain git: the parts of this folder put together behind the port. Nothing here pushes.
import type { CrashPoint } from "../../ports/crash-point.ts";
import type { Processes } from "../../ports/process.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { diffText, listChanges, plainChange } from "./changes.ts";
import { changedIn, includableFrom, includeIn, putBackIn, stageIn } from "./clean.ts";
import { commit } from "./commit.ts";
import { filtersIn } from "./filters.ts";
import { foldersOf } from "./folders.ts";
import { dropGitSettings, gitSettings, keepGitSettings, putBackGitSettings } from "./git-settings.ts";
import { stagedIndex } from "./index-file.ts";
import { checkoutAt, discardAll, discardAt } from "./isolated.ts";
import { findHome, isLinked, locate, objectsOf, openRepo } from "./location.ts";
import { defaultBranch, fileAt, filesAt, hooks, resolveBranch, submodules } from "./lookup.ts";
import { merge } from "./merge.ts";
import { addFile } from "./paper.ts";
import { prepare } from "./prepare.ts";
import { otherBranches, pinRef, setRefs } from "./refs.ts";
import { remove } from "./remove.ts";
import { restore } from "./restore.ts";
import { gitEnv, type Kit } from "./runner.ts";
import { snapshot } from "./snapshot.ts";
import { syncYoung } from "./sync-objects.ts";
import { treeNow } from "./tree.ts";
import { unreachable } from "./unreachable.ts";

export interface GitSettings {
  readonly processes: Processes;
  /** A folder of ours outside every tree, for the private indexes. */
  readonly runtimeDir: string;
  readonly crashPoint?: CrashPoint;
  /** Where PATH, HOME and XDG_CONFIG_HOME come from; the caller's own environment when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Keeps nothing in memory: two processes with the same settings may serve the same bubble. */
export function gitWorkspace(settings: GitSettings): Workspace {
  const kit: Kit = {
    processes: settings.processes,
    runtimeDir: settings.runtimeDir,
    crashPoint: settings.crashPoint ?? (() => undefined),
    env: gitEnv(settings.env ?? process.env),
  };
  return {
    resolve: (repo, branch) => resolveBranch(kit, repo, branch),
    defaultBranch: (repo) => defaultBranch(kit, repo),
    fileAt: (repo, at, path) => fileAt(kit, repo, at, path),
    filesAt: (repo, at) => filesAt(kit, repo, at),
    makeDurable: (repo) => syncYoung(openRepo(repo).gitDir),
    adopt: (place, commit) =>
      setRefs(kit, openRepo(place.repo), place, [{ ref: pinRef(place, "latest"), to: commit }]),
    prepare: (place, progress) => prepare(kit, place, progress),
    snapshot: (place, pin) => snapshot(kit, place, pin),
    treeId: async (place) => treeNow(kit, place, locate(place)),
    changedBetween: async (place, from, to) =>
      (await listChanges(kit, objectsOf(place), from, to)).map(plainChange),
    diff: async (place, from, to) => diffText(kit, objectsOf(place), from, to),
    merge: (place, what) => merge(kit, place, what),
    addFile: (place, what) => addFile(kit, place, what),
    restore: (place, tree) => restore(kit, place, tree),
    commit: (place, what) => commit(kit, place, what),
    hooks: (place) => hooks(kit, place),
    submodules: (repo, commit) => submodules(kit, repo, commit),
    filters: (repo, commit) => filtersIn(kit, repo, commit),
    stagedIndex: (place, tree) => stagedIndex(kit, place, locate(place), tree),
    folders: async (place, root) => foldersOf(place, root),
    gitSettings: (place) => gitSettings(kit, place),
    keepGitSettings: async (place) => keepGitSettings(kit, place),
    putBackGitSettings: (place, names) => putBackGitSettings(kit, place, names),
    branches: (place) => otherBranches(kit, place),
    clean: {
      make: (place, tree, path) => checkoutAt(kit, place, tree, path),
      include: (place, path, progress) => includeIn(kit, place, path, progress),
      includable: (place) => includableFrom(kit, place),
      changed: (place, path, tree) => changedIn(kit, place, path, tree),
      putBack: (place, path, tree) => putBackIn(kit, place, path, tree),
      stage: (place, path, tree) => stageIn(kit, place, path, tree),
      discard: async (path) => discardAt(path),
    },
    unreachable: (place, options) => unreachable(kit, place, options),
    remove: async (place, options) => {
      await remove(kit, place, options);
      dropGitSettings(kit, place);
      discardAll(place);
    },
    present: async (place) => {
      const home = findHome(place);
      return home !== undefined && isLinked(home);
    },
  };
}
