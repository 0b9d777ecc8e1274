// Everything a new bubble will run, before a person: confirmed once, and remembered in the user's folder.
import type { ProposedSetup } from "../../core/gates/setup.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Profile } from "../../core/model/gate.ts";
import { programKey, programsBeyond, type TrustedProgram } from "../../core/trust/program.ts";
import { proposeNetwork } from "../../engine/world/network-needs.ts";
import { programsIn } from "../../engine/world/trust.ts";
import type { World } from "../../engine/world/world.ts";
import type { Shell } from "../verb/verb.ts";
import { confirmProfile } from "./confirm-profile.ts";

export interface Content {
  readonly config: BubbleConfig;
  readonly profile: Profile;
  readonly setup: ProposedSetup | undefined;
  readonly yes: boolean;
  /** What whoever stands here has typed. */
  readonly typed: readonly TrustedProgram[];
}

/** The profile as confirmed. */
export async function confirmContent(
  shell: Shell,
  world: World,
  { config, profile: found, setup, yes, typed }: Content,
): Promise<Profile> {
  const profile = await proposeNetwork(world, found);
  const programs = await programsIn(world, { config, gates: profile.gates });
  const seen = new Set(typed.map(programKey));
  const open = await world.trust.unconfirmed(programsBeyond(programs, seen));
  const sandbox = await world.sandboxes.state();
  const confirmed = await confirmProfile(shell, profile, { yes, setup, sandbox, open });
  await world.trust.remember(programs, world.clock.now());
  return confirmed;
}
