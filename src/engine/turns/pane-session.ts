// What an agent in a pane used, and why it rests: its CLI prints no figures there and no hook tells of a failed request,
// but both stand in the session's own file, whose place its hooks have told. Without hooks, or for an unknown form, nothing
// is known.
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import type { TurnTrouble } from "../../core/model/turn-end.ts";
import { report, type ShortJob } from "../handle/job.ts";
import type { World } from "../world/world.ts";
import { chooseAdapter } from "./prompt/request.ts";

const findFile = (world: World, state: State, turn: Turn) =>
  world.runtime.noted(state.bubbleId, `transcript.${turn.id}.${turn.attempt}`);

/** Whether its hooks should have told of a session and did not. */
export async function isPaneSessionless(world: World, state: State, turn: Turn): Promise<boolean> {
  const { adapter } = chooseAdapter(world, state, turn);
  const tells = adapter.tellsSession?.includes(turn.seat === "process" ? "headless" : "pane") ?? false;
  return tells && !(await findFile(world, state, turn));
}

export async function recordPaneUsage(job: ShortJob, turn: Turn): Promise<void> {
  const { world, state } = job;
  if (turn.seat === "process" || turn.measured === turn.attempt || !turn.startedAt) return;
  const file = await findFile(world, state, turn);
  const { adapter } = chooseAdapter(world, state, turn);
  const usage = file ? adapter.usageIn?.(await world.scratch.text(file), turn.startedAt) : undefined;
  if (!usage) return;
  await report(job, { type: "usage", turn: turn.id, attempt: turn.attempt, usage });
}

/** Looks into the session's file whenever it has changed. */
export class PaneTrouble {
  private seenAt = "";
  private readonly world: World;
  private readonly state: State;
  private readonly turn: Turn;

  constructor(world: World, state: State, turn: Turn) {
    this.world = world;
    this.state = state;
    this.turn = turn;
  }

  async look(): Promise<TurnTrouble | undefined> {
    const { world, state, turn } = this;
    const { adapter } = chooseAdapter(world, state, turn);
    const file = adapter.troubleIn && (await findFile(world, state, turn));
    const changedAt = file ? await world.scratch.modifiedAt(file) : undefined;
    if (!file || !changedAt || changedAt === this.seenAt) return undefined;
    this.seenAt = changedAt;
    return adapter.troubleIn?.(await world.scratch.text(file), turn.startedAt ?? "");
  }
}
