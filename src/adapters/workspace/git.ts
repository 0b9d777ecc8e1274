// Workspaces on plain git: the parts of this folder put together behind the port. Nothing here pushes.
import type { CrashPoint } from "../../ports/crash-point.ts";
import type { Processes } from "../../ports/system/process.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { includeIn, listChangedIn, listIncludable, putBackIn, stageIn } from "./checkout/clean.ts";
import { getTreeFolders } from "./checkout/folders.ts";
import {
  dropGitSettings,
  keepGitSettings,
  putBackGitSettings,
  readGitSettings,
} from "./checkout/git-settings.ts";
import { createCheckout, discardAll, discardAt } from "./checkout/isolated.ts";
import { prepareWorktree } from "./checkout/prepare.ts";
import { commitTree } from "./commit.ts";
import { syncYoung } from "./durable/objects.ts";
import { findHome, getObjectsDir, isLinked, locateWorkspace, openRepo } from "./location.ts";
import { moveBase } from "./move-base.ts";
import { addFile } from "./paper.ts";
import { dropModes, listChanges, readDiffText } from "./plumbing/changes.ts";
import { findFilters } from "./plumbing/filters.ts";
import { createStagedIndex } from "./plumbing/index-file.ts";
import {
  findDefaultBranch,
  listFilesAt,
  listHooks,
  listSubmodules,
  readFileAt,
  resolveBranch,
} from "./plumbing/lookup.ts";
import { merge } from "./plumbing/merge.ts";
import { listOtherBranches, pinRef, setRefs } from "./plumbing/refs.ts";
import { type Kit, pickGitEnv } from "./plumbing/runner.ts";
import { readCurrentTree } from "./plumbing/tree.ts";
import { removeWorkspace } from "./remove.ts";
import { restore } from "./restore.ts";
import { snapshotWorktree } from "./snapshot.ts";
import { listUnreachable } from "./unreachable.ts";

export interface GitWorkspaceOptions {
  readonly processes: Processes;
  /** A folder of ours outside every tree, for the private indexes. */
  readonly runtimeDir: string;
  readonly crashPoint?: CrashPoint;
  /** Where PATH, HOME and XDG_CONFIG_HOME come from; the caller's own environment when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Keeps nothing in memory: two processes with the same settings may serve the same bubble. */
export function createGitWorkspace(settings: GitWorkspaceOptions): Workspace {
  const kit: Kit = {
    processes: settings.processes,
    runtimeDir: settings.runtimeDir,
    crashPoint: settings.crashPoint ?? (() => undefined),
    env: pickGitEnv(settings.env ?? process.env),
  };
  return {
    resolve: (repo, branch) => resolveBranch(kit, repo, branch),
    defaultBranch: (repo) => findDefaultBranch(kit, repo),
    fileAt: (repo, at, path) => readFileAt(kit, repo, at, path),
    filesAt: (repo, at) => listFilesAt(kit, repo, at),
    makeDurable: (repo) => syncYoung(openRepo(repo).gitDir),
    adopt: (place, commit) =>
      setRefs(kit, openRepo(place.repo), place, [{ ref: pinRef(place, "latest"), to: commit }]),
    moveBase: (place, from) => moveBase(kit, place, from),
    prepare: (place, progress) => prepareWorktree(kit, place, progress),
    snapshot: (place, pin, since) => snapshotWorktree(kit, place, pin, since),
    treeId: async (place) => readCurrentTree(kit, place, locateWorkspace(place)),
    changedBetween: async (place, from, to) =>
      (await listChanges(kit, getObjectsDir(place), from, to)).map(dropModes),
    diff: async (place, from, to) => readDiffText(kit, getObjectsDir(place), from, to),
    merge: (place, what) => merge(kit, place, what),
    addFile: (place, what) => addFile(kit, place, what),
    restore: (place, tree) => restore(kit, place, tree),
    commit: (place, what) => commitTree(kit, place, what),
    hooks: (place) => listHooks(kit, place),
    submodules: (repo, commit) => listSubmodules(kit, repo, commit),
    filters: (repo, commit) => findFilters(kit, repo, commit),
    stagedIndex: (place, tree) => createStagedIndex(kit, place, locateWorkspace(place), tree),
    folders: async (place, root) => getTreeFolders(place, root),
    gitSettings: (place) => readGitSettings(kit, place),
    keepGitSettings: async (place) => keepGitSettings(kit, place),
    putBackGitSettings: (place, names) => putBackGitSettings(kit, place, names),
    branches: (place) => listOtherBranches(kit, place),
    clean: {
      make: (place, tree, path) => createCheckout(kit, place, tree, path),
      include: (place, path, progress) => includeIn(kit, place, path, progress),
      includable: (place) => listIncludable(kit, place),
      changed: (place, path, tree) => listChangedIn(kit, place, path, tree),
      putBack: (place, path, tree) => putBackIn(kit, place, path, tree),
      stage: (place, path, tree) => stageIn(kit, place, path, tree),
      discard: async (path) => discardAt(path),
    },
    unreachable: (place, options) => listUnreachable(kit, place, options),
    remove: async (place, options) => {
      await removeWorkspace(kit, place, options);
      dropGitSettings(kit, place);
      discardAll(place);
    },
    present: async (place) => {
      const home = findHome(place);
      return home !== undefined && isLinked(home);
    },
  };
}
