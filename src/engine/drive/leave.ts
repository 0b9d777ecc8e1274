// A driver that is asked to leave (SIGTERM, SIGHUP, Ctrl-C). An agent without a terminal has nobody but its driver who hears
// it, so it is ended and its turn is owed again in the same session. Agents in panes stay where people see them, and what
// waits for a human's answer waits on: it spends nothing.
import type { State, Turn } from "../../core/model/state.ts";
import { handle, load } from "../handle/handle.ts";
import { type World, workMarker } from "../world/world.ts";

export async function endHeadlessTurn(world: World, bubble: string, driver: string): Promise<void> {
  if (world.seats.kind !== "process") return;
  const { state } = await load(world, bubble);
  const turn = state?.turn;
  if (!state || turn?.status !== "running" || turn.seat !== "process" || isAsking(state, turn)) return;
  const work = workMarker(world, bubble, `${turn.id}.${turn.attempt}`);
  if (!(await world.seats.find(work))) return;
  await world.seats.end(work);
  await handle(world, bubble, {
    type: "turn-ended",
    actor: { kind: "driver", id: driver, turn: turn.id, attempt: turn.attempt },
    turn: turn.id,
    attempt: turn.attempt,
    outcome: "superseded",
    detail:
      "its driver was asked to leave; the turn continues in the same session when the bubble is resumed",
  });
}

const isAsking = ({ questions }: State, { id }: Turn): boolean => questions.some(({ turn }) => turn === id);
