// What a producer does not see among its files: what its reviewers judge by (review.blind). Sparse checkout keeps the
// files out of the worktree; an agent without a sandbox can still ask git for them, and docs/knowledge.md says so.
import type { BubbleConfig } from "../model/config.ts";

/** SOPs, constitutions and conventions, as gitignore-style patterns. */
const knowledge = [".pairflow/sops/", ".pairflow/conventions.ndjson", "constitution.md"] as const;

/** The patterns a bubble's worktree is checked out without. */
export function listHiddenPaths({ review }: Pick<BubbleConfig, "review">): readonly string[] {
  return review.blind ? knowledge : [];
}

/** Whether a file is knowledge that reviews are measured by, and no work. */
export function isKnowledge(path: string): boolean {
  return (
    path.startsWith(".pairflow/sops/") ||
    path === ".pairflow/conventions.ndjson" ||
    path.split("/").at(-1) === "constitution.md"
  );
}
