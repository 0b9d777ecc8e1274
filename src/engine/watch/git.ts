// The repository around a bubble while it runs: whether its git settings are still those that count as known, which
// branches moved meanwhile, and commits that an agent made itself. Settings ask a human; the rest is reported.
import { nameGitSettings } from "../../core/model/record/artifact-names.ts";
import { type GitPin, type GitSettings, parseGitSettings } from "../../core/model/record/git-settings.ts";
import type { State } from "../../core/model/state.ts";
import { compareGitSettings, describeMoves } from "../../core/permission/git/changes.ts";
import { isWorktreeOn } from "../../core/state/hosts.ts";
import type { TreeSnapshot, WorkspacePlace } from "../../ports/workspace.ts";
import { handle } from "../handle/command.ts";
import { getWorkspacePlace, type World } from "../world/world.ts";

/** Keeps the settings as the bubble finds them, for the record and for putting them back. */
export async function pinGitSettings(world: World, bubble: string, place: WorkspacePlace): Promise<GitPin> {
  await world.workspace.keepGitSettings(place);
  const text = getText(await world.workspace.gitSettings(place));
  const { name, sha256 } = await world.records.put(bubble, nameGitSettings(), text);
  return { artifact: name, sha256 };
}

const getText = (settings: GitSettings) => `${JSON.stringify(settings, null, 2)}\n`;

/** Changes that no human has answered for, and the settings as they are now. Bubbles of older versions have none to compare. */
export async function findUnansweredGitChanges(
  world: World,
  state: State,
): Promise<{ asks: readonly string[]; harmless: readonly string[]; now: GitSettings } | undefined> {
  // Every machine has git settings of its own: those that were kept are of the machine with the worktree.
  if (!state.git || !isWorktreeOn(state, world.host)) return undefined;
  const now = await world.workspace.gitSettings(getWorkspacePlace(world, state));
  const bytes = await world.records.get(state.bubbleId, state.git.artifact);
  const text = bytes ? new TextDecoder().decode(bytes) : "";
  const known = world.hash.sha256(text) === state.git.sha256 ? parseGitSettings(text) : undefined;
  if (!known) return { asks: [`${state.git.artifact} is not what was written`], harmless: [], now };
  return { ...compareGitSettings(known, now), now };
}

/** False when a human must answer first; then nothing may be judged. What was to be put back is put back here. */
export async function isGitKnown(world: World, state: State, driver: string): Promise<boolean> {
  const found = await findUnansweredGitChanges(world, state);
  if (!found) return true;
  if (found.harmless.length > 0)
    await tellGit(world, state, driver, "git.settings-changed", describeSettings(found.harmless));
  if (found.asks.length === 0) return true;
  const sha256 = world.hash.sha256(getText(found.now));
  if (state.git?.putBack === sha256) {
    await putBackSettings(world, state, found.asks);
    world.crashPoint("git-settings.put-back");
    const after = await findUnansweredGitChanges(world, state);
    if (!after || after.asks.length === 0) return true;
  }
  const name = nameGitSettings(sha256);
  const { name: artifact } = await world.records.put(state.bubbleId, name, getText(found.now));
  world.crashPoint("git-settings.kept");
  const actor = { kind: "driver", id: driver } as const;
  const changes = found.asks;
  await handle(world, state.bubbleId, { type: "git-changed", actor, artifact, sha256, changes });
  return false;
}

/** Brings what these changes name back to what it was when the bubble started. */
export function putBackSettings(world: World, state: State, changes: readonly string[]): Promise<void> {
  return world.workspace.putBackGitSettings(getWorkspacePlace(world, state), changes.map(getName));
}

/** `core.fsmonitor added` without the last word. */
const getName = (change: string) => change.replace(/ [a-z]+$/, "");

const describeSettings = (changes: readonly string[]) =>
  `git settings of the repository were changed after the start: ${changes.slice(0, 20).join("; ")}`;

const noted = "branches";

/** Remembers where the branches are before something runs. */
export async function noteBranches(world: World, state: State): Promise<void> {
  const now = await world.workspace.branches(getWorkspacePlace(world, state));
  await world.runtime.note(state.bubbleId, noted, JSON.stringify(now));
}

/** Tells which branches are elsewhere since they were noted. Who moved them is not known, so nobody is named. */
export async function tellMoved(world: World, state: State, driver: string, during: string): Promise<void> {
  const before = await world.runtime.noted(state.bubbleId, noted);
  if (before === undefined) return;
  const now = await world.workspace.branches(getWorkspacePlace(world, state));
  const moves = describeMoves(JSON.parse(before) as Record<string, string>, now);
  for (const move of moves.slice(0, 10))
    await tellGit(world, state, driver, "git.ref-moved", `${move} while ${during}`);
  if (moves.length > 0) await world.runtime.note(state.bubbleId, noted, JSON.stringify(now));
}

/** Tells of commits in the worktree: their files count, they themselves do not. */
export async function tellOwnCommits(
  world: World,
  state: State,
  driver: string,
  { ownCommits }: TreeSnapshot,
): Promise<void> {
  if (!ownCommits) return;
  const { count, ref } = ownCommits;
  const what = count === 1 ? "1 commit was" : `${count} commits were`;
  const message = `${what} made on ${state.config.bubble_branch} beside the handoffs; the approved commit does not contain them, they are kept under ${ref}`;
  await tellGit(world, state, driver, "git.own-commits", message);
}

async function tellGit(world: World, state: State, driver: string, code: string, message: string) {
  const actor = { kind: "driver", id: driver } as const;
  await handle(world, state.bubbleId, { type: "warn", actor, code, message });
}
