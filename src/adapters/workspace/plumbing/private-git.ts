// A git folder of the referee's own: it shares objects and refs with the repository through links, and has a
// configuration, attributes and excludes that only the referee writes. What an agent puts into the repository's git
// folder is therefore not read by any call that looks at files, and no program named there can run.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";
import { fileSettings } from "../../../core/permission/git/programs.ts";
import { syncFolder } from "../../disk/files.ts";

/** What is taken over from the repository and its user at one moment. */
export interface FileRules {
  /** Values of `fileSettings`. */
  readonly settings: Readonly<Record<string, string>>;
  /** `info/exclude` and the user's own excludes and attributes, as texts. */
  readonly exclude: string;
  readonly userExclude: string;
  readonly attributes: string;
  readonly userAttributes: string;
}

/** The folder that holds objects and branches, for the git folder of a worktree too. */
export function getCommonDir(gitDir: string): string {
  const common = readText(join(gitDir, "commondir")).trim();
  return common ? resolve(gitDir, common) : gitDir;
}

let made = 0;

/** Makes the folder unless it is there: of two processes that make it at once, one wins and both have it. */
export function makePrivateGit(folder: string, gitDir: string, rules: FileRules): void {
  made += 1;
  const fresh = `${folder}.${process.pid}-${made}`;
  rmSync(fresh, { recursive: true, force: true });
  fill(fresh, { folder, gitDir, rules });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Links that lead nowhere yet are for what git may create; it writes through them. */
const shared = ["objects", "refs", "packed-refs", "shallow"];
const sharedIfThere = ["logs", "reftable", "lfs"];

function fill(fresh: string, what: { folder: string; gitDir: string; rules: FileRules }): void {
  const { folder, gitDir, rules } = what;
  mkdirSync(join(fresh, "info"), { recursive: true, mode: 0o700 });
  const common = getCommonDir(gitDir);
  const there = sharedIfThere.filter((name) => existsSync(join(common, name)));
  for (const name of [...shared, ...there]) symlinkSync(join(common, name), join(fresh, name));
  put(join(fresh, "info", "exclude"), rules.exclude);
  put(join(fresh, "info", "attributes"), rules.attributes);
  put(join(fresh, "info", "user-exclude"), rules.userExclude);
  put(join(fresh, "info", "user-attributes"), rules.userAttributes);
  put(join(fresh, "HEAD"), readText(join(gitDir, "HEAD")) || "ref: refs/heads/none\n");
  const logs = { "core.logallrefupdates": String(there.includes("logs")) };
  put(join(fresh, "config"), describeConfig(folder, { ...logs, ...rules.settings }));
  for (const path of [join(fresh, "info"), fresh]) syncFolder(path);
}

/** Whole after a power cut too, or not there: a folder that is there is used as it is. */
function put(path: string, text: string): void {
  writeFileSync(path, text, { flush: true, mode: 0o600 });
}

function describeConfig(folder: string, settings: Readonly<Record<string, string>>): string {
  const all = {
    "core.repositoryformatversion": "1",
    "core.bare": "false",
    ...settings,
    "core.excludesfile": join(folder, "info", "user-exclude"),
    "core.attributesfile": join(folder, "info", "user-attributes"),
  };
  return Object.entries(all)
    .map(([key, value]) => renderConfigLine(key, value))
    .join("");
}

/** One setting in a section of its own; names between the dots may hold anything. */
function renderConfigLine(key: string, value: string): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const middle = first === last ? "" : ` ${quoteConfigValue(key.slice(first + 1, last))}`;
  return `[${key.slice(0, first)}${middle}]\n\t${key.slice(last + 1)} = ${quoteConfigValue(value)}\n`;
}

function quoteConfigValue(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

/** The rules as they are now. `listed` is git's own list of all settings, `-z`. */
export function readFileRules(
  gitDir: string,
  listed: string,
  env: Readonly<Record<string, string | undefined>>,
): FileRules {
  const all = parseSettings(listed);
  const isKept = (key: string) => fileSettings.includes(key);
  const info = join(getCommonDir(gitDir), "info");
  const user = (key: string, name: string) => readText(getUserFile(all.get(key), name, env));
  return {
    settings: Object.fromEntries([...all].filter(([key]) => isKept(key))),
    exclude: readText(join(info, "exclude")),
    attributes: readText(join(info, "attributes")),
    userExclude: user("core.excludesfile", "ignore"),
    userAttributes: user("core.attributesfile", "attributes"),
  };
}

/** `key LF value NUL`; the last of several counts, and a key alone means true. */
export function parseSettings(listed: string): Map<string, string> {
  const rows = listed.split("\0").filter((row) => row !== "");
  return new Map(
    rows.map((row) => {
      const cut = row.indexOf("\n");
      return cut < 0 ? [row, "true"] : [row.slice(0, cut), row.slice(cut + 1)];
    }),
  );
}

function getUserFile(
  set: string | undefined,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const home = env.HOME ?? homedir();
  if (set !== undefined) return set.replace(/^~(?=\/)/, home);
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "git", name);
}

function readText(file: string): string {
  // Not there, or not for us: then it says nothing.
  return tryOr(() => readFileSync(file, "utf8"), "");
}
