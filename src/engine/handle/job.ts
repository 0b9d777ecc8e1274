// One effect while it is performed: what it touches, the state it is owed in, and who performs it. Its result is a command of
// the driver.
import type { Command } from "../../core/model/command.ts";
import type { State } from "../../core/model/state.ts";
import type { World } from "../world/world.ts";
import { type CommandReply, handle } from "./command.ts";

export interface Job {
  readonly world: World;
  readonly state: State;
  readonly driver: string;
  /** The effect is not wanted any more. */
  readonly signal: AbortSignal;
}

/** A job that is done to its end once it has begun. */
export type ShortJob = Omit<Job, "signal">;

type WithoutActor<T> = T extends unknown ? Omit<T, "actor"> : never;

/** Puts what came of it to the referee. */
export function report(
  { world, state, driver }: ShortJob,
  command: WithoutActor<Command>,
): Promise<CommandReply> {
  return handle(world, state.bubbleId, { ...command, actor: { kind: "driver", id: driver } } as Command);
}
