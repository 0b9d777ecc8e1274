// The private index of a bubble: git's list of files with time stamps, by which an unchanged file is not read
// again. Kept between calls, but never trusted further than its time stamps reach.
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Place } from "../../ports/workspace.ts";
import type { Home } from "./location.ts";
import { type Dirs, git, type Kit, tryGit } from "./runner.ts";

let lent = 0;

/**
 * Lends an index to one caller. It starts as a hard link to the kept one: git replaces an index and never writes
 * into it, so callers need no lock, a crash leaves the kept one whole, and its own time stamp stays true.
 */
export async function withIndex<T>(
  kit: Kit,
  place: Place,
  home: Home,
  use: (view: Dirs) => Promise<T>,
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
    if (isSettled(mine, startedAt, place.baseCommit.length / 2)) renameSync(mine, kept);
    return result;
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
 * Whether every file in the index was at rest before we began. Git compares whole seconds, so a file that is
 * written, listed and written again within one second, with its old size and time put back, would look unchanged
 * for ever. An index that lists such a file is used once and not kept.
 */
function isSettled(file: string, startedAt: number, idBytes: number): boolean {
  const index = readFileSync(file);
  if (index.readUInt32BE(4) !== 2) return false;
  const entries = index.readUInt32BE(8);
  let at = 12;
  for (let i = 0; i < entries; i++) {
    // One second more, since file systems stamp with a coarser clock than ours.
    if (index.readUInt32BE(at) >= startedAt - 1) return false;
    const path = at + 40 + idBytes + 2;
    const end = index.indexOf(0, path);
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return true;
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
