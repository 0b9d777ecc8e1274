// A run and all bubbles that belong to it, read for its tree.
import type { State } from "../../core/model/state.ts";
import { listRelatedBubbles } from "../../core/views/tree/related.ts";
import { buildTreeView, type TreeNode } from "../../core/views/tree/run.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { loadState } from "../record/bubble.ts";

/** The tree as the records tell it now. A bubble whose record is gone is shown by what its parent knows. */
export async function readTree(world: RecordWorld, bubble: string): Promise<TreeNode> {
  const root = await loadState(world, bubble);
  const states = new Map<string, State>([[bubble, root]]);
  const open = [...listRelatedBubbles(root)];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (states.has(id) || !(await world.records.exists(id))) continue;
    const { state } = await loadGood(world, id);
    if (!state) continue;
    states.set(id, state);
    open.push(...listRelatedBubbles(state));
  }
  const driven = new Set((await world.runtime.listLiving([...states.keys()])).keys());
  return buildTreeView(root, { states, driven });
}
