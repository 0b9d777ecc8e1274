// Making the workspace: the tree and its branch, what `.worktreeinclude` names, and the bubble's setup command.

import { hasBaseRun } from "../../core/judge/base-run.ts";
import { maxWorkspaceFailures } from "../../core/limits/rounds.ts";
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import { handle } from "../handle/handle.ts";
import { pinGitSettings } from "../watch/git-watch.ts";
import { placeOf, type World } from "../world/world.ts";
import { failureText, lastLines } from "./clean-checkout.ts";
import { liveBoard } from "./gate-live.ts";
import { runSetup } from "./setup.ts";

/** What fails again and again is a question where gates run on the base; elsewhere it ends the bubble. */
const isAskedAbout = (state: State) =>
  hasBaseRun(state) && state.workspaceFailures + 1 >= maxWorkspaceFailures;

export async function prepare(world: World, state: State, driver: string): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const place = placeOf(world, state);
  try {
    const board = liveBoard(world, state.bubbleId);
    const since = world.clock.now();
    const progress = (says: string) => void board.shows({ name: "workspace", since, output: "", says });
    const { tree, base, notes } = await world.workspace.prepare(place, progress).finally(() => board.clear());
    world.crashPoint("prepare.workspace");
    const failed = await runSetup(world, state, { cwd: place.path, name: "setup", board });
    if (failed && !isAskedAbout(state)) {
      const cause = new Error(await lastLines(world, failed));
      throw new Failure("workspace.setup-failed", failed.message, { cause, hint: `see ${failed.output}` });
    }
    world.crashPoint("prepare.setup");
    const git = await pinGitSettings(world, state.bubbleId, place);
    world.crashPoint("prepare.git-settings");
    await handle(world, state.bubbleId, {
      type: "workspace-ready",
      actor,
      path: place.path,
      branch: place.branch,
      tree,
      notes,
      git,
      base,
      ...(failed ? { problem: await failureText(world, failed) } : {}),
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
