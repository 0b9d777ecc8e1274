// Workspaces on plain git: the parts of this folder put together behind the port. Nothing here pushes.
import type { CrashPoint } from "../../ports/crash-point.ts";
import type { Processes } from "../../ports/process.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { diffText, listChanges, plainChange } from "./changes.ts";
import { commit } from "./commit.ts";
import { stagedIndex } from "./index-file.ts";
import { checkout, discard, discardAll } from "./isolated.ts";
import { findHome, isLinked, locate, objectsOf } from "./location.ts";
import { defaultBranch, fileAt, filesAt, hooks, resolveBranch } from "./lookup.ts";
import { merge } from "./merge.ts";
import { addFile } from "./paper.ts";
import { prepare } from "./prepare.ts";
import { remove } from "./remove.ts";
import { restore } from "./restore.ts";
import { gitEnv, type Kit } from "./runner.ts";
import { snapshot } from "./snapshot.ts";
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
    prepare: (place) => prepare(kit, place),
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
    stagedIndex: (place, tree) => stagedIndex(kit, place, locate(place), tree),
    checkout: (place, tree, name) => checkout(kit, place, tree, name),
    discard: async (place, name) => discard(place, name),
    unreachable: (place, options) => unreachable(kit, place, options),
    remove: async (place, options) => {
      await remove(kit, place, options);
      discardAll(place);
    },
    present: async (place) => {
      const home = findHome(place);
      return home !== undefined && isLinked(home);
    },
  };
}
