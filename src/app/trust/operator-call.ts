// Where an operator's command is dealt with: a bubble, a world for it, and the door its caller came through.
import { decide } from "../../core/bubble/decide.ts";
import type { Command } from "../../core/model/command.ts";
import type { Door } from "../../core/model/door.ts";
import type { GivenProof } from "../../core/model/page/proof.ts";
import type { Via } from "../../core/model/record/payloads/parts.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import type { TrustedProgram } from "../../core/trust/program.ts";
import { type CommandReply, handle, load } from "../../engine/front/command.ts";
import type { World } from "../../engine/front/world.ts";

/** Shows the programs to a person; true when all of them may run. */
export type Confirm = (programs: readonly TrustedProgram[]) => Promise<boolean>;

export interface OperatorCall {
  readonly world: World;
  readonly bubble: string;
  readonly via: Via;
  /** What is known about the door its caller came through. */
  readonly door?: Door;
  /** The passkey's proof for the one thing that is granted. */
  readonly proof?: GivenProof;
  /** Asks the person at the terminal about programs that nobody has confirmed; absent: nobody can be asked. */
  readonly confirm?: Confirm;
}

/** The operator of this call, as commands name him. */
export const getOperator = ({ via, door, proof }: OperatorCall) =>
  ({ kind: "operator", via, ...(door ? { door } : {}), ...(proof ? { proof } : {}) }) as const;

/** Puts the operator's command to the referee. */
export function submit(call: OperatorCall, command: WithoutActor<Command>): Promise<CommandReply> {
  return handle(call.world, call.bubble, { ...command, actor: getOperator(call) } as Command);
}

/** Why the referee would refuse this now, or undefined: asked before anything is changed on the way to the command. */
export async function checkCommand(
  call: OperatorCall,
  command: WithoutActor<Command>,
  known?: State,
): Promise<Refusal | undefined> {
  const state = known ?? (await loadCallState(call));
  const asked = { ...command, actor: getOperator(call) } as Command;
  return decide(state, asked, call.world.clock.now()).refusal;
}

/** What was refused before it was put to the referee. */
export const toRefusedReply = (refusal: Refusal, state?: State): CommandReply => ({
  state,
  envelopes: [],
  refusal,
});

export type WithoutActor<T> = T extends unknown ? Omit<T, "actor"> : never;

export async function loadCallState(
  call: Pick<OperatorCall, "world" | "bubble">,
  whole = false,
): Promise<State> {
  const { state } = await load(call.world, call.bubble, whole);
  if (!state) throw refuseUnknownBubble(call.bubble);
  return state;
}

export const refuseUnknownBubble = (bubble: string) =>
  refuse("bubble.unknown", `there is no bubble ${bubble}`, "pairflow bubble list");
