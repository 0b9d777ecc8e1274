// Running gates, setup commands and commit hooks in a sandbox: the code they run is the agent's. Where the machine has
// none they run as the person, and the record says so.
import type { State } from "../../core/model/state.ts";
import { commonHome } from "../../core/sandbox/home.ts";
import { policyOf, type SandboxJob } from "../../core/sandbox/policy.ts";
import type { RunResult, RunSpec } from "../../ports/process.ts";
import { placeOf, type World } from "../world/world.ts";

export type SandboxUsed = "none" | "bubblewrap";

/** What a run asks for beyond its own folder. */
export interface Wish extends Pick<SandboxJob, "layer" | "network" | "write" | "read" | "draftsGit"> {
  readonly root: string;
  readonly run: RunSpec;
}

/** Runs the command confined, where that is possible, and says whether it was. */
export async function runConfined(
  world: World,
  state: State,
  wish: Wish,
): Promise<{ ran: RunResult; sandbox: SandboxUsed }> {
  const found = await world.sandboxes.state();
  const { kind } = found;
  if (kind === "none") return { ran: await world.processes.run(wish.run), sandbox: kind };
  const draftsGit = found.copies && wish.draftsGit === true;
  const job = await jobOf(world, state, { ...wish, draftsGit });
  const confined = await world.sandboxes.enter(policyOf(world.machine(), job));
  try {
    const offline = wish.network ? {} : world.machine().offline;
    const env = withChanges({ ...wish.run.env, ...offline }, confined.env);
    const ran = await world.processes.run({ ...wish.run, env, prefix: confined.prefix });
    return { ran, sandbox: kind };
  } finally {
    await confined.leave();
  }
}

async function jobOf(
  world: World,
  state: State,
  { root, layer, network, write, read, draftsGit = false }: Wish,
): Promise<SandboxJob> {
  return {
    ...(await world.workspace.folders(placeOf(world, state), root)),
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
export function withChanges(
  env: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...env, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
