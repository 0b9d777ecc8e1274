// The refs of a bubble: refs/pairflow/<bubble>/ keeps every tree and commit that somebody may want back,
// against gc, a deleted worktree and an agent's reset. `base` is the first one, `latest` the newest handoff.
import type { Place } from "../../ports/workspace.ts";
import { openRepo } from "./location.ts";
import { type Dirs, git, gitLine, type Kit } from "./runner.ts";

export const refFolder = (place: Place) => `refs/pairflow/${place.bubble}/`;
export const pinRef = (place: Place, pin: string) => `${refFolder(place)}${pin}`;
export const branchRef = (place: Place) => `refs/heads/${place.branch}`;

/** Exactly one identity and date for all pins, so that the same tree under the same name is the same commit. */
export const ownIdentity = identity("Pairflow", "pairflow@localhost", "@946684800 +0000");

export function identity(name: string, email: string, date: string): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

/** Wraps a tree into a commit on the base, without any ref to it yet. */
export function pinCommit(
  kit: Kit,
  dirs: Dirs,
  place: Place,
  what: { tree: string; pin: string },
): Promise<string> {
  const args = [
    "commit-tree",
    "-p",
    place.baseCommit,
    "-m",
    `pairflow ${place.bubble} ${what.pin}`,
    what.tree,
  ];
  return gitLine(kit, dirs, args, { env: ownIdentity });
}

/** Names of refs to object ids, for the given refs and folders of refs. */
export async function readRefs(
  kit: Kit,
  dirs: Dirs,
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const text = await git(kit, dirs, ["for-each-ref", "--format=%(refname) %(objectname)", ...patterns]);
  const rows = text.split("\n").filter((line) => line !== "");
  return new Map(rows.map((line) => line.split(" ") as [string, string]));
}

/** Sets refs, all or none. `from` makes it a compare-and-set; null means "must not exist yet". */
export async function setRefs(
  kit: Kit,
  dirs: Dirs,
  changes: readonly { ref: string; to: string; from?: string | null }[],
): Promise<void> {
  const lines = changes.map(({ ref, to, from }) =>
    from === null ? `create ${ref} ${to}\n` : `update ${ref} ${to}${from ? ` ${from}` : ""}\n`,
  );
  await git(kit, dirs, ["update-ref", "--stdin"], { input: lines.join("") });
}

/** The refs that keep an agent's own commits; the approved commit will not contain them. */
export function agentPins(place: Place, commits: readonly string[]): { ref: string; to: string }[] {
  return [...new Set(commits)]
    .filter((commit) => commit !== place.baseCommit)
    .map((commit) => ({ ref: pinRef(place, `agent-${commit.slice(0, 12)}`), to: commit }));
}

/** In clone mode: brings refs just written in the clone into the main repository, by name, nothing else. */
export async function publish(kit: Kit, place: Place, refs: readonly string[]): Promise<void> {
  if (place.mode !== "clone") return;
  await fetchRefs(
    kit,
    openRepo(place.repo),
    place.path,
    refs.map((ref) => `+${ref}:${ref}`),
  );
}

/** Reads from another repository on this machine; only the named refs change. */
export async function fetchRefs(kit: Kit, into: Dirs, from: string, specs: readonly string[]): Promise<void> {
  const plain = [
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--update-head-ok",
  ];
  await git(kit, into, ["fetch", ...plain, from, ...specs]);
}
