// Which questions below a bubble must be answered before it continues itself. Its own driver may have left then: the answer
// brings one back.
import type { State } from "../../core/model/state.ts";
import { listAwaitedChildren } from "../../core/views/bubble/run.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";

/** Every child, or child of a child, that waits for a human. */
export async function listAskedBelow(world: RecordWorld, state: State): Promise<State[]> {
  const asking: State[] = [];
  for (const { bubble, status } of listAwaitedChildren(state)) {
    const child = bubble !== null && status === "running" ? await loadNewest(world, bubble) : undefined;
    if (child?.lifecycle === "WAITING_HUMAN") asking.push(child);
    else if (child) asking.push(...(await listAskedBelow(world, child)));
  }
  return asking;
}

/** A child that was routed continues elsewhere before its parent hears of it. */
async function loadNewest(world: RecordWorld, bubble: string): Promise<State | undefined> {
  const seen = new Set<string>();
  let state: State | undefined;
  for (let id: string | undefined = bubble; id !== undefined && !seen.has(id); id = state?.result?.to) {
    seen.add(id);
    if (!(await world.records.exists(id))) return state;
    state = (await loadGood(world, id)).state;
  }
  return state;
}
