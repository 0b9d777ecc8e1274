// What an agent in a pane used: its CLI prints no figures there, but keeps them in the session's own file, whose place
// its hooks have told. Without hooks, or for an unknown form, the figures stay unknown.
import type { State, Turn } from "../../core/model/state.ts";
import { handle } from "../handle.ts";
import type { World } from "../world.ts";
import { adapterOf } from "./request.ts";

export async function paneUsage(world: World, state: State, turn: Turn, driver: string): Promise<void> {
  if (turn.seat === "process" || turn.measured === turn.attempt || !turn.startedAt) return;
  const file = await world.runtime.noted(state.bubbleId, `transcript.${turn.id}.${turn.attempt}`);
  const { adapter } = adapterOf(world, state, turn);
  const usage = file ? adapter.usageIn?.(await world.scratch.text(file), turn.startedAt) : undefined;
  if (!usage) return;
  await handle(world, state.bubbleId, {
    type: "usage",
    actor: { kind: "driver", id: driver },
    turn: turn.id,
    attempt: turn.attempt,
    usage,
  });
}
