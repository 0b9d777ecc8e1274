// What stands in the worktree, where the tree that is judged holds a paper on top of it.
import type { State } from "../model/state.ts";

/** The tree that the worktree should hold; undefined: nobody has handed over yet. */
export function codeTree({ tree }: Pick<State, "tree">): string | undefined {
  return tree?.paper?.code ?? tree?.id;
}

/** The commit of that tree: what children and siblings start from. */
export function codeCommit({ tree, baseCommit }: Pick<State, "tree" | "baseCommit">): string {
  return tree?.paper?.commit ?? tree?.commit ?? baseCommit;
}

/** Files were made, and not only papers. */
export function hasMade({ tree, baseCommit }: Pick<State, "tree" | "baseCommit">): boolean {
  return tree !== undefined && (tree.paper === undefined || tree.paper.commit !== baseCommit);
}

/** A human may take the last tree as it is, where a limit other than that of rounds is reached. A paper is nothing to commit. */
export const acceptOption = ({ tree }: Pick<State, "tree">) =>
  tree?.paper
    ? []
    : [
        {
          key: "accept",
          does: "waives the open findings with your reason and asks for approval of the last tree",
        },
      ];
