// The private index of a bubble: git's list of files with time stamps, by which an unchanged file is not read
// again. Kept between calls, but never trusted further than its time stamps reach.
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import type { Place } from "../../ports/workspace.ts";
import { restedBefore } from "./index-format.ts";
import type { Home } from "./location.ts";
import { git, type Kit, tryGit } from "./runner.ts";

/** A caller's own index, and where its files are. */
export interface Lent extends Home {
  readonly index: string;
}

let lent = 0;

/**
 * Lends an index to one caller. It starts as a hard link to the kept one: git replaces an index and never writes
 * into it, so callers need no lock and a crash leaves the kept one whole.
 */
export async function withIndex<T>(
  kit: Kit,
  place: Place,
  home: Home,
  use: (view: Lent) => Promise<T>,
): Promise<T> {
  const kept = indexFile(kit, place);
  lent += 1;
  const mine = `${kept}.${process.pid}-${lent}`;
  const view = { ...home, index: mine };
  const startedAt = Math.floor(Date.now() / 1000);
  try {
    if (!isLinkedTo(kept, mine, kit)) await git(kit, view, ["read-tree", place.baseCommit]);
    kit.crashPoint("git.index.lent");
    const result = await use(view);
    keep(mine, kept, startedAt, place.baseCommit.length / 2);
    return result;
  } catch (error) {
    // It may name objects that a `git gc` has removed since: the next caller begins with a new one.
    rmSync(kept, { force: true });
    throw error;
  } finally {
    rmSync(mine, { force: true });
    rmSync(`${mine}.lock`, { force: true });
  }
}

function isLinkedTo(kept: string, mine: string, kit: Kit): boolean {
  mkdirSync(kit.runtimeDir, { recursive: true });
  rmSync(mine, { force: true });
  try {
    linkSync(kept, mine);
    return true;
  } catch {
    return false; // None kept, or a file system without links: a new index is slower and just as right.
  }
}

/**
 * Keeps an index for the next caller, dated back to before this one began. Git compares whole seconds, so a file that is
 * written, listed and written again within one second, with its old size and time put back, would look unchanged for
 * ever; but files that are not older than the index itself it reads again. An index that lists a young file with an
 * old time stamp is used once and not kept.
 */
function keep(mine: string, kept: string, startedAt: number, idBytes: number): void {
  // One second more, since file systems stamp with a coarser clock than ours.
  const second = startedAt - 1;
  if (restedBefore(mine, second, idBytes) === "unclear") return;
  utimesSync(mine, second, second);
  renameSync(mine, kept);
}

/** An index that holds exactly this tree, for a commit hook to look at. Stays until the next one or `dropIndex`. */
export async function stagedIndex(kit: Kit, place: Place, home: Home, tree: string): Promise<string> {
  mkdirSync(kit.runtimeDir, { recursive: true });
  const index = `${indexFile(kit, place)}.staged`;
  for (const stale of [index, `${index}.lock`]) rmSync(stale, { force: true });
  const view = { ...home, index };
  await git(kit, view, ["read-tree", tree]);
  // Hooks ask git what differs in the worktree; without time stamps that would be every file.
  await tryGit(kit, view, ["update-index", "-q", "--refresh"]);
  return index;
}

/** Forgets every index of the bubble, with what crashed callers left. */
export function dropIndex(kit: Kit, place: Place): void {
  const name = basename(indexFile(kit, place));
  mkdirSync(kit.runtimeDir, { recursive: true });
  for (const file of readdirSync(kit.runtimeDir)) {
    if (file === name || file.startsWith(`${name}.`)) rmSync(join(kit.runtimeDir, file), { force: true });
  }
}

function indexFile(kit: Kit, place: Place): string {
  return join(kit.runtimeDir, `${place.bubble}.index`);
}
