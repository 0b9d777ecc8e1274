// Git, as far as a bubble needs it: a tree of its own, exact snapshots, and a commit of exactly the approved bytes.
import type { IncludedFile } from "../core/model/record/checkout.ts";
import type { GitSettings } from "../core/model/record/git-settings.ts";
import type { ChangedFile } from "../core/model/record/payloads/parts.ts";
import type { GitFolders } from "../core/sandbox/git.ts";

export interface WorkspacePlace {
  readonly repo: string;
  readonly path: string;
  readonly branch: string;
  readonly baseCommit: string;
  readonly mode: "worktree" | "clone";
  readonly bubble: string;
  /**
   * Patterns as in .gitignore, without negation: what is tracked under them stands in every tree and is not checked out,
   * so that nobody who works here comes across it.
   */
  readonly hidden?: readonly string[];
  /** Filters that may run here, as the user's own configuration defines them; no other does. */
  readonly filters?: readonly string[];
}

/** The worktree's tree, that of the base commit, and what is different about this worktree. */
export interface PreparedTree {
  readonly tree: string;
  readonly base: string;
  readonly notes: string[];
}

export interface TreeSnapshot {
  readonly tree: string;
  /** The tree pinned as a commit under refs/pairflow/<bubble>/. */
  readonly commit: string;
  readonly ref: string;
  readonly files: readonly ChangedFile[];
  readonly diff: string;
  /** What differs from the tree that was asked about; "" without one. */
  readonly change: string;
  /** What git refuses about the worktree's state; empty when the handoff may stand. */
  readonly problems: readonly string[];
  /** Commits that somebody made in the worktree; the approved commit will not contain them. */
  readonly ownCommits?: { readonly count: number; readonly ref: string };
}

/** A hook that git would run at a commit in the main checkout. */
export interface RepositoryHook {
  readonly name: "pre-commit" | "commit-msg";
  /** Its file, from the repository's root where it lies inside. */
  readonly path: string;
  /** Git would run it in the bubble's tree too; a folder that a setup makes may be missing there. */
  readonly inTree: boolean;
}

/** Several trees as one. */
export interface MergeOptions {
  /** The commit all of them started from. */
  readonly from: string;
  /** In this order, under these names. */
  readonly commits: readonly { readonly name: string; readonly commit: string }[];
  readonly pin: string;
}

export interface MergedTrees {
  readonly tree: string;
  /** Pinned like a snapshot, on the base. */
  readonly commit: string;
  readonly ref: string;
  /** Files of the tree that hold conflict markers, or one side where markers cannot be. */
  readonly conflicts: readonly string[];
}

/** The folders around a tree, with every link in their paths resolved. */
export interface TreeFolders {
  readonly repo: string;
  readonly root: string;
  readonly git: GitFolders;
}

/** One file more in a tree. */
export interface AddedFile {
  /** The tree it is put into. */
  readonly tree: string;
  readonly path: string;
  readonly text: string;
  readonly pin: string;
}

/** Checkouts of exactly one tree anywhere on the disk. */
export interface CleanCheckouts {
  /**
   * A repository of its own whose one commit stands on the base: git in it finds the history and cannot touch the
   * bubble's. What stood there is gone.
   */
  make(place: WorkspacePlace, tree: string, path: string): Promise<void>;
  /** Copies what `.worktreeinclude` names from the person's checkout; the notes say what was not copied. */
  include(
    place: WorkspacePlace,
    path: string,
    progress?: (text: string) => void,
  ): Promise<{ included: IncludedFile[]; notes: string[] }>;
  /** What it names there now, with what each file holds; nothing is copied. */
  includable(place: WorkspacePlace): Promise<IncludedFile[]>;
  /** Files of the tree that differ in the checkout now; files that are in no tree are not looked at. */
  changed(place: WorkspacePlace, path: string, tree: string): Promise<string[]>;
  /** Brings the files of the tree back. */
  putBack(place: WorkspacePlace, path: string, tree: string): Promise<void>;
  /** The checkout stands on the base with the whole change staged, as commit hooks expect it. Returns the hooks' folder. */
  stage(place: WorkspacePlace, path: string, tree: string): Promise<string>;
  /** Removes it; harmless when there is none. */
  discard(path: string): Promise<void>;
}

