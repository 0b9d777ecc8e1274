// A turn of an agent that has no sandbox of its own, in one of ours. It outlives its driver, so that a living turn can be
// adopted; what it says goes to the socket of the bubble's driver.
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { commonHome } from "../../core/sandbox/home.ts";
import { buildSandboxPolicy } from "../../core/sandbox/policy.ts";
import type { Launch } from "../../ports/agent/adapter.ts";
import { changeVariables, setupLayer } from "../gates/confine.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";
import type { ChosenAdapter } from "./prompt/request.ts";

/** Whether this turn will run in a sandbox, its own or ours. */
export async function isConfined(world: World, launch: Launch): Promise<boolean> {
  return launch.sandboxed || (await world.sandboxes.state()).kind !== "none";
}

export interface ConfinedTurn {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What is run for the turn: as its adapter says, or the same inside a sandbox. */
export async function confineTurn(
  world: World,
  state: State,
  turn: Turn,
  what: { readonly launch: Launch; readonly chosen: ChosenAdapter; readonly attempt: number } & ConfinedTurn,
): Promise<ConfinedTurn> {
  const { launch, chosen, attempt, argv, env } = what;
  const { folder, socket } = world.verbs.place(state.bubbleId);
  if (launch.sandboxed || (await world.sandboxes.state()).kind === "none")
    // Where the records are on a server, agents speak to the driver too: none of them connects.
    return { argv, env: world.offers ? { ...env, PAIRFLOW_VERBS: socket } : env };
  const place = getWorkspacePlace(world, state);
  const out = world.paths.out(place.path, turn.id);
  const policy = buildSandboxPolicy(world.machine(), {
    ...(await world.workspace.folders(place, place.path)),
    ...(launch.readsOnly ? { writesRoot: false as const } : {}),
    home: [...commonHome, ...(state.config.sandbox_home ?? [])],
    homeWrite: [...(chosen.adapter.home?.(chosen.settings) ?? []), ...listHome(chosen.settings)],
    words: argv,
    read: [folder, world.paths.artifacts(state.bubbleId)],
    // Beside what it hands in an agent may keep its own notes from turn to turn.
    write: [out.slice(0, out.lastIndexOf("/"))],
    layer: `turn-${turn.id}.${attempt}`,
    ...(state.config.setup ? { below: setupLayer } : {}),
    network: true,
    endsWithParent: false,
  });
  const confined = await world.sandboxes.enter(policy);
  return {
    argv: [...confined.prefix, ...argv],
    env: changeVariables({ ...env, PAIRFLOW_VERBS: socket }, confined.env),
  };
}

function listHome(settings: ChosenAdapter["settings"]): string[] {
  const listed: unknown = settings.home;
  return Array.isArray(listed) ? listed.filter((one): one is string => typeof one === "string") : [];
}
