// What every way of travelling asks of a pin before it sends or fetches it.
import { Failure } from "../../../ports/failure.ts";
import type { TravellingPin } from "../../../ports/record/travel.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { openRepo } from "../location.ts";
import { getRefFolder, readRefs, setRefs } from "../plumbing/refs.ts";
import { type Kit, tryGit } from "../plumbing/runner.ts";

/** Refs of a bubble's own folder alone travel: V4. */
export function checkPin(place: WorkspacePlace, { ref, commit }: TravellingPin): void {
  if (!ref.startsWith(getRefFolder(place)) || !/^[0-9a-f]{40,64}$/.test(commit))
    throw new Error(`${ref} ${commit} is no pin of ${place.bubble}`);
}

/** The ref is this commit; where there is no such ref yet, it is made. Throws Failure `travel.not-pinned`. */
export async function requirePinned(kit: Kit, place: WorkspacePlace, pin: TravellingPin): Promise<void> {
  if (await isPinned(kit, place, pin)) return;
  throw new Failure("travel.not-pinned", `${pin.ref} of ${place.repo} is not ${pin.commit}.`, {
    hint: `pairflow verify --id ${place.bubble}`,
  });
}

async function isPinned(kit: Kit, place: WorkspacePlace, { ref, commit }: TravellingPin): Promise<boolean> {
  const repo = openRepo(place.repo);
  const now = (await readRefs(kit, repo, [ref])).get(ref);
  if (now !== undefined) return now === commit;
  if (!(await hasCommit(kit, place, commit))) return false;
  await setRefs(kit, repo, place, [{ ref, to: commit }]);
  return true;
}

/** Whether this clone has the commit. */
export async function hasCommit(kit: Kit, place: WorkspacePlace, commit: string): Promise<boolean> {
  const { stdout } = await tryGit(kit, openRepo(place.repo), ["cat-file", "-t", commit]);
  return stdout.trim() === "commit";
}

export function toUnknownPin({ bubble }: WorkspacePlace, { commit }: TravellingPin): Failure {
  return new Failure("travel.unknown", `Nobody has published commit ${commit} of ${bubble}.`, {
    hint: "The host that made it has it still, if it is there.",
    retryable: true,
  });
}

export function toBaseMissing({ repo, baseCommit, bubble }: WorkspacePlace): Failure {
  return new Failure("travel.base-missing", `${repo} lacks the base commit ${baseCommit} of ${bubble}.`, {
    hint: `git -C ${repo} fetch --all`,
  });
}
