// A driver that is asked to end (SIGTERM, SIGHUP, Ctrl-C). Only the driver reads the output of an agent without a terminal, so
// that agent is ended and its turn is owed again in the same session. Agents in panes continue where people see them, unless other
// machines share the work: one of them would begin the turn again. A turn that waits for a human's answer keeps waiting: it costs nothing.
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { handle, load } from "../handle/command.ts";
import { buildWorkMarker, type World } from "../world/world.ts";

export async function endOwnTurn(world: World, bubble: string, driver: string): Promise<void> {
  const { state } = await load(world, bubble);
  const turn = state?.turn;
  if (!state || turn?.status !== "running" || turn.seat !== world.seats.kind || isAsking(state, turn)) return;
  const work = buildWorkMarker(world, bubble, `${turn.id}.${turn.attempt}`);
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
