// Making the workspace: the tree and its branch, what `.worktreeinclude` names, and the bubble's setup command.
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import { handle } from "../handle.ts";
import { placeOf, type World, workMarker } from "../world.ts";

const setupTimeoutMs = 15 * 60_000;

export async function prepare(world: World, state: State, driver: string): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const place = placeOf(world, state);
  try {
    const { tree, notes } = await world.workspace.prepare(place);
    world.crashPoint("prepare.workspace");
    await runSetup(world, state, place.path);
    world.crashPoint("prepare.setup");
    await handle(world, state.bubbleId, {
      type: "workspace-ready",
      actor,
      path: place.path,
      branch: place.branch,
      tree,
      notes,
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await handle(world, state.bubbleId, {
      type: "workspace-failed",
      actor,
      code: error.code,
      message: error.message,
    });
    throw error;
  }
}

async function runSetup(world: World, state: State, cwd: string): Promise<void> {
  const command = state.config.setup;
  if (!command) return;
  const output = world.paths.output(state.bubbleId, "setup.log");
  const result = await world.processes.run({
    command,
    cwd,
    env: world.gateEnv,
    timeoutMs: setupTimeoutMs,
    output,
    work: workMarker(world, state.bubbleId, "setup.1"),
  });
  if (result.status === "exited" && result.exitCode === 0) return;
  const how = result.status === "exited" ? `exit ${result.exitCode}` : result.status;
  throw new Failure("workspace.setup-failed", `setup command failed (${how}): ${command}`, {
    hint: `see ${output}`,
  });
}
