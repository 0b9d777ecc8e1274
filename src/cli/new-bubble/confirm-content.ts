// Everything a new bubble will run, before a person: confirmed once, and remembered in the user's folder.
import type { Content } from "../../app/making/settle.ts";
import type { Profile } from "../../core/model/gate.ts";
import { getProgramKey, listUnknownPrograms, type TrustedProgram } from "../../core/trust/program.ts";
import { collectPrograms, proposeNetwork } from "../../engine/front/trust.ts";
import type { World } from "../../engine/front/world.ts";
import type { Shell } from "../verb/declaration.ts";
import { confirmProfile } from "./confirm-profile.ts";

interface Question extends Content {
  readonly yes: boolean;
  /** What the person at the terminal has typed. */
  readonly typed: readonly TrustedProgram[];
}

/** The profile as confirmed. */
export async function confirmContent(
  shell: Shell,
  world: World,
  { config, profile: found, setup, yes, typed }: Question,
): Promise<Profile> {
  const profile = await proposeNetwork(world, found);
  const programs = await collectPrograms(world, { config, gates: profile.gates });
  const seen = new Set(typed.map(getProgramKey));
  const open = await world.trust.unconfirmed(listUnknownPrograms(programs, seen));
  const sandbox = await world.sandboxes.state();
  const confirmed = await confirmProfile(shell, profile, { yes, setup, sandbox, open });
  await world.trust.remember(programs, world.clock.now());
  return confirmed;
}
