// Files of the base commit that are kept out of sight: in every tree as they were, and not on disk. An agent that puts
// a file in such a place has made a change like any other; where there is none, nothing was changed.
//
// This is git's skip-worktree flag alone. A sparse checkout is the same flag and a setting on top, and for a setting
// of one worktree the main repository must be given `extensions.worktreeConfig`: somebody else's file, which many
// bubbles would write at once, which stays changed after them, and which older programs then refuse to read. The
// flags outlast reset, stash, switch and commit. Who takes them away has the files back, and the tree is the same.
import { lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { gitlinkMode } from "../plumbing/changes.ts";
import { type IndexEntry, readIndexEntries } from "../plumbing/index-format.ts";
import { type Dirs, type Kit, runGit, runGitLine, splitZ } from "../plumbing/runner.ts";

/** A hidden file as the base commit has it. */
export interface HiddenFile {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** An index, the folder it is about, and the files that may be missing there. */
export interface HidingView extends Dirs {
  readonly index: string;
  readonly hidden: readonly HiddenFile[];
}

/** Tells lists and indexes of other patterns or another base apart; empty when nothing is hidden. */
export function buildHiddenKey({ baseCommit, hidden = [] }: WorkspacePlace): string {
  if (hidden.length === 0) return "";
  const text = JSON.stringify([baseCommit, ...hidden]);
  return `.${process.getBuiltinModule("node:crypto").hash("sha256", text, "hex").slice(0, 16)}`;
}

/** The hidden files, if they were looked up before. The list is as much ours as the index beside it. */
export function readKnownHidden(kit: Kit, place: WorkspacePlace): readonly HiddenFile[] | undefined {
  if (buildHiddenKey(place) === "") return [];
  // Not written yet, or torn by a crash: git is asked again.
  return tryOr(() => JSON.parse(readFileSync(listFile(kit, place), "utf8")) as HiddenFile[], undefined);
}

/** Looks the hidden files up, for which the index is made to hold the base commit. */
export async function lookUpHidden(
  kit: Kit,
  place: WorkspacePlace,
  view: Dirs,
): Promise<readonly HiddenFile[]> {
  await runGit(kit, view, ["read-tree", place.baseCommit]);
  const args = ["ls-files", "-z", "--stage", "--cached", ...buildIgnoredOptions(place.hidden)];
  const rows = splitZ(await runGit(kit, view, args));
  const files = rows.map(readRow).filter(isHideable);
  writeFileSync(listFile(kit, place), JSON.stringify(files), { mode: 0o600 });
  return files;
}

/** Options with which `git ls-files` shows only what these patterns match. */
export function buildIgnoredOptions(patterns: readonly string[] = []): string[] {
  return ["--ignored", ...patterns.map((pattern) => `--exclude=${pattern}`)];
}

/** `mode id stage TAB path`. */
function readRow(row: string): HiddenFile {
  const tab = row.indexOf("\t");
  const [mode = "", id = ""] = row.slice(0, tab).split(" ");
  return { path: row.slice(tab + 1), mode, id };
}

/** A submodule is an empty folder anyway; a name that is no UTF-8 could not be given back to git. */
function isHideable({ path, mode }: HiddenFile): boolean {
  return mode !== gitlinkMode && !path.includes("\uFFFD");
}

// Under the name of the bubble's index, with which it is dropped.
function listFile(kit: Kit, place: WorkspacePlace): string {
  return join(kit.runtimeDir, `${place.bubble}.index${buildHiddenKey(place)}.list`);
}

interface Seen extends HiddenFile {
  readonly listed: IndexEntry | undefined;
  /** Listed as the base commit has it. */
  readonly same: boolean;
  readonly absent: boolean;
}

function look(view: HidingView): Seen[] {
  const first = view.hidden[0];
  if (!first) return [];
  const found = readIndexEntries(
    view.index,
    first.id.length / 2,
    new Set(view.hidden.map(({ path }) => path)),
  );
  const isAbsent = createAbsenceTest(view.workTree);
  return view.hidden.map((file) => {
    const listed = found.get(file.path);
    const same = listed?.id === file.id && listed.mode === file.mode;
    return { ...file, listed, same, absent: isAbsent(file.path) };
  });
}

/** Whether no file stands at a path. Most hidden files share a folder that is not there: one look for all of them. */
function createAbsenceTest(root: string): (path: string) => boolean {
  const missing = new Map<string, boolean>();
  return (path) => {
    const folder = join(root, dirname(path));
    if (!missing.has(folder)) missing.set(folder, readKindAt(folder) === "nothing");
    // A folder in the place of a file is none: what is in it git finds by itself.
    return missing.get(folder) === true || readKindAt(join(root, path)) !== "file";
  };
}

/** What cannot be looked at counts as a file, about which git will have to say something. */
function readKindAt(path: string): "nothing" | "folder" | "file" {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return "nothing";
    return found.isDirectory() ? "folder" : "file";
  } catch {
    return "file";
  }
}

/** Makes an index ready for `git add -A`: files that are not there count as the base has them, others are looked at. */
export async function coverHidden(kit: Kit, view: HidingView): Promise<void> {
  const seen = look(view);
  // What an agent put there and took away again, or put in the place of a whole folder.
  const lost = seen.filter(({ listed, same, absent }) => !listed || (absent && !same));
  if (lost.length === 0) return flagSeen(kit, view, seen);
  const input = lost.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join("");
  await runGit(kit, view, ["update-index", "--replace", "-z", "--index-info"], { input });
  return flagSeen(kit, view, look(view));
}

/** Lets an index that is otherwise left alone not miss the hidden files. */
export function markHidden(kit: Kit, view: HidingView): Promise<void> {
  return flagSeen(kit, view, look(view));
}

async function flagSeen(kit: Kit, view: Dirs, seen: readonly Seen[]): Promise<void> {
  const missing = seen.filter(({ listed, same, absent }) => same && absent && !listed?.skipped);
  const back = seen.filter(({ listed, absent }) => !absent && listed?.skipped);
  await updateEach(kit, view, "--skip-worktree", missing);
  await updateEach(kit, view, "--no-skip-worktree", back);
}

async function updateEach(kit: Kit, view: Dirs, how: string, files: readonly HiddenFile[]): Promise<void> {
  if (files.length === 0) return;
  const input = files.map(({ path }) => `${path}\0`).join("");
  await runGit(kit, view, ["update-index", how, "-z", "--stdin"], { input });
}

/**
 * The part of a tree to write to disk: without hidden files that it has as the base has them. Those that an agent
 * brought back unchanged stay, since its own index may know of them.
 */
export async function buildVisibleTree(kit: Kit, view: HidingView, tree: string): Promise<string> {
  const scratch = { ...view, index: `${view.index}.visible` };
  const stays = new Set(
    look(view)
      .filter(({ same, absent }) => same && !absent)
      .map(({ path }) => path),
  );
  try {
    await runGit(kit, scratch, ["read-tree", tree]);
    const left = look(scratch).filter(({ path, same }) => same && !stays.has(path));
    await updateEach(kit, scratch, "--force-remove", left);
    return await runGitLine(kit, scratch, ["write-tree"]);
  } finally {
    rmSync(scratch.index, { force: true });
  }
}
