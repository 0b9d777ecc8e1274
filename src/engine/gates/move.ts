// A bubble that has moved to this machine from another one. A worktree that is left here from an earlier stay is older than the
// record; it is brought to the recorded tree, and what that undoes is kept as a patch.
import { namePatch } from "../../core/model/record/artifact-names.ts";
import type { State } from "../../core/model/state.ts";
import { getCodeTree } from "../../core/state/code-tree.ts";
import { Failure } from "../../ports/failure.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { report, type ShortJob } from "../handle/job.ts";
import { fetchCommits } from "../handle/travel.ts";
import { pinGitSettings } from "../watch/git.ts";
import { buildWorkMarker, getWorkspacePlace, type World } from "../world/world.ts";
import { readLastLines } from "./clean/checkout.ts";
import { createLiveBoard } from "./live-board.ts";
import { buildSetupHint, runSetup } from "./setup.ts";

export async function moveWorkspace(job: ShortJob): Promise<void> {
  const { world, state } = job;
  const place = getWorkspacePlace(world, state);
  // An attempt of an earlier stay may still run here: nobody waits for it.
  await world.processes.end(buildWorkMarker(world, state.bubbleId, "*"));
  await fetchCommits(world, state.bubbleId);
  world.crashPoint("move.brought");
  if (!(await world.workspace.present(place))) await world.runtime.note(state.bubbleId, setupNote, "owed");
  const { notes } = await world.workspace.prepare(place);
  world.crashPoint("move.workspace");
  const tree = getCodeTree(state) ?? state.workspace?.tree ?? "";
  const undone = await restoreRecorded(world, state, place, tree);
  world.crashPoint("move.restored");
  await setUpHere(world, state, place);
  const git = await pinGitSettings(world, state.bubbleId, place);
  world.crashPoint("move.git-settings");
  await report(job, {
    type: "workspace-ready",
    ...{ path: place.path, branch: place.branch, tree, notes, git, host: world.host },
    ...(undone ? { put_back: undone } : {}),
  });
}

/** The name of the patch that keeps what was undone, where anything was. */
async function restoreRecorded(
  world: World,
  state: State,
  place: WorkspacePlace,
  tree: string,
): Promise<string | undefined> {
  const { patch } = await world.workspace.restore(place, tree);
  if (patch === "") return undefined;
  const { name } = await world.records.put(state.bubbleId, namePatch(state.round, "moved"), patch);
  return name;
}

const setupNote = "setup";

/** A worktree that is new on this machine has never been set up here; one that stands has. */
async function setUpHere(world: World, state: State, place: WorkspacePlace): Promise<void> {
  if ((await world.runtime.noted(state.bubbleId, setupNote)) !== "owed") return;
  const board = createLiveBoard(world, state.bubbleId);
  const failed = await runSetup(world, state, { cwd: place.path, name: "setup", board });
  if (failed) {
    const cause = new Error(await readLastLines(world, failed));
    throw new Failure("workspace.setup-failed", failed.message, {
      cause,
      hint: buildSetupHint(state.bubbleId, failed),
    });
  }
  await world.runtime.note(state.bubbleId, setupNote, "done");
}
