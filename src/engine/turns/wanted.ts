// Whether an attempt is still waited for: its turn is at this attempt, and was not given back.
import type { Turn } from "../../core/model/state/turn.ts";
import { load } from "../handle/command.ts";
import type { World } from "../world/world.ts";

export async function isStillWanted(world: World, bubble: string, { id, attempt }: Turn): Promise<boolean> {
  const { state } = await load(world, bubble);
  const now = state?.turn;
  return now?.id === id && now.attempt === attempt && now.status !== "due";
}
