// Git, as far as a bubble needs it: a tree of its own, exact snapshots, and a commit of exactly the approved bytes.
import type { ChangedFile } from "../core/model/payloads.ts";

export interface Place {
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
}

export interface TreeSnapshot {
  readonly tree: string;
  /** The tree pinned as a commit under refs/pairflow/<bubble>/. */
  readonly commit: string;
  readonly ref: string;
  readonly files: readonly ChangedFile[];
  readonly diff: string;
  /** What git refuses about the worktree's state; empty when the handoff may stand. */
  readonly problems: readonly string[];
}

/** Several trees as one. */
export interface MergedTrees {
  readonly tree: string;
  /** Pinned like a snapshot, on the base. */
  readonly commit: string;
  readonly ref: string;
  /** Files of the tree that hold conflict markers, or one side where markers cannot be. */
  readonly conflicts: readonly string[];
}

/** One file more in a tree. */
export interface AddedFile {
  /** The tree it is put into. */
  readonly tree: string;
  readonly path: string;
  readonly text: string;
  readonly pin: string;
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
 */
export interface Workspace {
  /** Resolves a branch to its commit; throws Failure `git.no-base` with the known branches as a hint. */
  resolve(repo: string, branch: string): Promise<string>;
  defaultBranch(repo: string): Promise<string>;
  /** Text of a file at a commit, or undefined. */
  fileAt(repo: string, commit: string, path: string): Promise<string | undefined>;
  filesAt(repo: string, commit: string): Promise<string[]>;
  /** Creates the worktree or clone and its branch, or adopts the one it created before. Copies what `.worktreeinclude` names. */
  prepare(place: Place): Promise<{ tree: string; notes: string[] }>;
  snapshot(place: Place, pin: string): Promise<TreeSnapshot>;
  /** Only the tree id, for comparing; pins nothing. */
  treeId(place: Place): Promise<string>;
  changedBetween(place: Place, from: string, to: string): Promise<ChangedFile[]>;
  diff(place: Place, from: string, to: string): Promise<string>;
  /**
   * Merges commits that all started from `from`, one after the other, and pins the outcome. Needs git 2.38; throws
   * Failure `git.too-old`.
   */
  merge(
    place: Place,
    what: {
      readonly from: string;
      readonly commits: readonly { readonly name: string; readonly commit: string }[];
      readonly pin: string;
    },
  ): Promise<MergedTrees>;
  addFile(place: Place, what: AddedFile): Promise<{ tree: string; commit: string; ref: string }>;
  restore(place: Place, tree: string): Promise<{ patch: string; files: string[] }>;
  commit(place: Place, what: { tree: string; message: string; at: string }): Promise<string>;
  /** Executable pre-commit and commit-msg hooks of the repository. */
  hooks(place: Place): Promise<("pre-commit" | "commit-msg")[]>;
  /** A private index that holds this tree, as commit hooks expect to see it; returns its path. */
  stagedIndex(place: Place, tree: string): Promise<string>;
  /**
   * A clean checkout of exactly this tree beside the worktree, as a repository of its own whose one commit stands on the
   * base: git in it finds the history and cannot touch the bubble's. What stood there under this name is gone.
   */
  checkout(place: Place, tree: string, name: string): Promise<string>;
  /** Removes such a checkout; harmless when there is none. */
  discard(place: Place, name: string): Promise<void>;
  /** Work that `remove` with these options would lose: one sentence each; empty when removing is safe. */
  unreachable(place: Place, options: { dropBranch: boolean }): Promise<string[]>;
  /** Throws Failure `workspace.unsaved-work` while something is unreachable, unless forced. Harmless when done twice. */
  remove(place: Place, options: { dropBranch: boolean; force?: boolean }): Promise<void>;
  present(place: Place): Promise<boolean>;
}
