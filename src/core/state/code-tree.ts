// What stands in the worktree, where the tree that is judged holds a paper on top of it.
import type { State } from "../model/state.ts";

/** The tree that the worktree should hold; undefined: nobody has handed over yet. */
export function getCodeTree({ tree }: Pick<State, "tree">): string | undefined {
  return tree?.paper?.code ?? tree?.id;
}

/** The commit of that tree: what children and siblings start from. */
export function getCodeCommit({ tree, baseCommit }: Pick<State, "tree" | "baseCommit">): string {
  return tree?.paper?.commit ?? tree?.commit ?? baseCommit;
}

/** Files were made, and not only papers. */
export function hasMade({ tree, baseCommit }: Pick<State, "tree" | "baseCommit">): boolean {
  return tree !== undefined && (tree.paper === undefined || tree.paper.commit !== baseCommit);
}

/** Where the newest handed-over tree is. The branch has nothing of it before an approval is committed. */
export const describeKeptWork = (state: Pick<State, "bubbleId" | "tree" | "baseCommit">): string =>
  hasMade(state)
    ? `the newest work of ${state.bubbleId} is kept in refs/pairflow/${state.bubbleId}/latest`
    : `${state.bubbleId} has handed nothing over`;
