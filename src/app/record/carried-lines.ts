// Where a line of one tree of a record is in another one, by git's own difference between the two.
import type { State } from "../../core/model/state.ts";
import { buildDiffHunks, carryLine } from "../../core/views/page/review/diff.ts";
import { buildTreeDiffs } from "./review/diffs.ts";

export interface LineOfTree {
  readonly file: string;
  readonly line: number;
  readonly tree: string;
}

/** Null when it was changed or removed since, or when its file is no text. */
export async function findCarriedLine(
  state: State,
  { file, line, tree }: LineOfTree,
  to: string,
): Promise<number | null> {
  if (tree === to || tree === "") return line;
  const patch = await buildTreeDiffs().patch(state, { from: tree, to }, { path: file }, 0);
  const hunks = patch.kind === "text" ? buildDiffHunks(patch.latin1) : null;
  return hunks ? (carryLine(hunks, line) ?? null) : null;
}