/**
 * G1 the tree is all tracked and unignored files, through a private index; the agent's index and stash are never touched
 * G2 a failing `git add` is a failure, never a tree
 * G3 every snapshot is pinned under refs/pairflow/<bubble>/ and survives gc and a deleted worktree
 * G4 commit writes the approved tree by plumbing with the approval's dates; done twice it is one commit
 * G5 restore brings the worktree back to a tree and returns what it undid as a patch
 * G6 remove refuses while work exists that no other ref reaches
 * G7 nothing is ever pushed
 * G8 merge puts trees together in the given order and touches neither worktree nor index; conflicts are in the tree and named
 * G9 addFile makes a tree with one more file and touches neither worktree, index nor the newest snapshot
 * G10 what a snapshot, merge, restored tree or commit names is durable when the call returns: objects, then refs
 * G11 moveBase puts the bubble's branch on another commit and leaves the files alone; commits that were on the branch are kept
 */
export interface Workspace {
  /** Resolves a branch to its commit; throws Failure `git.no-base` with the known branches as a hint. */
  resolve(repo: string, branch: string): Promise<string>;
  defaultBranch(repo: string): Promise<string>;
  /** Text of a file at a commit, or undefined. */
  fileAt(repo: string, commit: string, path: string): Promise<string | undefined>;
  filesAt(repo: string, commit: string): Promise<string[]>;
  /** Whatever the repository's commits rest on is durable when this returns, also what git itself has not synced yet. */
  makeDurable(repo: string): Promise<void>;
  /** What `prepare` will begin with on top of the base: another bubble's pinned work. Durable when it returns. */
  adopt(place: WorkspacePlace, commit: string): Promise<void>;
  /**
   * The bubble stands on another base from now on: `place` names it, `from` is the one before. Done twice it is done once.
   * Returns the new base's tree.
   */
  moveBase(place: WorkspacePlace, from: string): Promise<string>;
  /** Creates the worktree or clone and its branch, or adopts the one it created before. Copies what `.worktreeinclude` names. */
  prepare(place: WorkspacePlace, progress?: (text: string) => void): Promise<PreparedTree>;
  /** `since`: an earlier tree, from which the difference is read while this one is pinned. */
  snapshot(place: WorkspacePlace, pin: string, since?: string): Promise<TreeSnapshot>;
  /** Only the tree id, for comparing; pins nothing. */
  treeId(place: WorkspacePlace): Promise<string>;
  changedBetween(place: WorkspacePlace, from: string, to: string): Promise<ChangedFile[]>;
  diff(place: WorkspacePlace, from: string, to: string): Promise<string>;
  /**
   * Merges commits that all started from `from`, one after the other, and pins the outcome. Needs git 2.38; throws
   * Failure `git.too-old`.
   */
  merge(place: WorkspacePlace, options: MergeOptions): Promise<MergedTrees>;
  addFile(place: WorkspacePlace, what: AddedFile): Promise<{ tree: string; commit: string; ref: string }>;
  restore(place: WorkspacePlace, tree: string): Promise<{ patch: string; files: string[] }>;
  commit(place: WorkspacePlace, what: { tree: string; message: string; at: string }): Promise<string>;
  /** Executable pre-commit and commit-msg hooks of the repository. */
  hooks(place: Pick<WorkspacePlace, "repo" | "path">): Promise<RepositoryHook[]>;
  /** Paths of the submodules at a commit; in a bubble's tree their folders are empty. */
  submodules(repo: string, commit: string): Promise<string[]>;
  /** Names of the filters that committed .gitattributes ask for, and whether the user's own configuration has each. */
  filters(repo: string, commit: string): Promise<{ readonly name: string; readonly isDefined: boolean }[]>;
  /** A private index that holds this tree, as commit hooks expect to see it; returns its path. */
  stagedIndex(place: WorkspacePlace, tree: string): Promise<string>;
  /** What a program is confined to that runs in the worktree or in a checkout of it: real paths. */
  folders(place: WorkspacePlace, root: string): Promise<TreeFolders>;
  /** The repository's git settings as they are now, for comparing. They have no effect on this port. */
  gitSettings(place: WorkspacePlace): Promise<GitSettings>;
  /** Keeps them, so that `putBackGitSettings` can bring the named keys and files back. */
  keepGitSettings(place: WorkspacePlace): Promise<void>;
  putBackGitSettings(place: WorkspacePlace, names: readonly string[]): Promise<void>;
  /** The branches of the repository with their commits, without the bubble's own. */
  branches(place: WorkspacePlace): Promise<Record<string, string>>;
  readonly clean: CleanCheckouts;
  /** Work that `remove` with these options would lose: one sentence each; empty when removing is safe. */
  unreachable(place: WorkspacePlace, options: { dropBranch: boolean }): Promise<string[]>;
  /** Throws Failure `workspace.unsaved-work` while something is unreachable, unless forced. Harmless when done twice. */
  remove(place: WorkspacePlace, options: { dropBranch: boolean; force?: boolean }): Promise<void>;
  present(place: WorkspacePlace): Promise<boolean>;
}
