// The refs of a bubble: refs/pairflow/<bubble>/ keeps every tree and commit that somebody may want back,
// against gc, a deleted worktree and an agent's reset. `base` is the first one, `latest` the newest handoff.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { listNames } from "../../disk/files.ts";
import { readBranches } from "../branches.ts";
import { listFoldersUpTo, syncAll, syncPath } from "../durable/files.ts";
import { listNewObjects, syncNewObjects } from "../durable/objects.ts";
import { type Home, locateWorkspace, openRepo } from "../location.ts";
import { getCommonDir } from "./private-git.ts";
import { type Dirs, ensurePrivateGit, type Kit, runGit, runGitLine } from "./runner.ts";

export const getRefFolder = (place: WorkspacePlace) => `refs/pairflow/${place.bubble}/`;
export const pinRef = (place: WorkspacePlace, pin: string) => `${getRefFolder(place)}${pin}`;
export const getBranchRef = (place: WorkspacePlace) => `refs/heads/${place.branch}`;

/** Exactly one identity and date for all pins, so that the same tree under the same name is the same commit. */
export const ownIdentity = buildIdentity("Pairflow", "pairflow@localhost", "@946684800 +0000");

export function buildIdentity(name: string, email: string, date: string): Record<string, string> {
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
  place: WorkspacePlace,
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
  return runGitLine(kit, dirs, args, { env: ownIdentity });
}

/** Names of refs to object ids, for the given refs and folders of refs. */
export async function readRefs(
  kit: Kit,
  dirs: Dirs,
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const text = await runGit(kit, dirs, ["for-each-ref", "--format=%(refname) %(objectname)", ...patterns]);
  const rows = text.split("\n").filter((line) => line !== "");
  return new Map(rows.map((line) => line.split(" ") as [string, string]));
}

/** The branches of the repository with their commits, without the bubble's own. */
export async function listOtherBranches(kit: Kit, place: WorkspacePlace): Promise<Record<string, string>> {
  const repo = openRepo(place.repo);
  const refs = readBranches(repo.commonDir) ?? (await readRefs(kit, repo, ["refs/heads"]));
  refs.delete(getBranchRef(place));
  return Object.fromEntries(refs);
}

/**
 * Sets refs, all or none. `from` makes it a compare-and-set; null means "must not exist yet". Durable when it returns:
 * first what the refs reach (`reached`, where somebody has listed it), then the refs, so that no power cut leaves a ref to
 * half an object.
 */
export async function setRefs(
  kit: Kit,
  dirs: Home,
  place: Pick<WorkspacePlace, "baseCommit" | "bubble">,
  changes: readonly { ref: string; to: string; from?: string | null }[],
  reached?: readonly string[],
): Promise<void> {
  const commits = changes.map(({ to }) => to);
  await syncNewObjects(kit, dirs, reached ?? (await listNewObjects(kit, dirs, place, commits)));
  const lines = changes.map(({ ref, to, from }) =>
    from === null ? `create ${ref} ${to}\n` : `update ${ref} ${to}${from ? ` ${from}` : ""}\n`,
  );
  await runGit(kit, dirs, ["update-ref", "--stdin"], { input: lines.join("") });
  kit.crashPoint("git.refs.set");
  await syncRefs(
    dirs.gitDir,
    changes.map(({ ref }) => ref),
  );
}

/** The refs that keep an agent's own commits; the approved commit will not contain them. */
export function buildAgentPins(
  place: WorkspacePlace,
  commits: readonly string[],
): { ref: string; to: string }[] {
  return [...new Set(commits)]
    .filter((commit) => commit !== place.baseCommit)
    .map((commit) => ({ ref: pinRef(place, `agent-${commit.slice(0, 12)}`), to: commit }));
}

/** In clone mode: brings refs just written in the clone into the main repository, by name, nothing else. */
export async function publish(
  kit: Kit,
  place: WorkspacePlace,
  pins: readonly { ref: string; to: string }[],
): Promise<void> {
  if (place.mode !== "clone") return;
  const repo = openRepo(place.repo);
  // The objects alone: the refs follow when those are durable.
  await fetchRefs(
    kit,
    repo,
    locateWorkspace(place),
    pins.map(({ ref }) => ref),
  );
  await setRefs(kit, repo, place, pins);
}

/** Lets git read from a folder of this machine, and from nowhere else. */
export const localOnly = { GIT_ALLOW_PROTOCOL: "file" };

/** Reads from another repository on this machine, through its private git folder; only the named refs change. */
export async function fetchRefs(
  kit: Kit,
  into: Dirs,
  from: Dirs & { readonly gitDir: string },
  specs: readonly string[],
): Promise<void> {
  const plain = [
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--update-head-ok",
  ];
  const source = await ensurePrivateGit(kit, from);
  await runGit(kit, into, ["fetch", ...plain, source, ...specs], { env: localOnly });
}

/** Makes refs that were just written durable, however this repository keeps them. */
async function syncRefs(gitDir: string, refs: readonly string[]): Promise<void> {
  const common = getCommonDir(gitDir);
  const files = refs.map((ref) => join(common, ref));
  const logs = refs.map((ref) => join(common, "logs", ref)).filter((log) => existsSync(log));
  const areLoose = await Promise.all(files.map(syncPath));
  const elsewhere = areLoose.includes(false) ? [join(common, "packed-refs"), ...listTables(common)] : [];
  await syncAll([...logs, ...elsewhere]);
  await syncAll([
    ...files.flatMap((file) => listFoldersUpTo(join(common, "refs"), file)),
    ...logs.flatMap((log) => listFoldersUpTo(join(common, "logs"), log)),
    common,
  ]);
}

/** The files of git's other way to keep refs, and their folder. */
function listTables(common: string): string[] {
  const folder = join(common, "reftable");
  return existsSync(folder) ? [...listNames(folder).map((name) => join(folder, name)), folder] : [];
}
