// Making the workspace: the tree and its branch, what `.worktreeinclude` names, and the bubble's setup command.

import { hasBaseRun } from "../../core/judge/gate-runs/base.ts";
import { maxWorkspaceFailures } from "../../core/limits/rounds.ts";
import type { State } from "../../core/model/state.ts";
import { Failure } from "../../ports/failure.ts";
import { type Job, report } from "../handle/job.ts";
import { fetchCommits } from "../handle/travel.ts";
import { pinGitSettings } from "../watch/git.ts";
import { getWorkspacePlace } from "../world/world.ts";
import { describeSetupFailure, readLastLines } from "./clean/checkout.ts";
import { createLiveBoard } from "./live-board.ts";
import { moveWorkspace } from "./move.ts";
import { buildSetupHint, runSetup } from "./setup.ts";

/** What fails again and again is a question where gates run on the base; elsewhere it ends the bubble. */
const isAskedAbout = (state: State) =>
  hasBaseRun(state) && state.workspaceFailures + 1 >= maxWorkspaceFailures;

export async function prepareWorkspace(job: Job): Promise<void> {
  const { world, state } = job;
  if (state.workspace) return moveWorkspace(job);
  const place = getWorkspacePlace(world, state);
  try {
    const board = createLiveBoard(world, state.bubbleId);
    const since = world.clock.now();
    await fetchCommits(world, state.bubbleId);
    const progress = (says: string) => void board.shows({ name: "workspace", since, output: "", says });
    const { tree, base, notes } = await world.workspace.prepare(place, progress).finally(() => board.clear());
    world.crashPoint("prepare.workspace");
    const { signal } = job;
    const failed = await runSetup(world, state, { cwd: place.path, name: "setup", signal, board });
    // Asked to leave: it is still owed, and the next driver runs it again.
    if (failed && signal.aborted) return;
    if (failed && !isAskedAbout(state)) {
      const cause = new Error(await readLastLines(world, failed));
      throw new Failure("workspace.setup-failed", failed.message, {
        cause,
        hint: buildSetupHint(state.bubbleId, failed),
      });
    }
    world.crashPoint("prepare.setup");
    const git = await pinGitSettings(world, state.bubbleId, place);
    world.crashPoint("prepare.git-settings");
    await report(job, {
      type: "workspace-ready",
      path: place.path,
      branch: place.branch,
      tree,
      notes,
      git,
      base,
      host: world.host,
      ...(failed ? { problem: await describeSetupFailure(world, failed) } : {}),
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await report(job, { type: "workspace-failed", code: error.code, message: error.message });
    throw error;
  }
}
