// Where the gates of a package ran, and what stood there beside the tree: said wherever somebody looks before signing.

import { findCleanRun } from "../judge/gate-runs/final.ts";
import type { CleanCheckout } from "../model/record/checkout.ts";
import type { State } from "../model/state.ts";

export type CleanPart = { readonly clean?: CleanCheckout };

/** How the clean checkout was made ready that the gates ran in; nothing where they ran in the worktree. */
export function buildCleanPart(state: State): CleanPart {
  const clean = findCleanRun(state)?.clean;
  return clean ? { clean } : {};
}

export const getGatesTitle = ({ clean }: CleanPart): string =>
  clean ? "Gates on a clean checkout of exactly this tree" : "Gates on this tree, in the worktree";

/** What stood in the checkout beside the tree, one line each. */
export function listPreparationLines({ clean }: CleanPart): string[] {
  if (!clean) return [];
  const { setup, included, included_total: total = included.length, notes = [] } = clean;
  return [
    ...(setup ? [`prepared by ${setup}`] : []),
    ...included.map(
      ({ path, sha256 }) => `included from your checkout: ${path} (sha256 ${sha256.slice(0, 12)})`,
    ),
    ...(total > included.length ? [`… and ${total - included.length} more files`] : []),
    ...notes,
  ];
}
