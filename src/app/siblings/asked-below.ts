// Which question below a bubble must be answered before it goes on itself. Its own driver has left then: the answer
// brings one back.
import type { State } from "../../core/model/state.ts";
import { waitingOn } from "../../core/views/run.ts";
import { load } from "../../engine/handle.ts";
import type { RecordWorld } from "../../engine/world.ts";

/** The first child, or child of a child, that waits for a human. */
export async function askedBelow(world: RecordWorld, state: State): Promise<State | undefined> {
  for (const { bubble, status } of waitingOn(state)) {
    const child = bubble !== null && status === "running" ? await newest(world, bubble) : undefined;
    const asked = child?.lifecycle === "WAITING_HUMAN" ? child : child && (await askedBelow(world, child));
    if (asked) return asked;
  }
  return undefined;
}

/** A child that was routed goes on elsewhere before its parent hears of it. */
async function newest(world: RecordWorld, bubble: string): Promise<State | undefined> {
  const seen = new Set<string>();
  let state: State | undefined;
  for (let id: string | undefined = bubble; id !== undefined && !seen.has(id); id = state?.result?.to) {
    seen.add(id);
    if (!(await world.records.exists(id))) return state;
    state = (await load(world, id)).state;
  }
  return state;
}
