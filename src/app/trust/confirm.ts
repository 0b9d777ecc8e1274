// What a bubble runs, before the caller: shown and confirmed once, and remembered in the user's folder.
import type { Refusal } from "../../core/model/refusal.ts";
import type { TrustedProgram } from "../../core/trust/program.ts";
import { notConfirmed, programsIn, type Settings } from "../../engine/world/trust.ts";
import type { World } from "../../engine/world/world.ts";
import type { OperatorCall } from "./operator-call.ts";

/** Asks about what is not confirmed yet, and remembers a yes; a refusal when nobody is there to ask, or the answer is no. */
export async function confirmSettings(call: OperatorCall, settings: Settings): Promise<Refusal | undefined> {
  return confirmPrograms(call, await programsIn(call.world, settings));
}

/** The same for programs that are known already. */
export async function confirmPrograms(
  call: OperatorCall,
  programs: readonly TrustedProgram[],
): Promise<Refusal | undefined> {
  const { world, confirm } = call;
  const open = await world.trust.unconfirmed(programs);
  if (open.length === 0) return undefined;
  if (!(await confirm?.(open))) return notConfirmed(call.bubble, open);
  await world.trust.remember(open, world.clock.now());
  return undefined;
}

/** For repositories that Pairflow makes itself, such as the demo's: what runs there is its own. */
export async function trustOwn(world: World, settings: Settings): Promise<void> {
  await world.trust.remember(await programsIn(world, settings), world.clock.now());
}
