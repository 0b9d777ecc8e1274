// Where an operator's command is dealt with: a bubble, a world for it, and the door its caller came through.
import { decide } from "../../core/bubble/decide.ts";
import type { Command } from "../../core/model/command.ts";
import type { Door } from "../../core/model/door.ts";
import type { Via } from "../../core/model/payloads.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import type { TrustedProgram } from "../../core/trust/program.ts";
import { load } from "../../engine/handle/handle.ts";
import type { World } from "../../engine/world/world.ts";

/** Shows the programs to a person; true when all of them may run. */
export type Confirm = (programs: readonly TrustedProgram[]) => Promise<boolean>;

export interface OperatorCall {
  readonly world: World;
  readonly bubble: string;
  readonly via: Via;
  /** What is known about the door its caller came through. */
  readonly door?: Door;
  /** Asks whoever stands here about programs that nobody has confirmed; absent: nobody can be asked. */
  readonly confirm?: Confirm;
}

/** The operator of this call, as commands name him. */
export const operator = ({ via, door }: OperatorCall) =>
  ({ kind: "operator", via, ...(door ? { door } : {}) }) as const;

/** Why the referee would refuse this now, or undefined: asked before anything is changed on the way to the command. */
export async function refusedNow(
  call: OperatorCall,
  command: WithoutActor<Command>,
): Promise<Refusal | undefined> {
  const state = await stateOf(call);
  const asked = { ...command, actor: operator(call) } as Command;
  return decide(state, asked, call.world.clock.now()).refusal;
}

export type WithoutActor<T> = T extends unknown ? Omit<T, "actor"> : never;

export async function stateOf(call: Pick<OperatorCall, "world" | "bubble">, whole = false): Promise<State> {
  const { state } = await load(call.world, call.bubble, whole);
  if (!state) throw unknownBubble(call.bubble);
  return state;
}

export const unknownBubble = (bubble: string) =>
  refuse("bubble.unknown", `there is no bubble ${bubble}`, "pairflow bubble list");
