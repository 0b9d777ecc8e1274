// The private index of a bubble: git's list of files with time stamps, by which an unchanged file is not read
// again. Kept between calls, but never trusted further than its time stamps reach.
import { copyFileSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import {
  buildHiddenKey,
  coverHidden,
  type HidingView,
  lookUpHidden,
  markHidden,
  readKnownHidden,
} from "../checkout/hidden.ts";
import type { Home } from "../location.ts";
import { classifyIndexAge } from "./index-format.ts";
import { type Kit, runGit, tryGit } from "./runner.ts";

/** A caller's own index, and where its files are. */
export interface Lent extends Home, HidingView {
  readonly gitDir: string;
  /** How long an object id is in this repository. */
  readonly idBytes: number;
}

let lent = 0;

/**
 * Lends an index to one caller. It starts as a hard link to the kept one: git replaces an index and never writes
 * into it, so callers need no lock and a crash leaves the kept one whole.
 */
export async function lendIndex<T>(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  use: (view: Lent) => Promise<T>,
): Promise<T> {
  const kept = getIndexFile(kit, place);
  lent += 1;
  const mine = `${kept}.${process.pid}-${lent}`;
  const startedAt = Math.floor(Date.now() / 1000);
  try {
    const view = await lend(kit, place, home, { kept, mine });
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

async function lend(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  { kept, mine }: { kept: string; mine: string },
): Promise<Lent> {
  const base = { ...home, index: mine };
  const known = readKnownHidden(kit, place);
  const isKept = isLinkedTo(kept, mine, kit);
  const hidden = known ?? (await lookUpHidden(kit, place, base));
  if (known && !isKept) await runGit(kit, base, ["read-tree", place.baseCommit]);
  const view = { ...base, hidden, idBytes: place.baseCommit.length / 2 };
  await coverHidden(kit, view);
  return view;
}

function isLinkedTo(kept: string, mine: string, kit: Kit): boolean {
  mkdirSync(kit.runtimeDir, { recursive: true, mode: 0o700 });
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
  if (classifyIndexAge(mine, second, idBytes) === "unclear") return;
  utimesSync(mine, second, second);
  renameSync(mine, kept);
}

/** An index that holds exactly this tree, for a commit hook to look at. Stays until the next one or until the bubble is deleted. */
export async function createStagedIndex(
  kit: Kit,
  place: WorkspacePlace,
  home: Home,
  tree: string,
): Promise<string> {
  // A folder of its own: git writes an index by a file beside it, and hooks may reach nothing else of ours.
  const folder = join(kit.runtimeDir, place.bubble, "hook");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const index = join(folder, "index");
  for (const stale of [index, `${index}.lock`]) rmSync(stale, { force: true });
  const view = { ...home, index };
  const hidden = readKnownHidden(kit, place) ?? (await lookUpHidden(kit, place, view));
  await runGit(kit, view, ["read-tree", tree]);
  await markHidden(kit, { ...view, hidden });
  // Hooks ask git what differs in the worktree; without time stamps that would be every file.
  await tryGit(kit, view, ["update-index", "-q", "--refresh"]);
  return index;
}

/**
 * Sets the flags of hidden files in the index of a new checkout before any file is written; from then on that index is the
 * agent's. Ours begins as a copy, which spares asking git for the same twice.
 */
export async function hideInCheckout(kit: Kit, place: WorkspacePlace, home: Home): Promise<void> {
  if (buildHiddenKey(place) === "") return;
  const view = { ...home, index: join(home.gitDir, "index") };
  await markHidden(kit, { ...view, hidden: await lookUpHidden(kit, place, view) });
  const kept = getIndexFile(kit, place);
  copyFileSync(view.index, `${kept}.new`);
  renameSync(`${kept}.new`, kept);
}

/** Forgets every index of the bubble, with what crashed callers left. */
export function dropIndex(kit: Kit, place: WorkspacePlace): void {
  const name = `${place.bubble}.index`;
  mkdirSync(kit.runtimeDir, { recursive: true, mode: 0o700 });
  for (const file of readdirSync(kit.runtimeDir)) {
    if (file === name || file.startsWith(`${name}.`)) rmSync(join(kit.runtimeDir, file), { force: true });
  }
}

function getIndexFile(kit: Kit, place: WorkspacePlace): string {
  return join(kit.runtimeDir, `${place.bubble}.index${buildHiddenKey(place)}`);
}
