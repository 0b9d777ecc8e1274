// Running gates, setup commands and commit hooks in a sandbox: the code they run is the agent's. Where the machine has
// none they run as the person, and the record says so.
import type { State } from "../../core/model/state.ts";
import { commonHome } from "../../core/sandbox/home.ts";
import { buildSandboxPolicy, type SandboxJob } from "../../core/sandbox/policy.ts";
import type { RunResult, RunSpec } from "../../ports/system/process.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";

export type SandboxUsed = "none" | "bubblewrap";

/** What a run asks for beyond its own folder. */
export interface ConfinementOptions
  extends Pick<SandboxJob, "layer" | "network" | "write" | "read" | "draftsGit"> {
  readonly root: string;
  readonly run: RunSpec;
}

/** Runs the command confined, where that is possible, and says whether it was. */
export async function runConfined(
  world: World,
  state: State,
  options: ConfinementOptions,
): Promise<{ ran: RunResult; sandbox: SandboxUsed }> {
  const found = await world.sandboxes.state();
  const { kind } = found;
  if (kind === "none") return { ran: await world.processes.run(options.run), sandbox: kind };
  const draftsGit = found.copies && options.draftsGit === true;
  const job = await buildJob(world, state, { ...options, draftsGit });
  const confined = await world.sandboxes.enter(buildSandboxPolicy(world.machine(), job));
  try {
    const offline = options.network ? {} : world.machine().offline;
    const env = changeVariables({ ...options.run.env, ...offline }, confined.env);
    const ran = await world.processes.run({ ...options.run, env, prefix: confined.prefix });
    return { ran, sandbox: kind };
  } finally {
    await confined.leave();
  }
}

async function buildJob(
  world: World,
  state: State,
  { root, layer, network, write, read, draftsGit = false }: ConfinementOptions,
): Promise<SandboxJob> {
  return {
    ...(await world.workspace.folders(getWorkspacePlace(world, state), root)),
    home: [...commonHome, ...(state.config.sandbox_home ?? [])],
    layer,
    // What setup has brought in is there for the gates.
    ...(state.config.setup ? { below: setupLayer } : {}),
    ...(write ? { write } : {}),
    ...(read ? { read } : {}),
    draftsGit,
    network,
    endsWithParent: true,
  };
}

export const setupLayer = "setup";

/** The variables with these changes; undefined takes one away. */
export function changeVariables(
  env: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...env, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
