// Shows what a bubble runs; confirmed once, and remembered in the user's folder.
import type { Refusal } from "../../core/model/refusal.ts";
import type { TrustedProgram } from "../../core/trust/program.ts";
import { collectPrograms, refuseUnconfirmed, type TrustSettings } from "../../engine/front/trust.ts";
import type { World } from "../../engine/front/world.ts";
import type { OperatorCall } from "./operator-call.ts";

/** Asks about what is not confirmed yet, and remembers a yes; a refusal when nobody is there to ask, or the answer is no. */
export async function confirmSettings(
  call: OperatorCall,
  settings: TrustSettings,
): Promise<Refusal | undefined> {
  return confirmPrograms(call, await collectPrograms(call.world, settings));
}

/** The same for programs that are known already. */
export async function confirmPrograms(
  call: OperatorCall,
  programs: readonly TrustedProgram[],
): Promise<Refusal | undefined> {
  const { world, confirm } = call;
  const open = await world.trust.unconfirmed(programs);
  if (open.length === 0) return undefined;
  if (!(await confirm?.(open))) return refuseUnconfirmed(call.bubble, open);
  await world.trust.remember(open, world.clock.now());
  return undefined;
}

/** For repositories that Pairflow makes itself, such as the demo's: what runs there is its own. */
export async function confirmOwnPrograms(world: World, settings: TrustSettings): Promise<void> {
  await world.trust.remember(await collectPrograms(world, settings), world.clock.now());
}
