// The git settings around a bubble, read to be compared and put back when a human says so: the repository's own settings
// files, attributes, excludes, grafts, alternates and hooks. Nothing here is what the referee works with; that is pinned.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { GitSettings } from "../../../core/model/record/git-settings.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { findHome, findRegisteredGitDir, openRepo } from "../location.ts";
import { getCommonDir } from "../plumbing/private-git.ts";
import { type Kit, readConfig, splitZ } from "../plumbing/runner.ts";

/** A git folder that is looked at; what is found in it is named with the label in front. */
interface Watched {
  readonly folder: string;
  readonly label: string;
  /** Its files of settings. */
  readonly configs: readonly string[];
}

const textFiles = ["info/attributes", "info/exclude", "info/grafts", "objects/info/alternates"];

/** What was read last, by the state of the files it was read from: most looks find nothing new. */
const readBefore = new Map<string, { readonly stamp: string; readonly found: GitSettings }>();

/** The settings as they are now. */
export async function readGitSettings(kit: Kit, place: WorkspacePlace): Promise<GitSettings> {
  const folders = listWatchedFolders(place);
  const key = getKeptFolder(kit, place);
  const stamp = getStamp(folders);
  const known = readBefore.get(key);
  if (known?.stamp === stamp) return known.found;
  const found = await readAll(kit, folders);
  // An included file changes without the file that includes it.
  if (!Object.keys(found.settings).some((name) => /(?:^|: )include(?:if)?\./.test(name)))
    readBefore.set(key, { stamp, found });
  return found;
}

/** Another one after every change: nobody can set the time at which a file's state changed. */
function getStamp(folders: readonly Watched[]): string {
  const files = folders.flatMap(({ folder, configs }) => [
    ...configs,
    ...[...textFiles, ...listHookNames(folder)].map((name) => join(folder, name)),
  ]);
  return files.map((file) => `${file} ${readState(file)}`).join("\n");
}

function readState(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mode} ${found.ctimeNs}` : "";
}

async function readAll(kit: Kit, folders: readonly Watched[]): Promise<GitSettings> {
  const settings: Record<string, string> = {};
  const files: Record<string, string> = {};
  for (const watched of folders) {
    for (const [key, values] of await readSettings(kit, watched))
      settings[watched.label + key] = hashText(values.join("\0"));
    for (const [name, said] of readFiles(watched.folder)) files[watched.label + name] = hashText(said);
  }
  return { settings, files };
}

function listWatchedFolders(place: WorkspacePlace): Watched[] {
  const { commonDir } = openRepo(place.repo);
  const own = place.mode === "worktree" ? findRegisteredGitDir(openRepo(place.repo), place.path) : undefined;
  const configs = [commonDir, ...(own ? [own] : [])].map((folder) => join(folder, "config.worktree"));
  const main = { folder: commonDir, label: "", configs: [join(commonDir, "config"), ...configs] };
  const clone = place.mode === "clone" ? findHome(place)?.gitDir : undefined;
  if (!clone) return [main];
  return [main, { folder: getCommonDir(clone), label: "clone: ", configs: [join(clone, "config")] }];
}

/** Every value of every key, in order; files that are included count as part of who includes them. */
async function readSettings(kit: Kit, { configs }: Watched): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>();
  for (const file of configs.filter((name) => existsSync(name))) {
    const args = ["config", "-z", "--list", "--includes", "-f", file];
    const { stdout } = await readConfig(kit, { workTree: dirname(file) }, args);
    for (const row of splitZ(stdout)) {
      const cut = row.indexOf("\n");
      const [key, value] = cut < 0 ? [row, ""] : [row.slice(0, cut), row.slice(cut + 1)];
      all.set(key, [...(all.get(key) ?? []), value]);
    }
  }
  return all;
}

/** What the other files say; comments and blank lines say nothing. */
function readFiles(folder: string): [name: string, said: string][] {
  const texts = textFiles.map((name): [string, string] => [name, readWithoutComments(join(folder, name))]);
  const hooks = listHookNames(folder).map((name): [string, string] => {
    const file = join(folder, name);
    return [name, `${isRunnable(file)} ${readFileSync(file, "latin1")}`];
  });
  return [...texts.filter(([, said]) => said !== ""), ...hooks];
}

function readWithoutComments(file: string): string {
  if (!existsSync(file)) return "";
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#")).join("\n");
}

function listHookNames(folder: string): string[] {
  const hooks = join(folder, "hooks");
  if (!existsSync(hooks)) return [];
  return readdirSync(hooks)
    .filter((name) => !name.endsWith(".sample") && statSync(join(hooks, name)).isFile())
    .map((name) => `hooks/${name}`);
}

const isRunnable = (file: string) => (statSync(file).mode & 0o111) !== 0;

function hashText(text: string): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", text, "hex").slice(0, 32);
}

/** Keeps a copy of everything that can be put back, beside the private git folder and readable by its owner alone. */
export function keepGitSettings(kit: Kit, place: WorkspacePlace): void {
  const kept = getKeptFolder(kit, place);
  rmSync(kept, { recursive: true, force: true });
  for (const watched of listWatchedFolders(place)) {
    const files = [...textFiles, ...listHookNames(watched.folder)].map((name) => join(watched.folder, name));
    for (const file of [...watched.configs, ...files].filter((name) => existsSync(name))) {
      mkdirSync(dirname(join(kept, file)), { recursive: true, mode: 0o700 });
      copyFileSync(file, join(kept, file));
      chmodSync(join(kept, file), isRunnable(file) ? 0o700 : 0o600);
    }
  }
}

const getKeptFolder = (kit: Kit, place: WorkspacePlace) => join(kit.runtimeDir, `${place.bubble}.git-start`);

export function dropGitSettings(kit: Kit, place: WorkspacePlace): void {
  rmSync(getKeptFolder(kit, place), { recursive: true, force: true });
}

/** Brings the named keys and files back to what was kept; everything else stays as it is now. */
export async function putBackGitSettings(
  kit: Kit,
  place: WorkspacePlace,
  names: readonly string[],
): Promise<void> {
  for (const watched of listWatchedFolders(place)) {
    const mine = names
      .filter((name) => name.startsWith("clone: ") === (watched.label !== ""))
      .map((name) => name.slice(watched.label.length));
    for (const name of mine) {
      if (textFiles.includes(name) || name.startsWith("hooks/"))
        putBackFile(kit, place, join(watched.folder, name));
      else for (const file of watched.configs) await putBackKey(kit, place, file, name);
    }
  }
}

function putBackFile(kit: Kit, place: WorkspacePlace, file: string): void {
  const kept = join(getKeptFolder(kit, place), file);
  rmSync(file, { force: true });
  if (!existsSync(kept)) return;
  copyFileSync(kept, file);
  chmodSync(file, isRunnable(kept) ? 0o755 : 0o644);
}

async function putBackKey(kit: Kit, place: WorkspacePlace, file: string, key: string): Promise<void> {
  if (!existsSync(file)) return;
  const dirs = { workTree: dirname(file) };
  await readConfig(kit, dirs, ["config", "-f", file, "--unset-all", key]);
  const kept = join(getKeptFolder(kit, place), file);
  if (!existsSync(kept)) return;
  const { stdout } = await readConfig(kit, dirs, ["config", "-z", "-f", kept, "--get-all", key]);
  for (const value of stdout.split("\0").slice(0, -1))
    await readConfig(kit, dirs, ["config", "-f", file, "--add", key, value]);
}
