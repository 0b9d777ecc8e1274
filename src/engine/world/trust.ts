// Nothing runs that nobody was shown: before a bubble is driven, its driver sees to it that everything its settings name was
// confirmed for this repository.
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Gate } from "../../core/model/gate.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { renderProgram, type TrustedProgram } from "../../core/trust/program.ts";
import { listTrustedPrograms } from "../../core/trust/programs.ts";
import { Failure } from "../../ports/failure.ts";
import type { World } from "./world.ts";

export interface TrustSettings {
  readonly config: BubbleConfig;
  readonly gates: readonly Gate[];
}

type Trusting = Pick<World, "repo" | "trust" | "workspace">;

/** Everything that these settings and, with gates, the repository's hooks run. */
export async function collectPrograms(
  world: Trusting,
  { config, gates }: TrustSettings,
): Promise<TrustedProgram[]> {
  const hooks = gates.length > 0 ? await world.workspace.hooks({ repo: world.repo, path: world.repo }) : [];
  return listTrustedPrograms({ config, gates, hooks, fileHash: world.trust.fileHash });
}

/** Why nobody may work for this bubble now. Its hooks are looked at where a person starts it. */
export async function checkTrust(world: Trusting, state: State): Promise<Refusal | undefined> {
  const { config, profile, bubbleId } = state;
  const programs = listTrustedPrograms({ config, gates: profile.gates, fileHash: world.trust.fileHash });
  const open = await world.trust.unconfirmed(programs);
  return open.length > 0 ? refuseUnconfirmed(bubbleId, open) : undefined;
}

/** The same for a caller that cannot ask anybody. */
export async function requireTrust(world: Trusting, state: State): Promise<void> {
  const refusal = await checkTrust(world, state);
  if (!refusal) return;
  const { code, message, hint = "", details = [] } = refusal;
  throw new Failure(code, [message, ...details].join("; "), { hint });
}

export function refuseUnconfirmed(bubble: string, open: readonly TrustedProgram[]): Refusal {
  return refuse(
    "trust.unconfirmed",
    `${bubble} would run what nobody has confirmed for this repository`,
    `look at the list, then: pairflow bubble resume --id ${bubble} --yes (start --yes if it was never started)`,
    open.map(renderProgram),
  );
}
