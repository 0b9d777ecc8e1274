// What of git's folders a confined program may write: objects, the bubble's branch, and what belongs to its own worktree.
// Never what names programs or decides what is read: configuration, hooks, info, and the referee's own refs.
import type { Mount } from "./mount.ts";

/** The git folders of a worktree or checkout, as they stand. */
export type GitFolders =
  | {
      readonly kind: "worktree";
      /** Holds objects and branches. */
      readonly common: string;
      /** The worktree's own, inside the common one. */
      readonly own: string;
      /** The `.git` file of the worktree. */
      readonly link: string;
      readonly branch: string;
      /** What lies beside the branch, in the same folder. */
      readonly siblings: readonly string[];
    }
  /** A repository of its own: a clone, or a clean checkout. */
  | {
      readonly kind: "repository";
      readonly folder: string;
      /** Other git folders it takes objects or hooks from. */
      readonly reads: readonly string[];
    };

/**
 * Of a draft all can be written, and nothing of that stays but objects, the branch and the worktree's own. Installers such as
 * husky set hooks and stop where they cannot; lint-staged keeps a stash while it works.
 */
export function buildGitMounts(git: GitFolders, isDraft = false): Mount[] {
  if (git.kind === "repository") {
    if (isDraft) return [...git.reads.map(read), buildDraftMount(git.folder)];
    const kept = ["config", "config.worktree", "hooks", "info", "pairflow.json", "objects/info"];
    // Mounted onto itself it cannot be moved away and replaced.
    return [...git.reads.map(read), write(git.folder), ...kept.map((name) => read(`${git.folder}/${name}`))];
  }
  const { common, own, link, branch, siblings } = git;
  return [
    isDraft ? buildDraftMount(common) : read(common),
    write(`${common}/objects`),
    read(`${common}/objects/info`),
    ...listBranchMounts(common, branch, siblings),
    write(own),
    ...["gitdir", "commondir", "config.worktree", "pairflow.json"].map((name) => read(`${own}/${name}`)),
    read(link),
  ];
}

/**
 * Git writes a branch by a file beside it, so its folder must be writable; the other branches in it are not. A branch
 * beside `main` cannot be written: a program that may make files there could make one for a branch that is packed.
 */
function listBranchMounts(common: string, branch: string, siblings: readonly string[]): Mount[] {
  const folder = branch.includes("/") ? branch.slice(0, branch.lastIndexOf("/")) : undefined;
  if (folder === undefined) return [];
  const heads = `${common}/refs/heads/${folder}`;
  return [
    write(heads),
    ...siblings.map((name) => read(`${heads}/${name}`)),
    write(`${common}/logs/refs/heads/${folder}`),
  ];
}

const read = (path: string): Mount => ({ kind: "read", path });
const write = (path: string): Mount => ({ kind: "write", path });
const buildDraftMount = (path: string): Mount => ({ kind: "draft", path });
