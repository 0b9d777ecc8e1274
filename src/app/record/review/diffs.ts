// Differences between trees of a record, for people who judge a change.
import { createNodeProcesses } from "../../../adapters/process/node.ts";
import { createGitTreeDiffs } from "../../../adapters/trees/diffs.ts";
import type { TreeDiffs } from "../../../ports/record/trees.ts";

export const buildTreeDiffs = (): TreeDiffs => createGitTreeDiffs({ processes: createNodeProcesses() });
