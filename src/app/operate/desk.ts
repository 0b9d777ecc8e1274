// Where an operator's command is dealt with: a bubble, a world for it, and the door its caller came through.
import type { Via } from "../../core/model/payloads.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { load } from "../../engine/handle.ts";
import type { World } from "../../engine/world.ts";

export interface Desk {
  readonly world: World;
  readonly bubble: string;
  readonly via: Via;
}

/** The operator at this desk, as commands name him. */
export const operator = (desk: Desk) => ({ kind: "operator", via: desk.via }) as const;

export async function stateOf(desk: Pick<Desk, "world" | "bubble">, whole = false): Promise<State> {
  const { state } = await load(desk.world, desk.bubble, whole);
  if (!state) throw unknownBubble(desk.bubble);
  return state;
}

export const unknownBubble = (bubble: string) =>
  refuse("bubble.unknown", `there is no bubble ${bubble}`, "pairflow bubble list");
